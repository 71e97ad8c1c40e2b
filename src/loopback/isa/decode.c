/* SPDX-License-Identifier: MIT */
/*
 * Reads the text of an instruction, such as
 *   v_add_f32_sdwa v1, -v2, |v3| dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
 * The mnemonic without its encoding's suffix finds the operation; operands are separated by commas,
 * and modifiers by blanks.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa.h"

static const struct {
    const char *name;
    uint8_t reg, count;
} named[] = {
    {"vcc", VCC, 2},
    {"vcc_lo", VCC, 1},
    {"vcc_hi", VCC + 1, 1},
    {"exec", EXEC, 2},
    {"exec_lo", EXEC, 1},
    {"exec_hi", EXEC + 1, 1},
    {"m0", M0, 1},
    {"null", NO_SCALAR, 1},
    {"flat_scratch", FLAT_SCRATCH, 2},
    {"flat_scratch_lo", FLAT_SCRATCH, 1},
    {"flat_scratch_hi", FLAT_SCRATCH + 1, 1},
    {"xnack_mask", FLAT_SCRATCH + 2, 2},
    {"xnack_mask_lo", FLAT_SCRATCH + 2, 1},
    {"xnack_mask_hi", FLAT_SCRATCH + 3, 1},
};

static const struct {
    const char *name;
    uint64_t value;
} words[] = {
    {"src_shared_base", SHARED_BASE},
    {"src_shared_limit", SHARED_BASE | UINT32_MAX},
    {"src_private_base", PRIVATE_BASE},
    {"src_private_limit", PRIVATE_BASE | UINT32_MAX},
    {"off", 0},
    {"sendmsg(MSG_RTN_GET_REALTIME)", 0},
};

/* Removes `prefix` and the closing bracket or bar. */
static bool unwrap(char **text, const char *prefix)
{
    size_t length = strlen(prefix);
    size_t all = strlen(*text);
    if (strncmp(*text, prefix, length) != 0 || all <= length) {
        return false;
    }
    (*text)[all - 1] = '\0';
    *text += length;
    return true;
}

static bool read_number(const char **text, unsigned *number)
{
    char *end;
    *number = (unsigned)strtoul(*text, &end, 10);
    bool is_number = isdigit((unsigned char)**text) && end != *text;
    *text = end;
    return is_number;
}

/* "7", or "[4:7]" */
static bool read_range(const char **text, unsigned *first, unsigned *last)
{
    if (**text != '[') {
        bool is_one = read_number(text, first);
        *last = *first;
        return is_one;
    }
    ++*text;
    bool has_first = read_number(text, first) && *(*text)++ == ':';
    return has_first && read_number(text, last) && *(*text)++ == ']';
}

static bool read_register(struct operand *o, const char *text)
{
    unsigned first, last;
    const char *rest = text + 1;
    for (size_t i = 0; i < sizeof named / sizeof named[0]; i++) {
        if (!strcmp(text, named[i].name)) {
            o->kind = OPERAND_SCALAR;
            o->reg = named[i].reg;
            o->count = named[i].count;
            return true;
        }
    }
    if (!strchr("vsa", text[0]) || !text[0] || !read_range(&rest, &first, &last)) {
        return false;
    }
    if (!strcmp(rest, ".l") || !strcmp(rest, ".h")) {
        o->half = rest[1] == 'l' ? 1 : 2;
        rest += 2;
    }
    o->kind = text[0] == 's' ? OPERAND_SCALAR : OPERAND_VECTOR;
    o->reg = (uint16_t)(first + (text[0] == 'a' ? AGPRS : 0));
    o->count = (uint8_t)(last - first + 1);
    return *rest == '\0' && first <= last && last < (text[0] == 's' ? VCC : AGPRS);
}

/* hwreg(NAME, START, WIDTH), or hwreg(NAME) for 32 bits; the number of the register is known for
 * three. */
static bool read_hardware_register(struct operand *o, const char *text)
{
    unsigned start = 0;
    unsigned width = 32;
    char name[32];
    size_t length = strcspn(text, ",)");
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    text += length;
    if (*text == ',') {
        text += strspn(text, ", ");
        if (!read_number(&text, &start) || *text != ',') {
            return false;
        }
        text += strspn(text, ", ");
        if (!read_number(&text, &width)) {
            return false;
        }
    }
    if (start > 31 || width - 1 > 31) {
        return false;
    }
    o->reg = !strcmp(name, "HW_REG_MODE")            ? HARDWARE_MODE
             : !strcmp(name, "HW_REG_SH_MEM_BASES")  ? HARDWARE_BASES
             : !strcmp(name, "HW_REG_SHADER_CYCLES") ? HARDWARE_CYCLES
                                                     : 0;
    o->value = start | width << 8;
    return true;
}

