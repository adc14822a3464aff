/* SPDX-License-Identifier: MIT */
/* operand.c - registers, semaphores and per-element constants in expressions, and all suffixes.
 *
 * In:      names, and the operators that the expression evaluator finds next to an operand.
 * Out:     operands, packed into the integer of a value.
 * Source:  vc4asm, doc/expressions.html (registers), doc/extensions.html (suffixes) and
 *          src/Parser.tables.cpp (places where each suffix is allowed). */
#include "isa/qpu/operand.h"

#include <stdio.h>
#include <string.h>

#include "base/bits.h"
#include "base/nearest.h"
#include "isa/qpu/qpu_isa.h"

enum {
    A = QPU_REGISTER_A,
    B = QPU_REGISTER_B,
    AB = QPU_REGISTER_AB,
    READ = QPU_REGISTER_READ,
    WRITE = QPU_REGISTER_WRITE,
    ELEMENTS = 16,
    NAME_SIZE = 16,
};

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

/* Every name except ra0 to ra63, rb0 to rb63, sacq0 to sacq15 and srel0 to srel15. Names are padded
 * with zeros so that the whole array can be compared at once. */
static const struct {
    char name[NAME_SIZE];
    uint8_t address, uses;
} names[] = {
    /* clang-format off */
    /* clang-format off */
    {"r0",              32, AB | WRITE},
    {"r1",              33, AB | WRITE},
    {"r2",              34, AB | WRITE},
    {"r3",              35, AB | WRITE},
    {"r4",              36, AB | WRITE},
    {"r5",              37, AB},
    {"r5quad",          37, A | WRITE},
    {"r5rep",           37, B | WRITE},
    {"nop",             39, AB | READ | WRITE},
    {"unif",            32, AB | READ},
    {"uniform_read",    32, AB | READ},
    {"vary",            35, AB | READ},
    {"varying_read",    35, AB | READ},
    {"tmurs",           36, AB | WRITE},
    {"tmu_noswap",      36, AB | WRITE},
    {"elem_num",        38, A | READ},
    {"element_number",  38, A | READ},
    {"qpu_num",         38, B | READ},
    {"qpu_number",      38, B | READ},
    {"irq",             38, AB | WRITE},
    {"interrupt",       38, AB | WRITE},
    {"host_int",        38, AB | WRITE},
    {"unif_addr",       40, A | WRITE},
    {"unif_addr_rel",   40, B | WRITE},
    {"x_coord",         41, A | READ | WRITE},
    {"x_pixel_coord",   41, A | READ | WRITE},
    {"quad_x",          41, A | READ},
    {"y_coord",         41, B | READ | WRITE},
    {"y_pixel_coord",   41, B | READ | WRITE},
    {"quad_y",          41, B | READ},
    {"ms_mask",         42, A | READ | WRITE},
    {"ms_flags",        42, A | READ | WRITE},
    {"rev_flag",        42, B | READ | WRITE},
    {"stencil",         43, AB | WRITE},
    {"tlb_stencil",     43, AB | WRITE},
    {"tlbz",            44, AB | WRITE},
    {"tlb_z",           44, AB | WRITE},
    {"tlbm",            45, AB | WRITE},
    {"tlb_colour_ms",   45, AB | WRITE},
    {"tlbc",            46, AB | WRITE},
    {"tlb_colour_all",  46, AB | WRITE},
    {"tlbam",           47, AB | WRITE},
    {"tlb_alpha_mask",  47, AB | WRITE},
    {"vpm",             48, AB | READ | WRITE},
    {"vpm_read",        48, AB | READ},
    {"vpm_write",       48, AB | WRITE},
    {"vr_busy",         49, A | READ},
    {"vpm_ld_busy",     49, A | READ},
    {"vw_busy",         49, B | READ},
    {"vpm_st_busy",     49, B | READ},
    {"vr_setup",        49, A | WRITE},
    {"vpmvcd_rd_setup", 49, A | WRITE},
    {"vw_setup",        49, B | WRITE},
    {"vpmvcd_wr_setup", 49, B | WRITE},
    {"vr_wait",         50, A | READ},
    {"vpm_ld_wait",     50, A | READ},
    {"vw_wait",         50, B | READ},
    {"vpm_st_wait",     50, B | READ},
    {"vr_addr",         50, A | WRITE},
    {"vpm_ld_addr",     50, A | WRITE},
    {"vw_addr",         50, B | WRITE},
    {"vpm_st_addr",     50, B | WRITE},
    {"mutex",           51, AB | READ | WRITE},
    {"mutex_acq",       51, AB | READ},
    {"mutex_acquire",   51, AB | READ},
    {"mutex_rel",       51, AB | WRITE},
    {"mutex_release",   51, AB | WRITE},
    {"recip",           52, AB | WRITE},
    {"sfu_recip",       52, AB | WRITE},
    {"recipsqrt",       53, AB | WRITE},
    {"sfu_recipsqrt",   53, AB | WRITE},
    {"exp",             54, AB | WRITE},
    {"sfu_exp",         54, AB | WRITE},
    {"log",             55, AB | WRITE},
    {"sfu_log",         55, AB | WRITE},
    {"t0s",             56, AB | WRITE},
    {"tmu0_s",          56, AB | WRITE},
    {"t0t",             57, AB | WRITE},
    {"tmu0_t",          57, AB | WRITE},
    {"t0r",             58, AB | WRITE},
    {"tmu0_r",          58, AB | WRITE},
    {"t0b",             59, AB | WRITE},
    {"tmu0_b",          59, AB | WRITE},
    {"t1s",             60, AB | WRITE},
    {"tmu1_s",          60, AB | WRITE},
    {"t1t",             61, AB | WRITE},
    {"tmu1_t",          61, AB | WRITE},
    {"t1r",             62, AB | WRITE},
    {"tmu1_r",          62, AB | WRITE},
    {"t1b",             63, AB | WRITE},
    {"tmu1_b",          63, AB | WRITE},
    /* clang-format on */
    /* clang-format on */
};

