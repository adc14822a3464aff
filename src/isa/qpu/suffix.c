/* SPDX-License-Identifier: MIT */
/* suffix.c - the suffixes of registers and opcodes: conditions, pack and unpack modes, .setf and
 * .exact.
 *
 * In:      suffixes as in a line of text, without the dot.
 * Out:     the kind and the code of the suffix, and the places where it is allowed (operand.h).
 * Source:  vc4asm, doc/extensions.html (suffixes) and src/Parser.tables.cpp (places where each
 *          suffix is allowed). */
#include <string.h>

#include "base/nearest.h"
#include "isa/qpu/operand.h"
#include "isa/qpu/qpu_isa.h"

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

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
};

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