static bool read_constant(struct operand *o, const char *text)
{
    char *end;
    o->kind = OPERAND_CONSTANT;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (!strcmp(text, words[i].name)) {
            o->value = words[i].value;
            o->kind = strcmp(text, "off") ? OPERAND_CONSTANT : OPERAND_OFF;
            return true;
        }
    }
    if (!strncmp(text, "hwreg(", 6)) {
        return read_hardware_register(o, text + 6);
    }
    if (strchr(text, '.')) {
        o->is_float = true;
        o->number = strtod(text, &end);
    } else {
        o->value = (uint64_t)strtoll(text, &end, 0);
    }
    return end != text && !*end;
}

static bool read_operand(struct operand *o, char *text)
{
    if (text[0] == '-' && text[1] && strchr("vsael|", text[1])) {
        o->negate = true;
        text++;
    }
    o->negate |= unwrap(&text, "neg(");
    o->absolute = unwrap(&text, "|") || unwrap(&text, "abs(");
    o->sign_extend = unwrap(&text, "sext(");
    unwrap(&text, "lit(");
    return read_register(o, text) || read_constant(o, text);
}

/* --- modifiers --- */

static int part_of(const char *value)
{
    if (!strncmp(value, "BYTE_", 5)) {
        return 1 + value[5] - '0';
    }
    return !strncmp(value, "WORD_", 5) ? 5 + value[5] - '0' : 0;
}

static unsigned bits_of(const char *list) /* [0,1] is 2 */
{
    unsigned bits = 0;
    unsigned next = 0;
    for (; *list && *list != ']'; list++) {
        if (*list == '0' || *list == '1') {
            bits |= (unsigned)(*list - '0') << next++;
        }
    }
    return bits;
}

static uint16_t permutation_of(const char *list)
{
    unsigned permutation = 0;
    for (unsigned i = 0; i < 4 && list[1 + 2 * i]; i++) {
        permutation |= (unsigned)(list[1 + 2 * i] & 3) << 2 * i;
    }
    return (uint16_t)permutation;
}

static bool dpp_modifier(struct instruction *in, const char *name, const char *value)
{
    static const struct {
        const char *name;
        uint16_t control;
    } controls[] = {
        {"row_shl", 0x100},      {"row_shr", 0x110},    {"row_ror", 0x120},
        {"wave_shl", 0x12f},     {"wave_rol", 0x133},   {"wave_shr", 0x137},
        {"wave_ror", 0x13b},     {"row_mirror", 0x140}, {"row_half_mirror", 0x141},
        {"row_newbcast", 0x150}, {"row_share", 0x150},  {"row_xmask", 0x160},
    };
    if (!strcmp(name, "quad_perm")) {
        in->dpp_control = permutation_of(value);
    } else if (!strcmp(name, "row_mask")) {
        in->row_mask = (uint8_t)strtoul(value, NULL, 0);
    } else if (!strcmp(name, "bank_mask")) {
        in->bank_mask = (uint8_t)strtoul(value, NULL, 0);
    } else if (!strcmp(name, "dpp8")) {
        in->dpp_control = DPP8;
        for (unsigned i = 0; i < 8 && value[1 + 2 * i]; i++) {
            in->dpp8 |= (uint32_t)(value[1 + 2 * i] - '0') << 3 * i;
        }
    } else if (!strcmp(name, "fi")) {
        in->fetches_inactive = strcmp(value, "0") != 0;
    } else if (!strcmp(name, "bound_ctrl")) {
        in->bound = true; /* comgr writes 0 or 1 for a bit that is set */
    } else if (!strcmp(name, "row_bcast")) {
        in->dpp_control = !strcmp(value, "15") ? 0x142 : 0x143;
    } else {
        for (size_t i = 0; i < sizeof controls / sizeof controls[0]; i++) {
            if (!strcmp(name, controls[i].name)) {
                in->dpp_control = (uint16_t)(controls[i].control + strtoul(value, NULL, 0));
                return true;
            }
        }
        return false;
    }
    return true;
}