/* Register families: a prefix followed by a decimal number below the limit. length is the length of
 * the prefix. */
static const struct {
    const char *prefix;
    uint8_t limit, uses, length;
} families[] = {
    {"ra", 64, A | READ | WRITE, 2},
    {"rb", 64, B | READ | WRITE, 2},
    {"sacq", 16, QPU_REGISTER_ACQUIRE, 4},
    {"srel", 16, QPU_REGISTER_RELEASE, 4},
};

/* Names of conditions. On a target, the suffix is the name (".z"). On an opcode, "if" is before the
 * name (".ifz"). branch_conditions are the suffixes of branches. */
/* clang-format off */
static const struct {
    const char *name;
    uint8_t code;
} conditions[] = {
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
}, branch_conditions[] = {
    {"allz",  0},  {"allzs", 0},
    {"allnz", 1},  {"allzc", 1},
    {"anyz",  2},  {"anyzs", 2},
    {"anynz", 3},  {"anyzc", 3},
    {"alln",  4},  {"allns", 4},
    {"allnn", 5},
    {"anyn",  6},  {"anyns", 6},
    {"anynn", 7},
    {"allc",  8},  {"allcs", 8},
    {"allcc", 9},  {"allnc", 9},
    {"anyc",  10}, {"anycs", 10},
    {"anycc", 11}, {"anync", 11},
};
/* clang-format on */

/* Pack and unpack modes consist of a format and an ending. */
enum group { WORD, HALF, ALL, BYTE, DUPE, REPLICATE };

static const struct {
    const char *name;
    enum group group;
    uint8_t code;
} formats[] = {
    /* clang-format off */
    /* clang-format off */
    {"32",     WORD,      0},
    {"16a",    HALF,      1},
    {"16b",    HALF,      2},
    {"8888",   ALL,       3},
    {"8abcd",  ALL,       3},
    {"8ddupe", DUPE,      3},
    {"8dr",    REPLICATE, 3},
    {"8a",     BYTE,      4},
    {"8b",     BYTE,      5},
    {"8c",     BYTE,      6},
    {"8d",     BYTE,      7},
    /* clang-format on */
    /* clang-format on */
};

enum {
    SAT = QPU_MODE_SATURATE,
    INT = QPU_MODE_INTEGER,
    REAL = QPU_MODE_REAL,
    PACK = QPU_MODE_PACK,
    UNPACK = QPU_MODE_UNPACK,
    ON_TARGET = QPU_ON_TARGET,
    ON_BOTH = QPU_ON_TARGET | QPU_ON_SOURCE,
};

