/* SPDX-License-Identifier: MIT */
/* operand.c - operands and suffixes of QPU assembly.
 *
 * In:      the text of one operand, or what follows a mnemonic.
 * Out:     a register, a constant or a label, with its suffixes.
 * Source:  vc4asm, doc/expressions.html (registers) and doc/extensions.html (suffixes). */
#include "isa/qpu/operand.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/qpu/qpu_isa.h"

enum {
    A = QPU_REGISTER_A,
    B = QPU_REGISTER_B,
    AB = A | B,
    READ = QPU_REGISTER_READ,
    WRITE = QPU_REGISTER_WRITE,
    ACCUMULATOR = QPU_REGISTER_ACCUMULATOR,
    NESTING_MAX = 16,
};

/* Every name but ra0..ra63, rb0..rb63, sacq0..15 and srel0..15. */
static const struct {
    const char *name;
    uint8_t address, uses;
} names[] = {
    {"r0",              32, AB | WRITE | ACCUMULATOR},
    {"r1",              33, AB | WRITE | ACCUMULATOR},
    {"r2",              34, AB | WRITE | ACCUMULATOR},
    {"r3",              35, AB | WRITE | ACCUMULATOR},
    {"r4",              36, AB | ACCUMULATOR        },
    {"r5",              37, AB | ACCUMULATOR        },
    {"r5quad",          37, A | WRITE               },
    {"r5rep",           37, B | WRITE               },
    {"nop",             39, AB | READ | WRITE       },
    {"unif",            32, AB | READ               },
    {"uniform_read",    32, AB | READ               },
    {"vary",            35, AB | READ               },
    {"varying_read",    35, AB | READ               },
    {"tmurs",           36, AB | WRITE              },
    {"tmu_noswap",      36, AB | WRITE              },
    {"elem_num",        38, A | READ                },
    {"element_number",  38, A | READ                },
    {"qpu_num",         38, B | READ                },
    {"qpu_number",      38, B | READ                },
    {"irq",             38, AB | WRITE              },
    {"interrupt",       38, AB | WRITE              },
    {"host_int",        38, AB | WRITE              },
    {"unif_addr",       40, A | WRITE               },
    {"unif_addr_rel",   40, B | WRITE               },
    {"x_coord",         41, A | READ | WRITE        },
    {"x_pixel_coord",   41, A | READ | WRITE        },
    {"quad_x",          41, A | READ                },
    {"y_coord",         41, B | READ | WRITE        },
    {"y_pixel_coord",   41, B | READ | WRITE        },
    {"quad_y",          41, B | READ                },
    {"ms_mask",         42, A | READ | WRITE        },
    {"ms_flags",        42, A | READ | WRITE        },
    {"rev_flag",        42, B | READ | WRITE        },
    {"stencil",         43, AB | WRITE              },
    {"tlb_stencil",     43, AB | WRITE              },
    {"tlbz",            44, AB | WRITE              },
    {"tlb_z",           44, AB | WRITE              },
    {"tlbm",            45, AB | WRITE              },
    {"tlb_colour_ms",   45, AB | WRITE              },
    {"tlbc",            46, AB | WRITE              },
    {"tlb_colour_all",  46, AB | WRITE              },
    {"tlbam",           47, AB | WRITE              },
    {"tlb_alpha_mask",  47, AB | WRITE              },
    {"vpm",             48, AB | READ | WRITE       },
    {"vpm_read",        48, AB | READ               },
    {"vpm_write",       48, AB | WRITE              },
    {"vr_busy",         49, A | READ                },
    {"vpm_ld_busy",     49, A | READ                },
    {"vw_busy",         49, B | READ                },
    {"vpm_st_busy",     49, B | READ                },
    {"vr_setup",        49, A | WRITE               },
    {"vpmvcd_rd_setup", 49, A | WRITE               },
    {"vw_setup",        49, B | WRITE               },
    {"vpmvcd_wr_setup", 49, B | WRITE               },
    {"vr_wait",         50, A | READ                },
    {"vpm_ld_wait",     50, A | READ                },
    {"vw_wait",         50, B | READ                },
    {"vpm_st_wait",     50, B | READ                },
    {"vr_addr",         50, A | WRITE               },
    {"vpm_ld_addr",     50, A | WRITE               },
    {"vw_addr",         50, B | WRITE               },
    {"vpm_st_addr",     50, B | WRITE               },
    {"mutex",           51, AB | READ | WRITE       },
    {"mutex_acq",       51, AB | READ               },
    {"mutex_acquire",   51, AB | READ               },
    {"mutex_rel",       51, AB | WRITE              },
    {"mutex_release",   51, AB | WRITE              },
    {"recip",           52, AB | WRITE              },
    {"sfu_recip",       52, AB | WRITE              },
    {"recipsqrt",       53, AB | WRITE              },
    {"sfu_recipsqrt",   53, AB | WRITE              },
    {"exp",             54, AB | WRITE              },
    {"sfu_exp",         54, AB | WRITE              },
    {"log",             55, AB | WRITE              },
    {"sfu_log",         55, AB | WRITE              },
    {"t0s",             56, AB | WRITE              },
    {"tmu0_s",          56, AB | WRITE              },
    {"t0t",             57, AB | WRITE              },
    {"tmu0_t",          57, AB | WRITE              },
    {"t0r",             58, AB | WRITE              },
    {"tmu0_r",          58, AB | WRITE              },
    {"t0b",             59, AB | WRITE              },
    {"tmu0_b",          59, AB | WRITE              },
    {"t1s",             60, AB | WRITE              },
    {"tmu1_s",          60, AB | WRITE              },
    {"t1t",             61, AB | WRITE              },
    {"tmu1_t",          61, AB | WRITE              },
    {"t1r",             62, AB | WRITE              },
    {"tmu1_r",          62, AB | WRITE              },
    {"t1b",             63, AB | WRITE              },
    {"tmu1_b",          63, AB | WRITE              },
};