static bool value_modifier(struct instruction *in, const char *name, const char *value)
{
    if (!strcmp(name, "offset") || !strcmp(name, "offset0")) {
        in->offset = (int32_t)strtol(value, NULL, 0);
    } else if (!strcmp(name, "offset1")) {
        in->offset1 = (int32_t)strtol(value, NULL, 0);
    } else if (!strcmp(name, "mul")) {
        in->scale = value[0] == '2' ? 1 : 2;
    } else if (!strcmp(name, "div")) {
        in->scale = 3;
    } else if (!strcmp(name, "dmask")) {
        in->mask = (uint8_t)strtoul(value, NULL, 0);
    } else if (!strcmp(name, "dim")) {
        return true; /* the descriptor says it, too */
    } else if (!strcmp(name, "op_sel")) {
        in->op_sel = (uint8_t)bits_of(value);
    } else if (!strcmp(name, "op_sel_hi")) {
        in->op_sel_hi = (uint8_t)bits_of(value);
    } else if (!strcmp(name, "neg_lo")) {
        in->neg_lo = (uint8_t)bits_of(value);
    } else if (!strcmp(name, "neg_hi")) {
        in->neg_hi = (uint8_t)bits_of(value);
    } else if (!strcmp(name, "dst_sel")) {
        in->select = (uint8_t)part_of(value);
    } else if (!strcmp(name, "dst_unused")) {
        in->preserve = !strcmp(value, "UNUSED_PRESERVE");
        return in->preserve || !strcmp(value, "UNUSED_PAD");
    } else if (!strcmp(name, "src0_sel")) {
        in->operand[in->first].select = (uint8_t)part_of(value);
    } else if (!strcmp(name, "src1_sel")) {
        in->operand[in->first + 1].select = (uint8_t)part_of(value);
    } else {
        return dpp_modifier(in, name, value);
    }
    return true;
}

static bool word_modifier(struct instruction *in, const char *word)
{
    static const char *const ignored[] = {"slc", "scc", "nt", "sc1", "unorm", "da", "dlc"};
    bool *flag = !strcmp(word, "glc") || !strcmp(word, "sc0") ? &in->glc
                 : !strcmp(word, "offen")                     ? &in->offen
                 : !strcmp(word, "idxen")                     ? &in->idxen
                 : !strcmp(word, "clamp")                     ? &in->clamp
                                                              : NULL;
    if (flag) {
        *flag = true;
        return true;
    }
    if (!strcmp(word, "gds")) {
        return in->argument == GLOBAL_SHARE;
    }
    for (size_t i = 0; i < sizeof ignored / sizeof ignored[0]; i++) {
        if (!strcmp(word, ignored[i])) {
            return true;
        }
    }
    return strchr(word, '_') && (dpp_modifier(in, word, "0"));
}

/* --- the whole --- */

/* Cuts at the first `end` outside of brackets; returns what follows, or NULL. */
static char *cut(char *text, const char *ends)
{
    int depth = 0;
    for (; *text; text++) {
        depth += (*text == '[' || *text == '(') - (*text == ']' || *text == ')');
        if (depth == 0 && strchr(ends, *text)) {
            *text = '\0';
            return text + 1;
        }
    }
    return NULL;
}

static void strip_encoding(struct instruction *in, char *mnemonic)
{
    static const char *const suffixes[] = {"_e32", "_e64", "_sdwa", "_e64_dpp", "_dpp"};
    size_t length = strlen(mnemonic);
    for (int i = 0; i < 5; i++) {
        size_t cut_length = strlen(suffixes[i]);
        if (length > cut_length && !strcmp(mnemonic + length - cut_length, suffixes[i])) {
            mnemonic[length - cut_length] = '\0';
            in->sdwa = i == 2;
            in->dpp = i >= 3;
            return;
        }
    }
}

/* [v5, v1, v2] */
static bool read_coordinates(struct instruction *in, const char *list)
{
    unsigned reg;
    while (in->coordinates < 4 && *list == 'v') {
        list++;
        if (!read_number(&list, &reg)) {
            return false;
        }
        in->coordinate[in->coordinates++] = (uint8_t)reg;
        list += strspn(list, ", ");
    }
    in->operands++;
    return *list == ']';
}

/* A modifier has a colon before any bracket, or is one of the words of word_modifier(). */
static bool read_token(struct instruction *in, char *token)
{
    size_t name = strcspn(token, ":[(");
    bool has_value = token[name] == ':';
    if (has_value) {
        token[name] = '\0';
    }
    if (has_value ? value_modifier(in, token, token + name + 1) : word_modifier(in, token)) {
        return true;
    }
    if (token[0] == '[') {
        return read_coordinates(in, token + 1);
    }
    return in->operands < OPERANDS && read_operand(&in->operand[in->operands++], token);
}