/* Bits that an ending adds to the mode: plain in a mode without a prefix, pack after the prefix
 * "pack", and unpack after the prefix "unpack". */
static const struct {
    enum group group;
    const char *ending;
    uint8_t places, plain; /* places: where a mode without a prefix is allowed */
    bool takes_pack;
    uint8_t pack;
    bool takes_unpack;
    uint8_t unpack;
} endings[] = {
    /* clang-format off */
    /* clang-format off */
    {WORD,      "",      ON_BOTH,       0,                 true,  0,          true,  0},
    {WORD,      "clamp", ON_TARGET,     SAT | INT | PACK,  true,  SAT,        false, 0},
    {WORD,      "i",     ON_TARGET,     SAT | INT | PACK,  false, 0,          false, 0},
    {WORD,      "s",     ON_TARGET,     SAT | INT | PACK,  true,  SAT,        false, 0},
    {WORD,      "si",    ON_TARGET,     SAT | INT | PACK,  false, 0,          false, 0},
    {HALF,      "",      ON_BOTH,       0,                 true,  0,          true,  0},
    {HALF,      "clamp", ON_TARGET,     SAT | INT | PACK,  true,  SAT | INT,  false, 0},
    {HALF,      "f",     ON_BOTH,       REAL,              true,  REAL,       true,  REAL},
    {HALF,      "i",     ON_BOTH,       INT,               true,  INT,        true,  INT},
    {HALF,      "s",     ON_TARGET,     SAT | PACK,        true,  SAT,        false, 0},
    {HALF,      "si",    ON_TARGET,     SAT | INT,         true,  SAT | INT,  false, 0},
    {ALL,       "",      ON_TARGET,     PACK,              true,  0,          false, 0},
    {ALL,       "i",     ON_TARGET,     INT | PACK,        true,  INT,        false, 0},
    {ALL,       "s",     ON_TARGET,     SAT | PACK,        true,  SAT,        false, 0},
    {ALL,       "sf",    ON_TARGET,     SAT | REAL | PACK, true,  SAT | REAL, false, 0},
    {ALL,       "si",    ON_TARGET,     SAT | INT | PACK,  true,  SAT | INT,  false, 0},
    {BYTE,      "",      ON_BOTH,       0,                 true,  0,          true,  0},
    {BYTE,      "clamp", ON_TARGET,     SAT | PACK,        true,  SAT,        false, 0},
    {BYTE,      "f",     ON_BOTH,       REAL | UNPACK,     true,  REAL,       true,  REAL},
    {BYTE,      "i",     ON_BOTH,       INT,               true,  INT,        true,  INT},
    {BYTE,      "s",     ON_TARGET,     SAT | PACK,        true,  SAT,        false, 0},
    {BYTE,      "sf",    ON_TARGET,     SAT | REAL,        true,  SAT | REAL, false, 0},
    {BYTE,      "si",    ON_TARGET,     SAT | INT,         true,  SAT | INT,  false, 0},
    {DUPE,      "",      ON_BOTH,       0,                 true,  0,          true,  0},
    {DUPE,      "clamp", ON_TARGET,     SAT | PACK,        true,  SAT,        false, 0},
    {REPLICATE, "",      QPU_ON_SOURCE, UNPACK,            false, 0,          true,  0},
    /* clang-format on */
    /* clang-format on */
};

/* --- packed form --- */

/* The packed integers sort in vc4asm's order: elements first, then registers by uses,
 * rotation and number. */
enum { IS_REGISTER = 56, KIND = 40, MARKS = 48, ROTATION_BIAS = 128 };

int64_t qpu_operand_pack(const struct qpu_operand *operand)
{
    uint64_t word = operand->elements;
    if (operand->kind == QPU_OPERAND_REGISTER)
        word = UINT64_C(1) << IS_REGISTER | (uint64_t)operand->uses << 24 |
               (uint64_t)(operand->rotation + ROTATION_BIAS) << 16 |
               (uint64_t)operand->number << 8 | operand->mode;
    word |= (uint64_t)operand->kind << KIND;
    word |= (uint64_t)(operand->condition | operand->conditional << 3 | operand->set_flags << 4)
            << MARKS;
    return (int64_t)word;
}

