#!/bin/sh
# SPDX-License-Identifier: MIT
# Plugins that were built for different majors share a stream and memory in one
# process, in every order, with local or global names, whatever the host needs, and
# also if each is closed before the next is loaded at its address.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=../lib/real.sh
. "$top/tests/lib/real.sh"
# shellcheck source=../loopback/run.sh
. "$top/tests/loopback/run.sh"
# shellcheck source=programs/run.sh
. "$top/tests/dropin/programs/run.sh"
dropin_prepare

plain_host() {
    ${CC:-cc} -std=gnu11 -Wall -Wextra -Werror -o "$scratch/host-none" "$top/tests/dropin/programs/plugin_host.c" -ldl
}
ok "a host without HIP is built" plain_host
for built in $dropin_releases; do
    ok "HIP $built: a plugin is built" dropin_compile "$built" "$scratch/plugin-$built.so" \
        -fPIC -shared -Wl,--as-needed "$top/tests/dropin/programs/plugin.c"
    ok "HIP $built: a host is built" dropin_compile "$built" "$scratch/host-$built" \
        -DLINKED "$top/tests/dropin/programs/plugin_host.c"
done

shares() { # BACK HOST local|global|closed RELEASE...
    shares_back=$1
    shares_host=$2
    shares_names=$3
    shift 3
    for shares_one; do
        case " $dropin_releases " in
        *" $shares_one "*) ;;
        *) return 0 ;; # skipped as a whole above
        esac
    done
    # shellcheck disable=SC2046 # one file each
    is "$shares_host, $shares_names, plugins for $*, over $shares_back" \
        "$(dropin_over "$shares_back" "$scratch/$shares_host" "$shares_names" \
            $(printf "$scratch/plugin-%s.so\n" "$@") 2>&1)" "all is shared"
}

# Two orders with every host; that pairs of plugins suffice is seen without one.
for back in $dropin_releases; do
    for host in none $dropin_releases; do
        for names in local global; do
            shares "$back" "host-$host" "$names" 5.2 6.4 7.2
            shares "$back" "host-$host" "$names" 7.2 6.4 5.7
        done
        shares "$back" "host-$host" closed 5.7 6.4 7.2 5.2
    done
    for names in local global; do
        shares "$back" host-none "$names" 5.7 6.4
        shares "$back" host-none "$names" 6.4 5.7
        shares "$back" host-none "$names" 7.2 5.2
    done
done
finish
