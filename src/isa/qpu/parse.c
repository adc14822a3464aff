/* SPDX-License-Identifier: MIT */
/* parse.c - reads one line of QPU assembly: operations with their operands, separated by
 * semicolons.
 *
 * In:       the line, without label and comment; an evaluator for names and expressions.
 * Out:      the instruction word, or a message with its column and a hint.
 * Source:   vc4asm, doc/instructions.html; mnemonics of the ALUs are in ops.def.
 * Left out: see docs/isa/qpu.md. */
#include "isa/qpu/parse.h"

#include <string.h>

#include "isa/qpu/build.h"
#include "isa/qpu/qpu_isa.h"

enum { OPERANDS_MAX = 4, NAME_MAX_LENGTH = 63 };

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

/* One operation of the line. */
struct statement {
    struct qpu_text name;
    struct qpu_suffixes suffixes;
    struct qpu_text operand[OPERANDS_MAX];
    unsigned operand_count;
    const struct qpu_parse_env *env;
};

enum kind { ADD, MUL, EXACT_ADD, EXACT_MUL, MOVE, LOAD, READ, BRANCH, SIGNAL };

/* MOVE: code 0 any ALU, 1 add, 2 mul. LOAD: the load form's unpack field, 8 more to acquire. */
enum { ANY_UNIT, ADD_ONLY, MUL_ONLY, ACQUIRE = 8, LOAD_MODE = 7 };

static const struct mnemonic {
    const char *name;
    enum kind kind;
    uint8_t code, sources;
} mnemonics[] = {
  /* What both ALUs have is tried on the mul ALU first, except nop. */
    {"nop",     ADD,       QPU_ADD_NOP,                0},
    {"v8adds",  MUL,       QPU_MUL_V8ADDS,             2},
    {"v8subs",  MUL,       QPU_MUL_V8SUBS,             2},
    {"anop",    EXACT_ADD, QPU_ADD_NOP,                0},
    {"mnop",    EXACT_MUL, QPU_MUL_NOP,                0},
    {"av8adds", EXACT_ADD, QPU_ADD_V8ADDS,             2},
    {"av8subs", EXACT_ADD, QPU_ADD_V8SUBS,             2},
    {"mv8adds", EXACT_MUL, QPU_MUL_V8ADDS,             2},
    {"mv8subs", EXACT_MUL, QPU_MUL_V8SUBS,             2},
    {"mov",     MOVE,      ANY_UNIT,                   1},
    {"amov",    MOVE,      ADD_ONLY,                   1},
    {"mmov",    MOVE,      MUL_ONLY,                   1},
    {"ldi",     LOAD,      0,                          1},
    {"ldipes",  LOAD,      1,                          1},
    {"ldipeu",  LOAD,      3,                          1},
    {"sacq",    LOAD,      4 | ACQUIRE,                1},
    {"srel",    LOAD,      4,                          1},
    {"read",    READ,      0,                          1},
    {"bra",     BRANCH,    0,                          1},
    {"brr",     BRANCH,    1,                          1},
    {"bkpt",    SIGNAL,    QPU_SIG_BREAKPOINT,         0},
    {"break",   SIGNAL,    QPU_SIG_BREAKPOINT,         0},
    {"thrsw",   SIGNAL,    QPU_SIG_THREAD_SWITCH,      0},
    {"tswitch", SIGNAL,    QPU_SIG_THREAD_SWITCH,      0},
    {"thrend",  SIGNAL,    QPU_SIG_PROGRAM_END,        0},
    {"tend",    SIGNAL,    QPU_SIG_PROGRAM_END,        0},
    {"sbwait",  SIGNAL,    QPU_SIG_SCOREBOARD_WAIT,    0},
    {"waitscb", SIGNAL,    QPU_SIG_SCOREBOARD_WAIT,    0},
    {"sbdone",  SIGNAL,    QPU_SIG_SCOREBOARD_UNLOCK,  0},
    {"unlscb",  SIGNAL,    QPU_SIG_SCOREBOARD_UNLOCK,  0},
    {"lthrsw",  SIGNAL,    QPU_SIG_LAST_THREAD_SWITCH, 0},
    {"lswitch", SIGNAL,    QPU_SIG_LAST_THREAD_SWITCH, 0},
    {"loadcv",  SIGNAL,    QPU_SIG_COVERAGE_LOAD,      0},
    {"ldcvtlb", SIGNAL,    QPU_SIG_COVERAGE_LOAD,      0},
    {"loadc",   SIGNAL,    QPU_SIG_COLOUR_LOAD,        0},
    {"ldcotlb", SIGNAL,    QPU_SIG_COLOUR_LOAD,        0},
    {"ldcend",  SIGNAL,    QPU_SIG_COLOUR_LOAD_END,    0},
    {"ldcoend", SIGNAL,    QPU_SIG_COLOUR_LOAD_END,    0},
    {"ldtmu0",  SIGNAL,    QPU_SIG_LOAD_TMU0,          0},
    {"ldtmu1",  SIGNAL,    QPU_SIG_LOAD_TMU1,          0},
    {"loadam",  SIGNAL,    QPU_SIG_ALPHA_MASK_LOAD,    0},
    {"ldaltlb", SIGNAL,    QPU_SIG_ALPHA_MASK_LOAD,    0},
};