struct qpu_operand qpu_operand_unpack(int64_t integer)
{
    uint64_t word = (uint64_t)integer;
    struct qpu_operand operand = {
        .kind = (enum qpu_operand_kind)(word >> KIND & 3),
        .condition = word >> MARKS & 7,
        .conditional = word >> MARKS >> 3 & 1,
        .set_flags = word >> MARKS >> 4 & 1,
    };
    if (operand.kind != QPU_OPERAND_REGISTER) {
        operand.elements = (uint32_t)word;
        return operand;
    }
    operand.mode = (uint8_t)word;
    operand.number = (uint8_t)(word >> 8);
    operand.rotation = (int8_t)((int)(word >> 16 & 255) - ROTATION_BIAS);
    operand.uses = (uint8_t)(word >> 24);
    return operand;
}

static void store(struct asm_value *value, const struct qpu_operand *operand)
{
    *value = (struct asm_value){.kind = ASM_OPERAND, .integer = qpu_operand_pack(operand)};
}

/* --- names --- */

struct piece {
    const char *text;
    size_t length;
};

static bool is(struct piece text, const char *name)
{
    for (size_t i = 0; i < text.length; i++)
        if (name[i] != text.text[i] || name[i] == '\0')
            return false;
    return name[text.length] == '\0';
}

/* Removes name from the start of *text. Returns false if *text does not start with name. */
static bool skip(struct piece *text, const char *name)
{
    size_t length = strlen(name);
    if (text->length < length || memcmp(text->text, name, length) != 0)
        return false;
    *text = (struct piece){text->text + length, text->length - length};
    return true;
}

/* Parses a decimal number of one or two digits without a leading zero. */
static bool small_number(struct piece text, unsigned *number)
{
    if (text.length < 1 || text.length > 2 || (text.length == 2 && text.text[0] == '0'))
        return false;
    *number = 0;
    for (size_t i = 0; i < text.length; i++) {
        if (!asm_is_digit(text.text[i]))
            return false;
        *number = *number * 10 + (unsigned)(text.text[i] - '0');
    }
    return true;
}

bool qpu_register_find(const char *name, size_t length, struct qpu_operand *operand)
{
    char filled[NAME_SIZE] = {0};
    for (size_t i = 0; i < COUNT(families); i++) {
        unsigned number, cut = families[i].length;
        if (length > cut && memcmp(name, families[i].prefix, cut) == 0 &&
            small_number((struct piece){name + cut, length - cut}, &number) &&
            number < families[i].limit) {
            *operand = (struct qpu_operand){.number = (uint8_t)number, .uses = families[i].uses};
            return true;
        }
    }
    if (length >= sizeof filled)
        return false;
    memcpy(filled, name, length);
    for (size_t i = 0; i < COUNT(names); i++) {
        if (memcmp(filled, names[i].name, sizeof filled) == 0) {
            *operand = (struct qpu_operand){.number = names[i].address, .uses = names[i].uses};
            return true;
        }
    }
    return false;
}

static bool find(const char *name, size_t length, struct asm_value *value)
{
    struct qpu_operand operand;
    bool nowhere = length == 1 && name[0] == '-'; /* discards the value that is written */
    if (!qpu_register_find(nowhere ? "nop" : name, nowhere ? strlen("nop") : length, &operand))
        return false;
    store(value, &operand);
    return true;
}

/* --- suffixes --- */

/* Parses modes such as "16as", "8dr", "pack8abcdi" and "unpack16af". */
static struct qpu_suffix find_mode(struct piece name)
{
    struct piece whole = name;
    bool unpack = skip(&name, "unpack"), pack = !unpack && skip(&name, "pack");
    for (size_t i = 0; i < COUNT(formats); i++) {
        struct piece rest = name;
        if (!skip(&rest, formats[i].name))
            continue;
        for (size_t j = 0; j < COUNT(endings); j++) {
            if (endings[j].group != formats[i].group || !is(rest, endings[j].ending))
                continue;
            struct qpu_suffix suffix = {QPU_SUFFIX_MODE, formats[i].code, endings[j].places};
            if (pack && endings[j].takes_pack) {
                suffix.code |= endings[j].pack | PACK;
                suffix.places = QPU_ON_OPCODE | QPU_ON_TARGET;
            } else if (unpack && endings[j].takes_unpack) {
                suffix.code |= endings[j].unpack | UNPACK;
                suffix.places = QPU_ON_OPCODE | QPU_ON_SOURCE;
            } else if (pack || unpack) {
                continue;
            } else {
                suffix.code |= endings[j].plain;
            }
            /* As in vc4asm's table, pack16bs has the code of pack16bi. */
            if (is(whole, "pack16bs"))
                suffix.code = 2 | INT | PACK;
            return suffix;
        }
    }
    return (struct qpu_suffix){QPU_SUFFIX_NONE, 0, 0};
}