/* Register families: a prefix and a decimal number below the limit. */
static const struct {
    const char *prefix;
    uint8_t limit, uses;
} families[] = {
    {"ra",   64, A | READ | WRITE    },
    {"rb",   64, B | READ | WRITE    },
    {"sacq", 16, QPU_REGISTER_ACQUIRE},
    {"srel", 16, QPU_REGISTER_RELEASE},
};

/* Conditions: as they stand on a destination, after ".if" on an opcode. Those of branches. */
static const struct {
    const char *name;
    uint8_t code;
} conditions[] =
    {
        {"z",  QPU_COND_ZS},
        {"zs", QPU_COND_ZS},
        {"nz", QPU_COND_ZC},
        {"zc", QPU_COND_ZC},
        {"n",  QPU_COND_NS},
        {"ns", QPU_COND_NS},
        {"nn", QPU_COND_NC},
        {"nc", QPU_COND_NC},
        {"c",  QPU_COND_CS},
        {"cs", QPU_COND_CS},
        {"cc", QPU_COND_CC},
},
  branch_conditions[] = {
      {"allz", 0},  {"allzs", 0},  {"allnz", 1},  {"allzc", 1},  {"anyz", 2},  {"anyzs", 2},
      {"anynz", 3}, {"anyzc", 3},  {"alln", 4},   {"allns", 4},  {"allnn", 5}, {"anyn", 6},
      {"anyns", 6}, {"anynn", 7},  {"allc", 8},   {"allcs", 8},  {"allcc", 9}, {"allnc", 9},
      {"anyc", 10}, {"anycs", 10}, {"anycc", 11}, {"anync", 11},
};

/* Pack and unpack modes without their letters s, i and f. */
static const struct {
    const char *name;
    uint8_t code;
    bool pack, unpack;
} formats[] = {
    {"32",    0, true,  true },
    {"16a",   1, true,  true },
    {"16b",   2, true,  true },
    {"8888",  3, true,  false},
    {"8abcd", 3, true,  false},
    {"8dr",   3, false, true },
    {"8a",    4, true,  true },
    {"8b",    5, true,  true },
    {"8c",    6, true,  true },
    {"8d",    7, true,  true },
};

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