/* The opcodes that one ALU has, and again those that both have: the rows above come first. */
#define ADD_OP(code, NAME, mnemonic, sources, is_float, words) {mnemonic, ADD, code, sources},
#define MUL_OP(code, NAME, mnemonic, sources, is_float, words) {mnemonic, MUL, code, sources},
static const struct mnemonic opcodes[] = {
#include "isa/qpu/ops.def"
};

static const struct mnemonic *find_in(const struct mnemonic *table, size_t count,
                                      struct qpu_text name)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(table[i].name) == name.length &&
            memcmp(table[i].name, name.text, name.length) == 0)
            return &table[i];
    return NULL;
}

static const struct mnemonic *find_mnemonic(struct qpu_text name)
{
    const struct mnemonic *found = find_in(mnemonics, COUNT(mnemonics), name);
    return found ? found : find_in(opcodes, COUNT(opcodes), name);
}

static bool fail_at(struct qpu_build *build, const struct statement *statement, const char *hint,
                    const char *what)
{
    size_t length = statement->name.length;
    int shown = (int)(length < NAME_MAX_LENGTH ? length : NAME_MAX_LENGTH);
    return qpu_parse_fail(build->error, statement->name.offset, hint, "%.*s %s", shown,
                          statement->name.text, what);
}

/* Splits "name.suffix a, b" into its parts. */
static bool split(struct qpu_text text, struct statement *statement, struct qpu_build *build)
{
    text = qpu_trim(text);
    size_t length = qpu_name_length(text);
    statement->name = qpu_part(text, 0, length);
    if (length == 0)
        return qpu_parse_fail(build->error, text.offset, NULL,
                              "an instruction is missing before or after ';'");
    text = qpu_part(text, length, text.length - length);
    if (!qpu_parse_suffixes(&text, true, &statement->suffixes, build->error))
        return false;
    while (text.length) {
        if (statement->operand_count == OPERANDS_MAX)
            return fail_at(build, statement, NULL, "has too many operands");
        length = qpu_find(text, ',');
        statement->operand[statement->operand_count++] = qpu_trim(qpu_part(text, 0, length));
        if (length == text.length)
            break;
        text = qpu_part(text, length + 1, text.length - length - 1);
        if (qpu_trim(text).length == 0)
            return fail_at(build, statement, NULL, "ends with a comma");
    }
    return true;
}

static bool operand(struct qpu_build *build, const struct statement *statement, unsigned index,
                    struct qpu_operand *result)
{
    build->column = statement->operand[index].offset;
    return qpu_parse_operand(statement->operand[index], statement->env, result, build->error);
}

static bool opcode_suffixes(struct qpu_build *build, const struct statement *statement)
{
    const struct qpu_suffixes *suffixes = &statement->suffixes;
    build->column = statement->name.offset;
    if (suffixes->has_branch)
        return fail_at(build, statement, "ALU conditions are .ifz, .ifnn and so on",
                       "is no branch and takes no .all or .any condition");
    return (!suffixes->set_flags || qpu_build_set_flags(build)) &&
           (!suffixes->has_condition || qpu_build_condition(build, suffixes->condition));
}

/* A target, with the opcode's .packXX if there is one. */
static bool target(struct qpu_build *build, const struct statement *statement, unsigned index)
{
    const struct qpu_suffixes *suffixes = &statement->suffixes;
    struct qpu_operand place;
    if (!operand(build, statement, index, &place) || !qpu_build_target(build, &place))
        return false;
    bool packs = suffixes->has_pack && suffixes->pack.only_pack;
    return !packs || qpu_build_pack(build, suffixes->pack);
}

static bool parse_alu(struct qpu_build *build, const struct statement *statement,
                      const struct mnemonic *mnemonic)
{
    bool exact = mnemonic->kind == EXACT_ADD || mnemonic->kind == EXACT_MUL;
    bool add = mnemonic->kind == ADD || mnemonic->kind == EXACT_ADD;
    unsigned wanted = mnemonic->code ? mnemonic->sources + 1u : statement->operand_count ? 1 : 0;
    if (statement->operand_count != wanted)
        return fail_at(build, statement, "write the target first, then the sources",
                       "has the wrong number of operands");
    if (!qpu_build_operation(build, add ? QPU_ADD_UNIT : QPU_MUL_UNIT, mnemonic->code, exact) ||
        !opcode_suffixes(build, statement) || (wanted && !target(build, statement, 0)))
        return false;
    for (unsigned i = 1; i < wanted; i++) {
        struct qpu_operand source;
        if (!operand(build, statement, i, &source) || !qpu_build_source(build, i - 1, &source))
            return false;
    }
    return qpu_build_operation_end(build, &statement->suffixes);
}