static bool find_condition(struct piece name, struct qpu_suffix *suffix)
{
    bool on_opcode = skip(&name, "if");
    *suffix = (struct qpu_suffix){QPU_SUFFIX_CONDITION, 0,
                                  on_opcode ? QPU_ON_OPCODE | QPU_ON_TARGET : QPU_ON_TARGET};
    for (size_t i = 0; i < COUNT(conditions); i++) {
        if (is(name, conditions[i].name)) {
            suffix->code = conditions[i].code;
            return true;
        }
    }
    return false;
}

struct qpu_suffix qpu_suffix_find(const char *text, size_t length)
{
    struct piece name = {text, length};
    struct qpu_suffix suffix;
    if (is(name, "setf") || is(name, "sf"))
        return (struct qpu_suffix){QPU_SUFFIX_SET_FLAGS, 0, QPU_ON_OPCODE | QPU_ON_TARGET};
    if (is(name, "exact"))
        return (struct qpu_suffix){QPU_SUFFIX_EXACT, 0, QPU_ON_OPCODE};
    if (is(name, "never"))
        return (struct qpu_suffix){QPU_SUFFIX_CONDITION, QPU_COND_NEVER,
                                   QPU_ON_OPCODE | QPU_ON_TARGET};
    if (find_condition(name, &suffix))
        return suffix;
    for (size_t i = 0; i < COUNT(branch_conditions); i++)
        if (is(name, branch_conditions[i].name))
            return (struct qpu_suffix){QPU_SUFFIX_BRANCH_CONDITION, branch_conditions[i].code,
                                       QPU_ON_OPCODE};
    return find_mode(name);
}

const char *qpu_suffix_near(const char *name, size_t length)
{
    static const char *const suffixes[] = {
        ".setf",  ".exact", ".never", ".ifz",   ".ifzs",  ".ifnz",  ".ifzc",  ".ifn",   ".ifns",
        ".ifnn",  ".ifnc",  ".ifc",   ".ifcs",  ".ifcc",  ".allz",  ".allzs", ".allnz", ".allzc",
        ".anyz",  ".anyzs", ".anynz", ".anyzc", ".alln",  ".allns", ".allnn", ".anyn",  ".anyns",
        ".anynn", ".allc",  ".allcs", ".allcc", ".allnc", ".anyc",  ".anycs", ".anycc", ".anync",
    };
    struct nearest search = nearest_begin(name, length);
    for (size_t i = 0; i < COUNT(suffixes); i++)
        nearest_consider(&search, suffixes[i] + 1, strlen(suffixes[i] + 1));
    return search.best ? search.best - 1 : NULL;
}

static bool add_mode(struct qpu_operand *operand, uint8_t mode, struct asm_error *error)
{
    if (operand->kind != QPU_OPERAND_REGISTER)
        return asm_fail(error, "asm-operand", 0, "write the suffix on a register, or leave it out",
                        "only a register takes a pack mode");
    if (operand->uses & QPU_REGISTER_SEMAPHORE)
        return asm_fail(error, "asm-operand", 0, "leave the suffix out",
                        "a semaphore takes no pack mode");
    if (operand->mode)
        return asm_fail(error, "asm-operand", 0, "write one pack mode",
                        "a second pack mode on one operand");
    operand->mode = mode;
    return true;
}

static bool add_suffix(struct qpu_operand *operand, struct qpu_suffix suffix,
                       struct asm_error *error)
{
    if (suffix.kind == QPU_SUFFIX_MODE)
        return add_mode(operand, suffix.code, error);
    if (suffix.kind == QPU_SUFFIX_SET_FLAGS) {
        if (operand->set_flags)
            return asm_fail(error, "asm-operand", 0, "write .setf once", "a second .setf");
        operand->set_flags = true;
        return true;
    }
    if (operand->conditional && operand->condition != QPU_COND_ALWAYS)
        return asm_fail(error, "asm-operand", 0, "keep one of the conditions",
                        "a second condition on one operand");
    operand->conditional = true;
    operand->condition = suffix.code;
    return true;
}