bool qpu_parse_fail(struct qpu_parse_error *error, size_t column, const char *hint,
                    const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    error->column = column;
    error->hint = hint;
    return false;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool starts_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

struct qpu_text qpu_part(struct qpu_text text, size_t start, size_t length)
{
    return (struct qpu_text){text.text + start, length, text.offset + start};
}

struct qpu_text qpu_trim(struct qpu_text text)
{
    while (text.length && is_blank(text.text[0]))
        text = qpu_part(text, 1, text.length - 1);
    while (text.length && is_blank(text.text[text.length - 1]))
        text.length--;
    return text;
}

static struct qpu_text after(struct qpu_text text, size_t length)
{
    return qpu_trim(qpu_part(text, length, text.length - length));
}

/* The length of the letters, digits and underscores at the start of text. */
static size_t word_length(struct qpu_text text)
{
    size_t length = 0;
    while (length < text.length && (starts_name(text.text[length]) || is_digit(text.text[length])))
        length++;
    return length;
}

size_t qpu_name_length(struct qpu_text text)
{
    return text.length && starts_name(text.text[0]) ? word_length(text) : 0;
}

size_t qpu_find(struct qpu_text text, char stop)
{
    size_t depth = 0;
    for (size_t i = 0; i < text.length; i++) {
        char c = text.text[i];
        if (c == stop && depth == 0)
            return i;
        if (c == '(' || c == '[')
            depth++;
        if ((c == ')' || c == ']') && depth)
            depth--;
    }
    return text.length;
}

static bool is(struct qpu_text text, const char *name)
{
    return strlen(name) == text.length && memcmp(text.text, name, text.length) == 0;
}

/* Cuts name from the start of *text. */
static bool skip(struct qpu_text *text, const char *name)
{
    size_t length = strlen(name);
    if (text->length < length || memcmp(text->text, name, length) != 0)
        return false;
    *text = qpu_part(*text, length, text->length - length);
    return true;
}

/* A decimal number of one or two digits without leading zero. */
static bool small_number(struct qpu_text text, unsigned *number)
{
    if (text.length < 1 || text.length > 2 || (text.length == 2 && text.text[0] == '0'))
        return false;
    *number = 0;
    for (size_t i = 0; i < text.length; i++) {
        if (!is_digit(text.text[i]))
            return false;
        *number = *number * 10 + (unsigned)(text.text[i] - '0');
    }
    return true;
}

bool qpu_register_find(const char *name, size_t length, struct qpu_register *reg)
{
    struct qpu_text text = {name, length, 0};
    for (size_t i = 0; i < COUNT(families); i++) {
        struct qpu_text rest = text;
        unsigned number;
        if (skip(&rest, families[i].prefix) && small_number(rest, &number) &&
            number < families[i].limit) {
            *reg = (struct qpu_register){(uint8_t)number, families[i].uses, 0};
            return true;
        }
    }
    for (size_t i = 0; i < COUNT(names); i++) {
        if (is(text, names[i].name)) {
            *reg = (struct qpu_register){names[i].address, names[i].uses, 0};
            return true;
        }
    }
    return false;
}

/* "16as", "8dr", "pack8abcdi", "unpack16af" ... */
static bool find_pack(struct qpu_text name, struct qpu_pack *pack)
{
    bool only_unpack = skip(&name, "unpack");
    bool only_pack = !only_unpack && skip(&name, "pack");
    for (size_t i = 0; i < COUNT(formats); i++) {
        struct qpu_text rest = name;
        if (!skip(&rest, formats[i].name))
            continue;
        bool saturate = skip(&rest, "s");
        bool integer = skip(&rest, "i");
        bool real = !integer && skip(&rest, "f");
        *pack = (struct qpu_pack){
            .code = (uint8_t)(formats[i].code | (saturate ? 8 : 0)),
            .integer = integer,
            .real = real,
            .only_pack = only_pack || saturate || !formats[i].unpack,
            .only_unpack = only_unpack || !formats[i].pack,
        };
        bool contradicts = pack->only_pack && pack->only_unpack;
        bool float_word = formats[i].code == 0 && real;
        if (rest.length == 0 && !contradicts && !float_word)
            return true;
    }
    return false;
}

static bool find_condition(struct qpu_text name, bool of_opcode, uint8_t *code)
{
    if (is(name, "never")) {
        *code = QPU_COND_NEVER;
        return true;
    }
    if (!skip(&name, "if") && of_opcode)
        return false;
    for (size_t i = 0; i < COUNT(conditions); i++) {
        if (is(name, conditions[i].name)) {
            *code = conditions[i].code;
            return true;
        }
    }
    return false;
}

static bool find_branch_condition(struct qpu_text name, uint8_t *code)
{
    for (size_t i = 0; i < COUNT(branch_conditions); i++) {
        if (is(name, branch_conditions[i].name)) {
            *code = branch_conditions[i].code;
            return true;
        }
    }
    return false;
}

static bool take_suffix(struct qpu_text name, bool of_opcode, struct qpu_suffixes *suffixes,
                        struct qpu_parse_error *error)
{
    bool twice = false;
    struct qpu_pack pack;
    uint8_t code;
    if (is(name, "setf") || is(name, "sf")) {
        twice = suffixes->set_flags;
        suffixes->set_flags = true;
    } else if (find_condition(name, of_opcode, &code)) {
        twice = suffixes->has_condition;
        suffixes->has_condition = true;
        suffixes->condition = code;
    } else if (of_opcode && find_branch_condition(name, &code)) {
        twice = suffixes->has_branch;
        suffixes->has_branch = true;
        suffixes->branch = code;
    } else if (find_pack(name, &pack)) {
        twice = suffixes->has_pack;
        suffixes->has_pack = true;
        suffixes->pack = pack;
    } else {
        return qpu_parse_fail(error, name.offset,
                              "suffixes are .setf, conditions such as .ifz or .allnz, and pack "
                              "modes such as .16a or .8abcds",
                              "unknown suffix '.%.*s'", (int)(name.length & 63), name.text);
    }
    if (twice)
        return qpu_parse_fail(error, name.offset, NULL, "a second suffix of the kind of '.%.*s'",
                              (int)(name.length & 63), name.text);
    return true;
}

bool qpu_parse_suffixes(struct qpu_text *text, bool of_opcode, struct qpu_suffixes *suffixes,
                        struct qpu_parse_error *error)
{
    while (text->length && text->text[0] == '.') {
        struct qpu_text name = qpu_part(*text, 1, text->length - 1);
        name.length = word_length(name);
        if (!take_suffix(name, of_opcode, suffixes, error))
            return false;
        *text = qpu_part(*text, 1 + name.length, text->length - 1 - name.length);
    }
    *text = qpu_trim(*text);
    return true;
}

/* Plain numbers, for callers without an evaluator: optional sign, C integer or a number with a dot.
 */
static bool evaluate_number(struct qpu_text text, struct qpu_value *value,
                            struct qpu_parse_error *error)
{
    char copy[64], *end;
    if (text.length == 0 || text.length >= sizeof copy)
        return qpu_parse_fail(error, 0, NULL, "a value is missing");
    memcpy(copy, text.text, text.length);
    copy[text.length] = '\0';
    bool real = strchr(copy, '.') != NULL;
    *value = (struct qpu_value){.kind = real ? QPU_VALUE_REAL : QPU_VALUE_INTEGER};
    if (real)
        value->real = strtod(copy, &end);
    else
        value->integer = strtoll(copy, &end, 0);
    if (*end || end == copy)
        return qpu_parse_fail(error, 0, NULL, "unknown name or expression '%s'", copy);
    return true;
}

static bool evaluate(struct qpu_text text, const struct qpu_parse_env *env, struct qpu_value *value,
                     struct qpu_parse_error *error)
{
    *value = (struct qpu_value){0};
    bool done = env ? env->evaluate(env->user, text.text, text.length, value, error)
                    : evaluate_number(text, value, error);
    if (!done)
        error->column += text.offset;
    return done;
}

/* "[1, 0, -1 ...]": bits 0 of the sixteen elements in the low half, bits 1 in the high half. */
static bool parse_elements(struct qpu_text text, const struct qpu_parse_env *env,
                           struct qpu_value *value, struct qpu_parse_error *error)
{
    static const char hint[] = "write sixteen values from -2 to 1, or from 0 to 3";
    bool negative = false, large = false, unknown = false;
    uint32_t pattern = 0;
    struct qpu_text rest = qpu_part(text, 1, text.length - 2);
    for (unsigned element = 0; element < 16; element++) {
        size_t length = qpu_find(rest, ',');
        bool last = length == rest.length;
        if (last != (element == 15))
            return qpu_parse_fail(error, text.offset, hint, "not sixteen elements");
        struct qpu_value item;
        if (!evaluate(qpu_trim(qpu_part(rest, 0, length)), env, &item, error))
            return false;
        if (item.kind != QPU_VALUE_INTEGER || item.integer < -2 || item.integer > 3)
            return qpu_parse_fail(error, rest.offset, hint, "an element does not fit two bits");
        negative |= item.integer < 0;
        large |= item.integer > 1;
        unknown |= item.unknown;
        uint32_t bits = (uint32_t)item.integer & 3;
        pattern |= ((bits & 1) | (bits & 2) << 15) << element;
        if (!last)
            rest = qpu_part(rest, length + 1, rest.length - length - 1);
    }
    if (negative && large)
        return qpu_parse_fail(error, text.offset, hint, "signed and unsigned elements together");
    *value = (struct qpu_value){.kind = negative ? QPU_VALUE_ELEMENTS_SIGNED
                                        : large  ? QPU_VALUE_ELEMENTS_UNSIGNED
                                                 : QPU_VALUE_ELEMENTS,
                                .integer = pattern,
                                .unknown = unknown};
    return true;
}

/* Applies "<< amount" or ">> amount" that follows a register. */
static bool apply_rotation(struct qpu_text amount, bool down, const struct qpu_parse_env *env,
                           struct qpu_register *reg, struct qpu_parse_error *error)
{
    struct qpu_value value;
    amount = qpu_trim(amount);
    if (reg->rotation >= QPU_ROTATE_BY_R5)
        return qpu_parse_fail(error, amount.offset, NULL, "a second rotation of one register");
    if (is(amount, "r5")) {
        reg->rotation = down ? QPU_ROTATE_DOWN_BY_R5 : QPU_ROTATE_BY_R5;
        return true;
    }
    if (!evaluate(amount, env, &value, error))
        return false;
    if (value.kind != QPU_VALUE_INTEGER)
        return qpu_parse_fail(error, amount.offset, NULL,
                              "a rotation needs a whole number of elements, or r5");
    uint32_t count = (uint32_t)value.integer & 15;
    reg->rotation = (uint8_t)((reg->rotation + (down ? 16 - count : count)) & 15);
    return true;
}

/* Applies "+ n" or "- n": the register that many addresses further. */
static bool apply_offset(struct qpu_text offset, const struct qpu_parse_env *env,
                         struct qpu_register *reg, struct qpu_parse_error *error)
{
    struct qpu_value value;
    if (offset.text[0] == '+')
        offset = after(offset, 1);
    if (!evaluate(offset, env, &value, error))
        return false;
    bool semaphore = reg->uses & (QPU_REGISTER_ACQUIRE | QPU_REGISTER_RELEASE);
    int64_t limit = semaphore ? 15 : reg->address < 32 ? 31 : 63;
    int64_t base = reg->address < 32 ? 0 : 32;
    if (value.kind != QPU_VALUE_INTEGER || value.integer < base - reg->address ||
        value.integer > limit - reg->address)
        return qpu_parse_fail(error, offset.offset, NULL, "no register has this number");
    reg->address = (uint8_t)(reg->address + value.integer);
    return true;
}

/* The first "<<" or ">>" outside of brackets, or the length. */
static size_t find_shift(struct qpu_text text)
{
    size_t left = qpu_find(text, '<'), right = qpu_find(text, '>');
    return left < right ? left : right;
}

/* What may follow a register: offset, then rotation. False with an empty message: not of this form.
 */
static bool parse_after_register(struct qpu_text rest, const struct qpu_parse_env *env,
                                 struct qpu_register *reg, struct qpu_parse_error *error)
{
    error->message[0] = '\0';
    size_t shift = find_shift(rest);
    struct qpu_text offset = qpu_trim(qpu_part(rest, 0, shift));
    if (offset.length && offset.text[0] != '+' && offset.text[0] != '-')
        return false;
    if (offset.length && !apply_offset(offset, env, reg, error))
        return false;
    rest = qpu_part(rest, shift, rest.length - shift);
    bool down = rest.length && rest.text[0] == '>';
    if (rest.length == 0)
        return true;
    if (!skip(&rest, "<<") && !skip(&rest, ">>"))
        return false;
    if (rest.length && (rest.text[0] == '<' || rest.text[0] == '>'))
        return false;
    return apply_rotation(rest, down, env, reg, error);
}

static bool parse_inner(struct qpu_text text, const struct qpu_parse_env *env, unsigned depth,
                        struct qpu_operand *operand, struct qpu_parse_error *error);

/* Sets *reg if text names a register, directly or through the evaluator. */
static bool name_is_register(struct qpu_text name, const struct qpu_parse_env *env,
                             struct qpu_value *value)
{
    struct qpu_parse_error ignored;
    *value = (struct qpu_value){.kind = QPU_VALUE_REGISTER};
    if (qpu_register_find(name.text, name.length, &value->reg))
        return true;
    return env && evaluate(name, env, value, &ignored) && value->kind == QPU_VALUE_REGISTER;
}

/* "(register expression)" with what follows. */
static bool parse_bracketed(struct qpu_text text, const struct qpu_parse_env *env, unsigned depth,
                            struct qpu_operand *operand, struct qpu_parse_error *error,
                            struct qpu_text *rest)
{
    size_t close = qpu_find(qpu_part(text, 1, text.length - 1), ')') + 1;
    if (close >= text.length)
        return false;
    *rest = after(text, close + 1);
    struct qpu_text inside = qpu_trim(qpu_part(text, 1, close - 1));
    return parse_inner(inside, env, depth + 1, operand, error) &&
           operand->value.kind == QPU_VALUE_REGISTER;
}

/* A register with suffixes, offset and rotation. False with an empty message: something else. */
static bool parse_register(struct qpu_text text, const struct qpu_parse_env *env, unsigned depth,
                           struct qpu_operand *operand, struct qpu_parse_error *error)
{
    struct qpu_text rest;
    error->message[0] = '\0';
    if (text.text[0] == '(' && depth < NESTING_MAX) {
        if (!parse_bracketed(text, env, depth, operand, error, &rest)) {
            error->message[0] = '\0';
            return false;
        }
    } else {
        size_t length = qpu_name_length(text);
        if (!length || !name_is_register(qpu_part(text, 0, length), env, &operand->value))
            return false;
        rest = after(text, length);
    }
    if (rest.length && rest.text[0] == '.' &&
        !qpu_parse_suffixes(&rest, false, &operand->suffixes, error))
        return false;
    return parse_after_register(rest, env, &operand->value.reg, error);
}

static bool parse_inner(struct qpu_text text, const struct qpu_parse_env *env, unsigned depth,
                        struct qpu_operand *operand, struct qpu_parse_error *error)
{
    *operand = (struct qpu_operand){.offset = text.offset};
    if (text.length == 0)
        return qpu_parse_fail(error, text.offset, NULL, "an operand is missing");
    if (text.text[0] == '-' && (text.length == 1 || text.text[1] == '.')) {
        struct qpu_text rest = qpu_part(text, 1, text.length - 1);
        operand->value.kind = QPU_VALUE_REGISTER;
        operand->value.reg = (struct qpu_register){QPU_NOP, AB | READ | WRITE, 0};
        if (rest.length < 2 || !is_digit(rest.text[1]))
            return qpu_parse_suffixes(&rest, false, &operand->suffixes, error);
    }
    if (text.text[0] == '[' && text.text[text.length - 1] == ']')
        return parse_elements(text, env, &operand->value, error);
    if (parse_register(text, env, depth, operand, error))
        return true;
    if (error->message[0])
        return false;
    *operand = (struct qpu_operand){.offset = text.offset};
    return evaluate(text, env, &operand->value, error);
}

bool qpu_parse_operand(struct qpu_text text, const struct qpu_parse_env *env,
                       struct qpu_operand *operand, struct qpu_parse_error *error)
{
    return parse_inner(qpu_trim(text), env, 0, operand, error);
}
