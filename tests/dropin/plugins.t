#!/bin/sh
# SPDX-License-Identifier: MIT
# Plugins that were built for different majors share a stream and memory in one
# process, in every order, with local or global names, whatever the host needs, and
# also if each is closed before the next is loaded at its address.  Drop-ins and real
# libraries in an order that cannot work are reported.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
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

# --- without a pin, with one drop-in only, and in a wrong order ---

for needed in 5.7 6.4 7.2; do
    case " $dropin_releases " in
    *" $needed "*) ;;
    *)
        skip "drop-ins and real libraries in one process" "no real runtime of $needed"
        finish
        exit 0
        ;;
    esac
done
plugins() { # RELEASE...: their files
    printf "$scratch/plugin-%s.so\n" "$@"
}
mixed() { # PIN BACK PLACES HOST RELEASE...: output in $said, messages in $scratch/err
    mixed_pin=$1 mixed_back=$2 mixed_places=$3 mixed_host=$4
    shift 4
    # shellcheck disable=SC2046 # one file each
    said=$(HIPSHIM_LIBRARY=$mixed_pin dropin_run "$mixed_back" "$mixed_places" \
        "$scratch/host-$mixed_host" local $(plugins "$@") 2>"$scratch/err")
    status=$?
}
real_library() { # RELEASE
    dropin_find "$1"
    printf '%s\n' "$dropin_hip"
}

for back in 5.7 6.4 7.2; do
    mixed "" "$back" "$build/dropin" 6.4 6.4 5.7 7.2
    is "a host of 6.4 shares with plugins of 6, 5 and 7 over $back that the drop-ins find" \
        "$said$(cat "$scratch/err")" "all is shared"
done
for front in 5.7 6.4; do
    mkdir -p "$scratch/only-$front"
    ln -sf "$build/dropin/libamdhip64.so.${front%%.*}" "$scratch/only-$front/"
    mixed "$(real_library 7.2)" 7.2 "$scratch/only-$front" none "$front" 7.2
    is "a plugin of $front uses its drop-in, and that of 7 the runtime itself" \
        "$said$(cat "$scratch/err")" "all is shared"
    mixed "$(real_library 7.2)" 7.2 "$scratch/only-$front" 7.2 7.2
    is "a host of 7 uses the runtime itself though a drop-in of ${front%%.*} is in the path" \
        "$said$(cat "$scratch/err")" "all is shared"
done

# Here the plugin for HIP 5 calls HIP 6 with its own ABI, and gets properties that are larger than
# its structure, which may end the process.  The drop-in can only report it.
mixed "" 6.4 "$scratch/only-5.7" 6.4 5.7 2>/dev/null
ok "with a real library in front of a drop-in, the plugin of 5 gets wrong answers" \
    test "$status" = 1 -o "$status" = 139
ok "the drop-in reports the wrong order when it is loaded" \
    grep -q "libamdhip64.so.6 comes before the drop-in libamdhip64.so.5 .*hipshim run --abi" "$scratch/err"

mkdir "$scratch/other"
ln -s "$(real_library 6.4)" "$scratch/other/"
mixed "$(real_library 7.2)" 7.2 "$scratch/only-5.7:$scratch/other" 5.7 6.4
ok "a second real runtime that a plugin loads is reported" \
    grep -q "hipshim: this process has two HIP runtimes: libamdhip64.so.6" "$scratch/err"

# No drop-in is ever the runtime of another one.
mixed "$build/dropin" 6.4 "$build/dropin" none 5.7
ok "HIPSHIM_LIBRARY that names the drop-ins is refused" grep -q "it is hipshim itself" "$scratch/err"
mixed libamdhip64_absent.so 6.4 "$build/dropin" none 5.7
ok "HIPSHIM_LIBRARY that names what the dynamic linker does not find is refused by name" \
    grep -q "HIPSHIM_LIBRARY names no usable HIP runtime.*: libamdhip64_absent.so: " "$scratch/err"
finish