static bool take_suffix(const char *name, size_t length, unsigned places, struct asm_value *value,
                        struct asm_error *error)
{
    int shown = (int)(length < 40 ? length : 40);
    if (value->kind != ASM_OPERAND)
        return asm_fail(error, "asm-operand", 0, "put the suffix on a register or an opcode",
                        "a number takes no suffix '.%.*s'", shown, name);
    struct qpu_suffix suffix = qpu_suffix_find(name, length);
    if (suffix.kind == QPU_SUFFIX_NONE) {
        asm_fail(error, "asm-operand", 0,
                 "use .setf, a condition such as .ifz, or a pack mode such as .16a or .8abcds",
                 "unknown suffix '.%.*s'", shown, name);
        error->near = qpu_suffix_near(name, length);
        return false;
    }
    if (!(suffix.places & places))
        return asm_fail(error, "asm-operand", 0,
                        suffix.kind == QPU_SUFFIX_MODE
                            ? NULL
                            : "write the suffix on the opcode or on the target",
                        "suffix '.%.*s' is not allowed on a %s", shown, name,
                        places == QPU_ON_TARGET ? "target" : "source");
    struct qpu_operand operand = qpu_operand_unpack(value->integer);
    if (!add_suffix(&operand, suffix, error))
        return false;
    value->integer = qpu_operand_pack(&operand);
    return true;
}

static bool target_suffix(const char *name, size_t length, struct asm_value *value,
                          struct asm_error *error)
{
    return take_suffix(name, length, QPU_ON_TARGET, value, error);
}

static bool source_suffix(const char *name, size_t length, struct asm_value *value,
                          struct asm_error *error)
{
    return take_suffix(name, length, QPU_ON_SOURCE, value, error);
}

static bool any_suffix(const char *name, size_t length, struct asm_value *value,
                       struct asm_error *error)
{
    return take_suffix(name, length, QPU_ON_TARGET | QPU_ON_SOURCE, value, error);
}

/* --- operators --- */

static bool renumber(struct qpu_operand *operand, int64_t number, struct asm_error *error)
{
    bool semaphore = operand->uses & QPU_REGISTER_SEMAPHORE;
    if (number < 0 || number > (semaphore ? 15 : 63))
        return asm_fail(error, "asm-range", 0, NULL, "%s number %lld is not in 0..%d",
                        semaphore ? "semaphore" : "register", (long long)number,
                        semaphore ? 15 : 63);
    operand->number = (uint8_t)number;
    return true;
}

static bool is_r5(const struct asm_value *value)
{
    struct qpu_operand operand = qpu_operand_unpack(value->integer);
    return operand.kind == QPU_OPERAND_REGISTER && operand.number == QPU_WR_ACC5 &&
           operand.uses == AB && operand.rotation == 0 && operand.mode == 0;
}

static bool rotate(struct qpu_operand *operand, bool left, const struct asm_value *amount,
                   struct asm_error *error)
{
    if (amount->kind == ASM_OPERAND) {
        if (operand->rotation || !is_r5(amount))
            return asm_fail(error, "asm-operand", 0, "write << 3 or >> r5",
                            "a vector can be rotated once, by a number or by r5");
        operand->rotation = left ? QPU_ROTATE_R5 : -QPU_ROTATE_R5;
        return true;
    }
    if (operand->rotation < 0 || operand->rotation > 15)
        return asm_fail(error, "asm-operand", 0, "rotate in two instructions",
                        "a vector is rotated by a number or by r5, not by both");
    uint64_t count = (uint64_t)amount->integer;
    operand->rotation = (int8_t)(((left ? count : 0 - count) + (uint64_t)operand->rotation) & 15);
    return true;
}

static bool wrong_operands(struct asm_error *error)
{
    return asm_fail(error, "asm-operand", 0,
                    "use + and - with a whole number, << and >> with a whole number or with r5",
                    "invalid operands for this operator");
}

/* Applies the operator & to two registers: each field of the result is the bitwise AND of the
 * registers' fields. */