/* The one or two targets of mov, ldi, sacq and srel. */
static bool parse_targets(struct qpu_build *build, const struct statement *statement,
                          enum qpu_unit *second)
{
    if (!target(build, statement, 0))
        return false;
    if (statement->operand_count == 2)
        return true;
    *second = build->unit = build->unit == QPU_ADD_UNIT ? QPU_MUL_UNIT : QPU_ADD_UNIT;
    return target(build, statement, 1);
}

static bool parse_move(struct qpu_build *build, const struct statement *statement,
                       const struct mnemonic *mnemonic)
{
    bool is_load = mnemonic->kind == LOAD, load = is_load;
    unsigned units = is_load ? ANY_UNIT : mnemonic->code, count = statement->operand_count;
    unsigned mode = is_load ? mnemonic->code & LOAD_MODE : 0;
    bool acquire = is_load && (mnemonic->code & ACQUIRE);
    struct qpu_operand source;
    enum qpu_unit second;
    build->column = statement->name.offset;
    if (count != 2 && count != 3)
        return fail_at(build, statement, "write the target first, then the source",
                       "has the wrong number of operands");
    if (count == 3 && (build->half[0].target != QPU_NOP || build->half[1].target != QPU_NOP))
        return fail_at(build, statement, NULL, "with two targets must be alone in its line");
    if (!qpu_build_move(build, units != MUL_ONLY, units != ADD_ONLY) ||
        !opcode_suffixes(build, statement) || !parse_targets(build, statement, &second) ||
        !operand(build, statement, count - 1, &source))
        return false;
    if (!is_load && count == 2 && !qpu_build_move_source(build, &source, &load))
        return false;
    if (load || count == 3)
        return qpu_build_load(build, &source, mode, acquire);
    return qpu_build_operation_end(build, &statement->suffixes);
}

static bool parse_read(struct qpu_build *build, const struct statement *statement)
{
    struct qpu_operand source;
    if (statement->operand_count != 1)
        return fail_at(build, statement, NULL, "takes one operand");
    return operand(build, statement, 0, &source) && qpu_build_read(build, &source);
}

/* target, address | target, address, address | target, target, address, address */
static bool parse_branch(struct qpu_build *build, const struct statement *statement,
                         const struct mnemonic *mnemonic)
{
    const struct qpu_suffixes *suffixes = &statement->suffixes;
    unsigned count = statement->operand_count, targets = count == 4 ? 2 : 1;
    build->column = statement->name.offset;
    if (count < 2)
        return fail_at(build, statement, "write - as target if no link is needed",
                       "needs a target register and an address");
    if (suffixes->has_condition || suffixes->has_pack)
        return fail_at(build, statement, "branch conditions are .allz, .anynz and so on",
                       "takes no condition or mode of the ALUs");
    if (!qpu_build_branch(build, mnemonic->code, suffixes))
        return false;
    for (unsigned i = 0; i < count; i++) {
        struct qpu_operand place;
        build->unit = i == 1 && targets == 2 ? QPU_MUL_UNIT : QPU_ADD_UNIT;
        if (!operand(build, statement, i, &place))
            return false;
        if (i < targets ? !qpu_build_target(build, &place)
                        : !qpu_build_branch_source(build, &place))
            return false;
    }
    return true;
}

static bool parse_signal(struct qpu_build *build, const struct statement *statement,
                         const struct mnemonic *mnemonic)
{
    build->column = statement->name.offset;
    if (statement->operand_count)
        return fail_at(build, statement, NULL, "is a signal and takes no operands");
    return qpu_build_signal(build, mnemonic->code);
}

static bool parse_statement(struct qpu_build *build, struct qpu_text text,
                            const struct qpu_parse_env *env)
{
    struct statement statement = {.env = env};
    if (!split(text, &statement, build))
        return false;
    const struct mnemonic *mnemonic = find_mnemonic(statement.name);
    if (!mnemonic)
        return fail_at(build, &statement, NULL, "is no QPU instruction");
    build->column = statement.name.offset;
    switch (mnemonic->kind) {
    case MOVE:
    case LOAD: return parse_move(build, &statement, mnemonic);
    case READ: return parse_read(build, &statement);
    case BRANCH: return parse_branch(build, &statement, mnemonic);
    case SIGNAL: return parse_signal(build, &statement, mnemonic);
    default: return parse_alu(build, &statement, mnemonic);
    }
}

enum qpu_parse_result qpu_parse(const char *text, size_t length, uint32_t address,
                                const struct qpu_parse_env *env, uint64_t *word,
                                struct qpu_parse_error *error)
{
    struct qpu_text rest = qpu_trim((struct qpu_text){text, length, 0});
    struct qpu_build build;
    *error = (struct qpu_parse_error){0};
    *word = QPU_WORD_NOP;
    qpu_build_begin(&build, address, error);
    do {
        size_t part = qpu_find(rest, ';');
        if (!parse_statement(&build, qpu_part(rest, 0, part), env))
            return QPU_PARSE_ERROR;
        part += part < rest.length;
        rest = qpu_trim(qpu_part(rest, part, rest.length - part));
    } while (rest.length);
    if (!qpu_build_end(&build, word))
        return QPU_PARSE_ERROR;
    return build.unknown ? QPU_PARSE_UNKNOWN : QPU_PARSE_OK;
}
