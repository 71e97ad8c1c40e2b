# SPDX-License-Identifier: MIT
#
# Prints the version script of a library: each published name in the node of the version that
# published it, and every other name in the node of the version that is being prepared.
#
#   awk -v prefix=HIPSHIM -v version=0.1 -v names='hipshim_*' -f symbol-map.awk promised.txt
#
# `names` are the patterns of the library's names, separated by spaces.  With -v forwards=1 the
# library has each HIP function of libhipshim, as it is and without "hipshim_", in the node of the
# same version.  The node of each version depends on that of the version before.

function add(name, node,    of) {
    if (index(node, prefix "_") != 1) return
    of = substr(node, length(prefix) + 2)
    if (of !~ /^[0-9]+\.[0-9]+$/) return
    if (!(of in published)) versions[++count] = of
    published[of] = published[of] name
}
function later(a, b,    x, y) {
    split(a, x, "."); split(b, y, ".")
    return x[1] + 0 != y[1] + 0 ? x[1] + 0 > y[1] + 0 : x[2] + 0 > y[2] + 0
}

BEGIN {
    add("", prefix "_" version)
    gsub(/ /, ";\n        ", names)
}
$1 == "node" { add("", $2) }
$1 == "export" {
    split($2, part, "@@")
    add("        " part[1] ";\n", part[2])
    if (forwards && part[1] ~ /^hipshim_(__)?hip/) {
        own = substr(part[1], length("hipshim_") + 1)
        sub(/^[^0-9]*_/, prefix "_", part[2])
        add("        " part[1] ";\n        " own ";\n", part[2])
    }
}
END {
    for (i = 2; i <= count; i++)
        for (j = i; j > 1 && later(versions[j - 1], versions[j]); j--) {
            other = versions[j]; versions[j] = versions[j - 1]; versions[j - 1] = other
        }
    for (i = 1; i <= count; i++) {
        print prefix "_" versions[i] " {"
        if (published[versions[i]] != "" || versions[i] == version) print "    global:"
        printf "%s", published[versions[i]]
        if (versions[i] == version) print "        " names ";\n    local:\n        *;"
        print "}" (i > 1 ? " " prefix "_" versions[i - 1] : "") ";"
    }
}