static bool mask(struct qpu_operand *operand, const struct asm_value *right,
                 struct asm_error *error)
{
    struct qpu_operand other = qpu_operand_unpack(right->integer);
    if (right->kind != ASM_OPERAND || other.kind != QPU_OPERAND_REGISTER)
        return wrong_operands(error);
    operand->number &= other.number;
    operand->uses &= other.uses;
    operand->rotation &= other.rotation;
    operand->mode &= other.mode;
    return true;
}

static bool operate(struct qpu_operand *operand, enum asm_operand_operator operator,
                    const struct asm_value * right, struct asm_error *error)
{
    bool integer = right->kind == ASM_INTEGER;
    switch (operator) {
    case ASM_OPERAND_ADD:
        return integer
                   ? renumber(operand, (int64_t)((uint64_t)right->integer + operand->number), error)
                   : wrong_operands(error);
    case ASM_OPERAND_SUBTRACT:
        return integer
                   ? renumber(operand, (int64_t)(operand->number - (uint64_t)right->integer), error)
                   : wrong_operands(error);
    case ASM_OPERAND_LEFT:
    case ASM_OPERAND_RIGHT:
        if (right->kind == ASM_FLOAT)
            return wrong_operands(error);
        return rotate(operand, operator== ASM_OPERAND_LEFT, right, error);
    case ASM_OPERAND_AND: return mask(operand, right, error);
    default: return wrong_operands(error);
    }
}

/* Negates or inverts every element. */
static bool operate_elements(struct qpu_operand *operand, enum asm_operand_operator operator,
                             struct asm_error * error)
{
    uint32_t low = operand->elements & 0xffff, high = operand->elements >> 16;
    if (operator== ASM_OPERAND_NOT) {
        operand->elements = ~operand->elements;
        return true;
    }
    if (operator!= ASM_OPERAND_NEGATE)
        return wrong_operands(error);
    /* -1 becomes 1, 1 becomes -1, 0 stays 0. The negatives of 2, 3 and -2 do not fit. */
    if (high & ~(operand->kind == QPU_OPERAND_ELEMENTS_SIGNED ? low : 0))
        return asm_fail(error, "asm-range", 0, NULL, "a negated element is not in -2..3");
    operand->elements = low | (low & ~high) << 16;
    operand->kind = QPU_OPERAND_ELEMENTS_SIGNED;
    return true;
}

static bool apply(enum asm_operand_operator operator, struct asm_value * left,
                  const struct asm_value *right, struct asm_error *error)
{
    struct qpu_operand operand = qpu_operand_unpack(left->integer);
    bool unknown = left->unknown || (right && right->unknown);
    bool forward = left->forward || (right && right->forward);
    bool good = true;
    if (left->kind != ASM_OPERAND)
        return wrong_operands(error);
    if (operand.kind != QPU_OPERAND_REGISTER)
        good = operate_elements(&operand, operator, error);
    else if (!right)
        return wrong_operands(error);
    else if (!unknown)
        good = operate(&operand, operator, right, error);
    if (!good)
        return false;
    store(left, &operand);
    left->unknown = unknown;
    left->forward = forward;
    return true;
}

/* --- brackets --- */

static bool integers(const struct asm_value *items, size_t count, struct asm_error *error)
{
    for (size_t i = 0; i < count; i++)
        if (items[i].kind != ASM_INTEGER)
            return asm_fail(error, "asm-operand", 0, "write whole numbers, -2 to 1 or 0 to 3",
                            "item %zu is not a whole number", i + 1);
    return true;
}

static bool elements(const struct asm_value *items, size_t count, struct asm_value *value,
                     struct asm_error *error)
{
    bool negative = false, large = false, unknown = false, forward = false;
    uint32_t bits = 0;
    if (count != ELEMENTS)
        return asm_fail(error, "asm-operand", 0, "write 16 numbers, with commas between them",
                        "[..] needs 16 values, one for each element, not %zu", count);
    if (!integers(items, count, error))
        return false;
    for (size_t i = 0; i < count; i++) {
        int64_t item = items[i].unknown ? 0 : items[i].integer;
        unknown |= items[i].unknown;
        forward |= items[i].forward;
        if (item < -2 || item > 3)
            return asm_fail(error, "asm-range", 0, NULL, "element %zu: %lld is not in -2..3", i,
                            (long long)item);
        negative |= item < 0;
        large |= item > 1;
        bits |= ((uint32_t)item & 1) << i | ((uint32_t)item >> 1 & 1) << (i + 16);
    }
    if (negative && large)
        return asm_fail(error, "asm-operand", 0,
                        "use -2..1 for a signed load, or 0..3 for an unsigned load",
                        "a load of elements is signed or unsigned, not both");
    const struct qpu_operand operand = {
        .kind = negative ? QPU_OPERAND_ELEMENTS_SIGNED
                : large  ? QPU_OPERAND_ELEMENTS_UNSIGNED
                         : QPU_OPERAND_ELEMENTS,
        .elements = bits,
    };
    store(value, &operand);
    value->unknown = unknown;
    value->forward = forward;
    return true;
}

