# SPDX-License-Identifier: MIT
# Prints what a document tells its reader to type, from Markdown, manual pages and the heads of
# examples: FILE:LINE of the block, its kind and one line of it, with a tab after each.
#   sh     a command; continued lines and loops are one, and a block with prompts has only lines
#          with one
#   c, ... the first line of a block in another language; `text` is for figures and output
# A block that follows "<!-- snippet ... -->" belongs to the test that reads these marks.
# A block of Markdown that is indented, or without a language, is of commands, unless a line begins
# with | or + as in a figure.  In a workflow of YAML the commands are those after "run:".
# With -v block=FILE:LINE it prints that block instead.

function put(kind, text) {
    print FILENAME ":" begin "\t" kind "\t" text
}

function is_figure(    i) {
    for (i = 1; i <= count; i++) {
        if (lines[i] ~ /^ +[|+]([- ]|$)/) {
            return 1
        }
    }
    return 0
}

function end_block(    i, line, has_prompts) {
    if (count == 0) {
        return
    }
    if (block) {
        for (i = 1; i <= count && block == FILENAME ":" begin; i++) {
            print lines[i]
        }
        count = 0
        return
    }
    if (language == "yaml") {
        for (i = 1; i <= count; i++) {
            line = lines[i]
            if (sub(/^ *- run: /, "", line)) {
                sub(/ +# .*$/, "", line)
                put("sh", line)
            }
        }
        count = 0
        return
    }
    if (language != "sh" || is_figure()) {
        if (language != "sh" && language != "text") {
            put(language, lines[1])
        }
        count = 0
        return
    }
    for (i = 1; i <= count; i++) {
        has_prompts = has_prompts || lines[i] ~ /^\$ /
    }
    for (i = 1; i <= count; i++) {
        line = lines[i]
        if (has_prompts && !sub(/^[$#] /, "", line)) {
            continue
        }
        while (line ~ /\\$/ && i < count) {
            i++
            sub(/\\$/, "", line)
            sub(/^ +/, "", lines[i])
            line = line lines[i]
        }
        sub(/ +# .*$/, "", line)
        while (line ~ /^(for|while) .*; do/ && line !~ /; done$/ && i < count) {
            sub(/^ +/, "", lines[++i])
            line = line (line ~ / do$/ ? " " : "; ") lines[i]
        }
        if (line != "" && line !~ /^#/) {
            put("sh", line)
        }
    }
    count = 0
}

function add(line) {
    if (count == 0) {
        begin = FNR
    }
    lines[++count] = line
}

FNR == 1 {
    end_block()
    is_fenced = in_page = 0
    before = ""
    language = "sh"
    is_page = FILENAME ~ /\.[1-9]$/
    is_example = FILENAME ~ /^examples\//
    is_head = 1
}

# Manual pages: \e is a backslash, and the pages of libraries have C.
is_page && sub(/^\.Dl \$ /, "$ ") { language = "sh"; add($0); end_block(); next }
is_page && /^\.Bd -literal/ { in_page = 1; language = FILENAME ~ /\.3$/ ? "c" : "sh"; next }
is_page && /^\.Ed/ { in_page = 0; end_block(); next }
is_page {
    if (in_page) {
        gsub(/\\e/, "\\")
        add($0)
    }
    next
}

# Examples: in the comment at the head, what is indented by three blanks.
is_example && !/^ ?(\*|\/\/|\/\*)/ { is_head = 0 }
is_example {
    if (is_head && sub(/^ ?(\*|\/\/)   /, "")) {
        add($0)
    } else {
        end_block()
    }
    next
}

# Markdown
/^```/ {
    if (is_fenced) {
        is_fenced = 0
        end_block()
        language = "sh"
    } else {
        end_block()
        is_fenced = 1
        language = substr($0, 4)
        language = language ~ /^(|sh|bash|console)$/ ? "sh" : language
        if (before ~ /^<!-- snippet /) {
            language = "text"
        }
    }
    next
}
is_fenced { add($0); next }
/^    / && (before == "" || count > 0) { add(substr($0, 5)); before = $0; next }
/^$/ && count > 0 { lines[++count] = ""; next }
{ end_block(); before = $0 }

END { end_block() }
