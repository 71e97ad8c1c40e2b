#!/bin/sh
# SPDX-License-Identifier: MIT
# An API that is data alone has drop-ins that work, also with the soname .so.0, without version nodes, and
# with types of HIP whose values changed, and with a function whose parameters did.
# shellcheck source=../lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=siblings.sh
. "$top/tests/apis/siblings.sh"

cc=${CC:-cc}
archives="$build/.libs/libbycaller.a $build/.libs/libengine.a $build/.libs/libelf.a $build/.libs/libbase.a"
[ -e "$build/.libs/libbycaller.a" ] || skip_all "there is no $build/.libs/libbycaller.a (configure --disable-shared?)"
sibling_python

# --- its data ---

tree=$scratch/tree
facts=$tree/generator/apis/gear
mkdir -p "$tree/bindings" "$tree/generator"
cp -R "$top/generator/apis" "$tree/generator"
mkdir -p "$facts/exports"
cat >"$facts/api.toml" <<'END'
name = "gear"
include_directory = "gear"
headers = ["gear.h"]
installed_as = "gear/gear.h"
name_prefix = "gear"
uses = ["hip"]
noun = "gear library"
pin = "HIPSHIM_GEAR_LIBRARY"
install_hint = "install gears"
carrier = "ROCm"

[[library]]
stem = "libgear"
probe = "gearOpen"
second_probe = "gearMove"
END
cat >"$facts/releases.toml" <<'END'
stable = "7.2.0"

[[release]]
version = "5.7.0"
rocm = "5.7.0"
soname = 0
origin = "made up"

[[release]]
version = "7.2.0"
rocm = "7.2.0"
soname = 1
origin = "made up"
END
cat >"$facts/overrides.toml" <<'END'
[result.int]
reason = "a status"
refuse = "-1"
memory = "-2"
absent = "-3"
no_runtime = "-4"
ended = "-5"

[function."(gearT.*)"]
bridge = 'gear_bridge_\1'
reason = "it turned in place"
END
cp "$top/tests/apis/gear_adapters.c" "$facts/adapters.c"
cat >"$facts/api.def" <<'END'
enum gearMode
    gearFast = 4  5.7
    gearSafe = 5  5.7
    gearFast = 0  7.2-
    gearSafe = 1  7.2-
int gearOpen(void)
int gearMove(enum hipMemoryType type, enum gearMode mode, int *seen)
int gearTurn(int *value, int by)  5.7
int gearTurn(int value, int by, int *result)  7.2-
END
sed -e '/  5\.7$/d' -e 's/  7\.2-$//' "$facts/api.def" >"$facts/stable.def"
for release in 5.7.0 7.2.0; do
    printf 'gearMove\ngearOpen\ngearTurn\n' >"$facts/exports/libgear-$release.txt"
done
ok "the generator writes its files" env PYTHONPATH="$top/generator" PYTHONDONTWRITEBYTECODE=1 \
    "$python" -m hipgen --root "$tree" generate

# --- its drop-ins, and libraries and programs of two releases ---

# With -O2, because a call is known by its return address, which the stubs must not change.
# shellcheck disable=SC2086 # lists of words
dropin() { # NUMBER
    set -- "$1" "$tree/bindings/gear/dropin/$1" "$tree"/bindings/gear/common/*dropin"$1"*
    dropin_number=$1
    shift
    dropin_folders=$(printf -- '-I%s ' "$@")
    dropin_sources=$(find "$@" -name '*.c')
    mkdir -p "$scratch/dropin"
    $cc -std=gnu11 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror -fPIC -shared $dropin_folders -I"$tree/bindings" \
        -I"$top/include/hipshim" -I"$top/src" $dropin_sources "$top/src/engine/resolvers.S" -Wl,--start-group $archives -Wl,--end-group \
        -Wl,-z,defs -Wl,-soname,"libgear.so.$dropin_number" -ldl -lpthread \
        "-Wl,--version-script=$1/libgear.so.$dropin_number.map" -o "$scratch/dropin/libgear.so.$dropin_number"
}
ok "the drop-in libgear.so.0 compiles" dropin 0
ok "the drop-in libgear.so.1 compiles" dropin 1

# shellcheck disable=SC2086 # lists of words
compile() { $cc -Wall -Wextra -Werror "$top/tests/apis/gear.c" "$@"; }
old=$scratch/old/libgear.so.0 new=$scratch/new/libgear.so.1
mkdir "$scratch/old" "$scratch/new"
ok "a library of 5.7 compiles" compile -DLIBRARY -DNAME=unused -DOLD -fPIC -shared -Wl,-soname,libgear.so.0 -o "$old"
ok "a library of 7.2 compiles" compile -DLIBRARY -DNAME=unused -fPIC -shared -Wl,-soname,libgear.so.1 -o "$new"
ok "a program for 5.7 compiles" compile -DPROGRAM -DNAME=program -DOLD "$old" -o "$scratch/for_old"
ok "a program for 7.2 compiles" compile -DPROGRAM -DNAME=program "$new" -o "$scratch/for_new"
ok "a plugin for 7.2 compiles" compile -DNAME=plugin -fPIC -shared "$new" -o "$scratch/plugin.so"

over() { # LIBRARY PROGRAM
    LD_LIBRARY_PATH=$scratch/dropin HIPSHIM_GEAR_LIBRARY=$1 "$2" 2>&1
}
is "the numbers of a program for 5.7 become those of 7.2" "$(over "$new" "$scratch/for_old")" "0: 2 1, 0: 42"
is "the numbers of a program for 7.2 become those of 5.7" "$(over "$old" "$scratch/for_new")" "0: 1 5, 0: 42"
is "over its own library a program is not converted" "$(over "$old" "$scratch/for_old") $(over "$new" "$scratch/for_new")" \
    "0: 1 5, 0: 42 0: 2 1, 0: 42"
is "in one process each caller has its own numbers" "$(LD_PRELOAD=$scratch/plugin.so over "$new" "$scratch/for_old")" "0: 2 1, 0: 42
0: 2 1, 0: 42"
is "so it is over the older library" "$(LD_PRELOAD=$scratch/plugin.so over "$old" "$scratch/for_old")" "0: 1 5, 0: 42
0: 1 5, 0: 42"
is "without a library a call returns what the data says" "$(over "$scratch/none" "$scratch/for_old" | tail -n 1)" "-4: -1 -1, -4: 40"
finish