static bool raw(const struct asm_value *items, size_t count, struct asm_value *value,
                struct asm_error *error)
{
    if (count < 2 || count > 4)
        return asm_fail(error, "asm-operand", 0, "write :[number, uses, rotation, mode]",
                        "a register in the form :[...] has two to four numbers");
    if (!integers(items, count, error))
        return false;
    int64_t number = items[0].integer, rotation = count > 2 ? items[2].integer : 0;
    if (number < 0 || number > 63 || items[1].integer < 0 || items[1].integer > 63)
        return asm_fail(error, "asm-range", 0, NULL,
                        "the register number or the uses are not in 0..63");
    if (rotation < -QPU_ROTATE_R5 || rotation > QPU_ROTATE_R5)
        return asm_fail(error, "asm-range", 0, NULL, "the rotation is not in -16..16");
    const struct qpu_operand operand = {
        .number = (uint8_t)number,
        .uses = (uint8_t)items[1].integer,
        .rotation = (int8_t)rotation,
        .mode = (uint8_t)(count > 3 ? items[3].integer : 0),
    };
    store(value, &operand);
    for (size_t i = 0; i < count; i++)
        value->unknown |= items[i].unknown;
    return true;
}

static size_t print(char *text, size_t size, const struct asm_value *value)
{
    struct qpu_operand operand = qpu_operand_unpack(value->integer);
    int length = 0;
    if (operand.kind != QPU_OPERAND_REGISTER)
        length = snprintf(text, size, "a constant for each element");
    else if (operand.rotation || operand.mode)
        length = snprintf(text, size, ":[%u, %u, %d, %u]", operand.number, operand.uses,
                          operand.rotation, operand.mode);
    else
        length = snprintf(text, size, ":[%u, %u]", operand.number, operand.uses);
    return length > 0 ? (size_t)length : 0;
}

static int difference(int64_t one, int64_t other)
{
    return (one > other) - (one < other);
}

/* Orders operands: per-element constants with negative values, with values 0 and 1, with
 * larger values; then registers by uses, rotation, number and mode. Source: vc4asm,
 * src/Eval.cpp, Compare(). */
static int compare(const struct asm_value *left, const struct asm_value *right)
{
    static const int ranks[] = {[QPU_OPERAND_ELEMENTS_SIGNED] = 0,
                                [QPU_OPERAND_ELEMENTS] = 1,
                                [QPU_OPERAND_ELEMENTS_UNSIGNED] = 2,
                                [QPU_OPERAND_REGISTER] = 3};
    struct qpu_operand a = qpu_operand_unpack(left->integer);
    struct qpu_operand b = qpu_operand_unpack(right->integer);
    int order = difference(ranks[a.kind], ranks[b.kind]);
    if (order || a.kind != QPU_OPERAND_REGISTER)
        return order ? order : difference(a.elements, b.elements);
    order = difference(a.uses, b.uses);
    order = order ? order : difference(a.rotation, b.rotation);
    order = order ? order : difference(a.number, b.number);
    return order ? order : difference(a.mode, b.mode);
}

static const char *name_at(size_t index)
{
    return index < COUNT(names) ? names[index].name : NULL;
}

const struct asm_operands qpu_operands = {find, any_suffix, apply,   elements,
                                          raw,  print,      compare, name_at},
                          qpu_target_operands = {find, target_suffix, apply,   elements,
                                                 raw,  print,         compare, name_at},
                          qpu_source_operands = {find, source_suffix, apply,   elements,
                                                 raw,  print,         compare, name_at};