/* Operations whose operands do not matter, such as s_waitcnt, have the argument IGNORES. */
static bool read_rest(struct instruction *in, char *rest)
{
    while (rest && in->argument != IGNORES) {
        rest += strspn(rest, " ,");
        char *after = cut(rest, ", ");
        if (rest[0] && !read_token(in, rest)) {
            return false;
        }
        rest = after;
    }
    return true;
}

static void take_row(struct instruction *in, const struct isa_row *row)
{
    in->run = row->run;
    in->argument = row->argument;
    in->source = row->source;
    in->result = row->result;
    in->first = row->first ? row->first : 1;
    if (!lb_settings.processor->is_cdna && in->argument != IGNORES &&
        (in->argument & IS_HALF || in->result == FLOAT16)) {
        in->argument |= KEEPS_HIGH;
    }
}

/* What the text of an instruction of gfx1100 does not say. */
static void add_operands(struct instruction *in, const char *name, bool before)
{
    struct operand *o = &in->operand[in->operands];
    if (before ? !strncmp(name, "v_cmpx_", 7)
               : !strcmp(name, "v_cndmask_b32") && in->operands == 3) {
        *o = (struct operand){.kind = OPERAND_SCALAR, .reg = before ? EXEC : VCC, .count = 1};
        in->operands++;
    }
}

/* What isa_source() and isa_result() have to do besides reading and writing. */
static void note_changes(struct instruction *in)
{
    for (unsigned i = 0; i < in->operands; i++) {
        unsigned bit = (i < in->first ? in->operands : i) - (unsigned)in->first;
        in->op_sel |= (uint8_t)((in->operand[i].half == 2) << bit);
    }
    if (in->argument != IGNORES && in->argument & KEEPS_HIGH && !in->select) {
        in->select = in->op_sel >> (in->operands - in->first) & 1 ? 6 : 5;
        in->preserve = true;
    }
    in->abides = in->dpp || in->clamp || in->scale || in->select || in->op_sel;
    for (unsigned i = 0; i < in->operands; i++) {
        const struct operand *o = &in->operand[i];
        in->abides |= o->negate || o->absolute || o->select;
    }
}

/* All mnemonics that the loopback knows. */
static const struct isa_row *const tables[] = {
    isa_scalar_rows, isa_vector_rows, isa_wide_rows, isa_compare_rows, isa_memory_rows,
    isa_lds_rows,    isa_atomic_rows, isa_half_rows, isa_image_rows,   isa_matrix_rows,
};

static const struct isa_row *find_row(const char *mnemonic)
{
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        for (const struct isa_row *row = tables[i]; row->name; row++) {
            if (!strcmp(row->name, mnemonic)) {
                return row;
            }
        }
    }
    return NULL;
}

static bool decode_dual(struct instruction *in, char *text)
{
    char *second = strstr(text, " :: ");
    in->run = isa_run_dual;
    in->dual = lb_new(2 * sizeof *in->dual);
    *second = '\0';
    return isa_decode(in->dual, text) && isa_decode(in->dual + 1, second + strlen(" :: "));
}

bool isa_decode(struct instruction *in, const char *text)
{
    char line[256];
    char name[96];
    bool is_rdna = !lb_settings.processor->is_cdna;
    snprintf(line, sizeof line, "%s", text);
    if (strstr(line, " :: ")) {
        return decode_dual(in, line);
    }
    char *rest = cut(line, " ");
    strip_encoding(in, line);
    snprintf(name, sizeof name, "%.80s", line);
    if (is_rdna) {
        isa_name_as_gfx90a(name, sizeof name);
    }
    const struct isa_row *row = find_row(name);
    if (!row) {
        return false;
    }
    take_row(in, row);
    in->op_sel_hi = strstr(name, "_mix") ? 0 : PACKED_ALL;
    in->row_mask = in->bank_mask = 15;
    add_operands(in, is_rdna ? name : "", true);
    if (!read_rest(in, rest)) {
        return false;
    }
    add_operands(in, is_rdna ? name : "", false);
    if (in->clamp && in->result == INTEGER) {
        snprintf(name + strlen(name), sizeof name - strlen(name), " clamp");
        row = find_row(name);
        if (!row) {
            return false;
        }
        take_row(in, row);
    }
    note_changes(in);
    bool has_mask = !strncmp(name, "v_cmp", 5) || strstr(name, "_co_");
    return !(in->dpp && (in->source == FLOAT64 || (has_mask && !in->bound)));
}
