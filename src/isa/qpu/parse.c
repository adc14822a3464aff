/* SPDX-License-Identifier: MIT */
/* parse.c - reads one line of QPU assembly: operations with their operands, separated by
 * semicolons.
 *
 * In:       the line, without label and comment; the symbols that it may use.
 * Out:      the instruction word, or a message with its column and a hint.
 * Source:   vc4asm, doc/instructions.html and src/Parser.cpp; mnemonics of the ALUs are in
 *           ops.def. */
#include "isa/qpu/parse.h"

#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "isa/qpu/build_internal.h"
#include "isa/qpu/qpu_isa.h"

enum { NAME_SHOWN = 63 };

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

/* The line and the position of the parser. */
struct line {
    const char *text;
    size_t length, at;
    size_t start; /* start of the operation */
    struct asm_names names;
    struct qpu_build build;
    struct asm_error *error;
    bool unknown; /* parsing stopped at a value that is not known yet */
};

enum kind { ADD, MUL, EXACT_ADD, EXACT_MUL, MOVE, LOAD, READ, BRANCH, SIGNAL };

/* code of a MOVE: the ALUs that may execute the move. code of a LOAD: the form's unpack field, plus
 * 8 for acquire. */
enum { SEMAPHORE = 4, ACQUIRE = 8, LOAD_MODE = 7, MNEMONIC_SIZE = 8 };

/* Names are padded with zeros so that the whole array can be compared at once. */
static const struct mnemonic {
    char name[MNEMONIC_SIZE];
    enum kind kind;
    uint8_t code, sources;
} mnemonics[] = {
    /* clang-format off */
    /* Mnemonics of both ALUs, except nop, are tried on the mul ALU first. */
    {"nop",     ADD,       QPU_ADD_NOP,                0},
    {"v8adds",  MUL,       QPU_MUL_V8ADDS,             2},
    {"v8subs",  MUL,       QPU_MUL_V8SUBS,             2},
    {"anop",    EXACT_ADD, QPU_ADD_NOP,                0},
    {"mnop",    EXACT_MUL, QPU_MUL_NOP,                0},
    {"av8adds", EXACT_ADD, QPU_ADD_V8ADDS,             2},
    {"av8subs", EXACT_ADD, QPU_ADD_V8SUBS,             2},
    {"mv8adds", EXACT_MUL, QPU_MUL_V8ADDS,             2},
    {"mv8subs", EXACT_MUL, QPU_MUL_V8SUBS,             2},
    {"mov",     MOVE,      QPU_AT_BOTH,                1},
    {"amov",    MOVE,      QPU_AT_ADD,                 1},
    {"mmov",    MOVE,      QPU_AT_MUL,                 1},
    {"ldi",     LOAD,      0,                          1},
    {"ldipes",  LOAD,      1,                          1},
    {"ldipeu",  LOAD,      3,                          1},
    {"sacq",    LOAD,      SEMAPHORE | ACQUIRE,        1},
    {"srel",    LOAD,      SEMAPHORE,                  1},
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
    /* clang-format on */
};

/* All opcodes of ops.def. find_mnemonic() searches the table above first, and finds the opcodes
 * that both ALUs have there. */
#define ADD_OP(code, NAME, mnemonic, sources, is_float, words) {mnemonic, ADD, code, sources},
#define MUL_OP(code, NAME, mnemonic, sources, is_float, words) {mnemonic, MUL, code, sources},
static const struct mnemonic opcodes[] = {
#include "isa/qpu/ops.def"
};

static const struct mnemonic *find_in(const struct mnemonic *table, size_t count,
                                      const char name[MNEMONIC_SIZE])
{
    for (size_t i = 0; i < count; i++)
        if (memcmp(table[i].name, name, MNEMONIC_SIZE) == 0)
            return &table[i];
    return NULL;
}

static const struct mnemonic *find_mnemonic(const char *name, size_t length)
{
    char filled[MNEMONIC_SIZE] = {0};
    if (length >= sizeof filled)
        return NULL;
    memcpy(filled, name, length);
    const struct mnemonic *found = find_in(mnemonics, COUNT(mnemonics), filled);
    return found ? found : find_in(opcodes, COUNT(opcodes), filled);
}

const char *qpu_mnemonic(size_t index)
{
    size_t others = index - COUNT(mnemonics);
    return index < COUNT(mnemonics)  ? mnemonics[index].name
           : others < COUNT(opcodes) ? opcodes[others].name
                                     : NULL;
}

/* --- reading --- */

static bool at_operation_end(struct line *line)
{
    char character = ASM_PEEK(line);
    return character == '\0' || character == ';';
}

static bool fail(struct line *line, size_t offset, const char *hint, const char *text)
{
    return asm_fail(line->error, "asm-instruction", offset, hint, "%s", text);
}

static bool expect_end(struct line *line)
{
    return at_operation_end(line) ||
           fail(line, line->at, "separate operations by ';'", "too many operands");
}

static bool expect_comma(struct line *line)
{
    if (ASM_PEEK(line) != ',')
        return fail(line, at_operation_end(line) ? line->start : line->at,
                    "write the target first, then the sources, with commas between them",
                    "missing operand");
    line->at++;
    return true;
}

/* Returns the number of operands from the current position on, up to limit. */
static unsigned count_operands(const struct line *line, unsigned limit)
{
    unsigned count = 1, depth = 0;
    for (size_t i = line->at; i < line->length && count < limit; i++) {
        char c = line->text[i];
        if (c == '(' || c == '[')
            depth++;
        else if ((c == ')' || c == ']') && depth)
            depth--;
        else if (c == ',' && depth == 0)
            count++;
        else if (c == ';' && depth == 0)
            break;
    }
    return count;
}

/* --- suffixes and operands --- */

static bool opcode_suffixes(struct line *line)
{
    while (ASM_PEEK(line) == '.') {
        line->build.column = ++line->at;
        ASM_PEEK(line);
        const char *name = line->text + line->at;
        size_t length = asm_word_length(line->text, line->length, line->at);
        struct qpu_suffix suffix = qpu_suffix_find(name, length);
        int shown = (int)(length < NAME_SHOWN ? length : NAME_SHOWN);
        if (suffix.kind == QPU_SUFFIX_NONE) {
            asm_fail(line->error, "asm-instruction", line->at - 1,
                     "use .setf, a condition such as .ifz or .allnz, or a pack mode such as "
                     ".pack16a",
                     "unknown suffix '.%.*s'", shown, name);
            line->error->near = qpu_suffix_near(name, length);
            return false;
        }
        if (!(suffix.places & QPU_ON_OPCODE))
            return asm_fail(line->error, "asm-instruction", line->at - 1,
                            suffix.kind == QPU_SUFFIX_MODE
                                ? "write the mode with the prefix .pack or .unpack"
                                : "write the condition with the prefix .if",
                            "suffix '.%.*s' is not allowed on an opcode", shown, name);
        line->at += length;
        if (!qpu_build_suffix(&line->build, suffix))
            return false;
    }
    return true;
}

/* Returns true if the operand is a lone "-", which discards the result. */
static bool is_nowhere(struct line *line)
{
    size_t start = line->at++;
    char character = ASM_PEEK(line);
    if (character == '\0' || character == ',' || character == ';' || character == '.')
        return true;
    line->at = start;
    return false;
}

static bool nowhere(struct line *line, const struct asm_operands *operands, struct asm_value *value)
{
    operands->find("-", 1, value);
    while (ASM_PEEK(line) == '.') {
        line->at++;
        ASM_PEEK(line);
        size_t length = asm_word_length(line->text, line->length, line->at), start = line->at;
        if (qpu_suffix_find(line->text + start, length).kind == QPU_SUFFIX_MODE)
            return fail(line, start, "leave the suffix out: nothing is written",
                        "'-' takes no pack mode");
        if (!operands->suffix(line->text + start, length, value, line->error)) {
            line->error->offset += start;
            return false;
        }
        line->at += length;
    }
    return true;
}

static bool evaluate(struct line *line, const struct asm_operands *operands,
                     struct asm_value *value)
{
    char first = ASM_PEEK(line);
    line->build.column = line->at;
    *value = (struct asm_value){0};
    if (first == '\0' || first == ';' || first == ',')
        return fail(line, line->at,
                    "write the target first, then the sources, with commas between them",
                    "missing operand");
    if (first == '-' && is_nowhere(line))
        return nowhere(line, operands, value);
    line->names.operands = operands;
    if (!asm_evaluate(line->text, line->length, &line->at, &line->names, value, line->error))
        return false;
    line->unknown = value->unknown;
    return !value->unknown;
}

/* Returns true if a register number is probably an error: 32 to 35 are the addresses of r0 to r3,
 * and 36 is the address of tmurs. Higher numbers are not treated as errors, because public programs
 * write the peripherals, and 39 ("no write"), by their numbers. */
static bool is_miscounted(unsigned number)
{
    return number >= QPU_WR_ACC0 && number <= QPU_WR_TMU_NOSWAP;
}

/* Warns about targets whose name suggests another register. */
static void warn_of_target(struct line *line)
{
    enum { TEXT = 100 };
    const char *name = line->text + line->build.column;
    size_t length = asm_name_length(line->text, line->length, line->build.column);
    bool file = length > 2 && name[0] == 'r' && (name[1] == 'a' || name[1] == 'b');
    struct qpu_operand operand;
    char text[TEXT];
    if (length == 0 || !qpu_register_find(name, length, &operand))
        return;
    if (length == 2 && memcmp(name, "r4", length) == 0) {
        qpu_build_warn(&line->build, "r4-written",
                       "use r0 to r3; write tmurs if TMU_NOSWAP is meant",
                       "r4 cannot be written: its address is that of tmurs (TMU_NOSWAP)");
    } else if (file && is_miscounted(operand.number)) {
        snprintf(text, sizeof text, "file %c has the registers 0 to 31: %.*s writes %s",
                 name[1] - 'a' + 'A', (int)length, name, qpu_write_name(name[1], operand.number));
        qpu_build_warn(&line->build, "register-written-by-number",
                       "write the register's name, or use one of the registers 0 to 31", text);
    }
}

static bool target(struct line *line)
{
    struct asm_value value;
    line->build.at = (uint8_t)((line->build.at & ~QPU_AT_OPCODE) | QPU_AT_TARGET);
    if (!evaluate(line, &qpu_target_operands, &value))
        return false;
    warn_of_target(line);
    return qpu_build_target(&line->build, &value);
}

static bool source(struct line *line, struct asm_value *value)
{
    return evaluate(line, &qpu_source_operands, value);
}

/* --- operations --- */

static bool parse_nop(struct line *line)
{
    line->build.nop_seen = true;
    return at_operation_end(line) || (target(line) && expect_end(line));
}

static bool parse_alu(struct line *line, const struct mnemonic *mnemonic)
{
    bool exact = mnemonic->kind == EXACT_ADD || mnemonic->kind == EXACT_MUL;
    bool add = mnemonic->kind == ADD || mnemonic->kind == EXACT_ADD;
    struct qpu_build *build = &line->build;
    struct asm_value value;
    if (!qpu_build_operation(build, add ? QPU_ADD_UNIT : QPU_MUL_UNIT, mnemonic->code, exact) ||
        !opcode_suffixes(line))
        return false;
    if (mnemonic->code == 0)
        return parse_nop(line);
    if (!target(line))
        return false;
    build->at ^= QPU_AT_TARGET | QPU_AT_FIRST;
    for (unsigned i = 0; i < mnemonic->sources; i++) {
        if (!expect_comma(line) || !source(line, &value) || !qpu_build_source(build, &value))
            return false;
        if (i == 0)
            build->at ^= QPU_AT_SOURCES;
    }
    return expect_end(line);
}

/* Parses the second target of mov or ldi. Both ALUs then execute the operation. */
static bool second_target(struct line *line)
{
    line->build.at ^= QPU_AT_BOTH;
    if (!target(line) || !expect_comma(line))
        return false;
    line->build.at |= QPU_AT_BOTH;
    return true;
}

/* Parses the targets of a move or a load with the given number of operands. "sacq 3" has no
 * target. */
static bool move_targets(struct line *line, unsigned operands, bool semaphore)
{
    struct asm_value value = {0};
    if (semaphore && operands == 1) {
        line->build.at = (uint8_t)((line->build.at & ~QPU_AT_OPCODE) | QPU_AT_TARGET);
        return qpu_target_operands.find("-", 1, &value) && qpu_build_target(&line->build, &value);
    }
    return target(line) && expect_comma(line) && (operands < 3 || second_target(line));
}

static bool parse_move(struct line *line, const struct mnemonic *mnemonic)
{
    bool is_load = mnemonic->kind == LOAD, load = is_load;
    bool semaphore = is_load && (mnemonic->code & LOAD_MODE) == SEMAPHORE;
    unsigned operands = count_operands(line, 3);
    unsigned units = is_load ? QPU_AT_BOTH : mnemonic->code;
    struct qpu_build *build = &line->build;
    struct asm_value value;
    if (!qpu_build_move(build, units, operands == 3) || !opcode_suffixes(line) ||
        !move_targets(line, operands, semaphore))
        return false;
    build->at ^= QPU_AT_TARGET | QPU_AT_SOURCES;
    if (!source(line, &value) || !expect_end(line))
        return false;
    if (!is_load && !qpu_build_move_source(build, &value, &load))
        return false;
    return !load || qpu_build_load(build, &value, is_load ? mnemonic->code & LOAD_MODE : 0,
                                   is_load && (mnemonic->code & ACQUIRE));
}

static bool parse_read(struct line *line)
{
    struct asm_value value;
    return qpu_build_read(&line->build) && source(line, &value) &&
           qpu_build_read_source(&line->build, &value) && expect_end(line);
}

static bool branch_source(struct line *line)
{
    struct asm_value value;
    return source(line, &value) && qpu_build_branch_source(&line->build, &value);
}

/* Parses a branch. The operands are "target, address", "target, address, address" or "target,
 * target, address, address". */
static bool parse_branch(struct line *line, const struct mnemonic *mnemonic)
{
    struct qpu_build *build = &line->build;
    if (!qpu_build_branch(build, mnemonic->code) || !opcode_suffixes(line) || !target(line) ||
        !expect_comma(line))
        return false;
    unsigned count = count_operands(line, 3);
    if (count == 3) {
        build->at = QPU_AT_MUL;
        if (!target(line) || !expect_comma(line))
            return false;
    }
    build->at = QPU_AT_ADD | QPU_AT_FIRST;
    if (count > 1 && (!branch_source(line) || !expect_comma(line)))
        return false;
    if (!branch_source(line))
        return false;
    return ASM_PEEK(line) == '\0' || fail(line, line->at, "put the branch on its own line",
                                          "a branch must be alone in its line");
}

static bool parse_signal(struct line *line, const struct mnemonic *mnemonic)
{
    return qpu_build_signal(&line->build, mnemonic->code) && expect_end(line);
}

static bool parse_kind(struct line *line, const struct mnemonic *mnemonic)
{
    switch (mnemonic->kind) {
    case MOVE:
    case LOAD: return parse_move(line, mnemonic);
    case READ: return parse_read(line);
    case BRANCH: return parse_branch(line, mnemonic);
    case SIGNAL: return parse_signal(line, mnemonic);
    default: return parse_alu(line, mnemonic);
    }
}

static bool parse_operation(struct line *line)
{
    ASM_PEEK(line);
    line->start = line->build.column = line->at;
    const char *name = line->text + line->at;
    size_t length = asm_name_length(line->text, line->length, line->at);
    if (length == 0)
        return fail(line, line->at, "write an instruction such as mov r0, unif; or nop",
                    line->at == 0 && !at_operation_end(line)
                        ? "expected an instruction, a macro or a directive"
                        : "missing instruction before or after ';'");
    const struct mnemonic *mnemonic = find_mnemonic(name, length);
    if (!mnemonic)
        return asm_fail_name(line->error, "asm-instruction", line->at, name, length,
                             "unknown QPU instruction");
    line->at += length;
    if (!parse_kind(line, mnemonic))
        return false;
    line->build.column = line->start;
    return qpu_build_operation_end(&line->build);
}

/* Returns a branch to a placeholder, for a target that is not known yet. The placeholder differs
 * from the offset of the next instruction. */
static uint64_t unknown_branch(struct qpu_build *build)
{
    build->immediate = 0xfffffff8;
    return qpu_build_end(build);
}

/* Returns true if text[at] follows an operand, separated by blanks only. */
static bool follows_operand(const struct line *line, size_t at)
{
    size_t before = at;
    while (before > 0 && asm_is_blank(line->text[before - 1]))
        before--;
    char last = before > 0 ? line->text[before - 1] : ';';
    return before < at && (ascii_in_name(last) || last == ')' || last == ']');
}

/* Returns true if the text after ';' is probably a comment: its first word is not a mnemonic, or
 * two words are adjacent. */
static bool is_prose(const struct line *line)
{
    const char *text = line->text;
    size_t at = line->start, length = asm_name_length(text, line->length, at);
    struct qpu_operand operand;
    if (!find_mnemonic(text + at, length))
        return true;
    for (at += length; at < line->length && text[at] != ';'; at += length ? length : 1) {
        length = asm_name_length(text, line->length, at);
        if (length > 0 && at > line->start + length && follows_operand(line, at) &&
            !find_mnemonic(text + at, length) && !qpu_register_find(text + at, length, &operand))
            return true;
    }
    return false;
}

/* Adds a hint if ';' was meant to begin a comment, as in other dialects. */
static void blame_comment(struct line *line)
{
    static const char hint[] = "begin comments with # or //; ';' separates operations";
    size_t before = line->start;
    while (before > 0 && asm_is_blank(line->text[before - 1]))
        before--;
    if (before > 0 && line->text[before - 1] == ';' && !line->error->near && is_prose(line))
        line->error->hint = hint;
}

/* Reports a missing ';' if a mnemonic follows an operand within a wrong operation. */
static void blame_separator(struct line *line)
{
    size_t length, at = line->start;
    if (!find_mnemonic(line->text + at, asm_name_length(line->text, line->length, at)))
        return;
    for (; at < line->length && line->text[at] != ';'; at += length ? length : 1) {
        length = asm_name_length(line->text, line->length, at);
        if (at == line->start || length == 0 || !follows_operand(line, at) ||
            !find_mnemonic(line->text + at, length))
            continue;
        asm_fail(line->error, "asm-instruction", at, "separate operations by ';'",
                 "expected ';' before '%.*s'", (int)length, line->text + at);
        return;
    }
}

/* --- annotations --- */

/* Parses @ "mul_used", 0, an annotation of Broadcom's qasm.py and tools based on it. Annotations
 * have no bits in the word. Annotations about the multiplier show that a rotation within four
 * elements is intended. Source: a comment in jc-kynesim/rpi-ffmpeg,
 * libavcodec/rpi_hevc_shader.qasm. */
static bool take_annotation(struct line *line, bool *rotation)
{
    static const char usage[] = "write @ \"NAME\", NUMBER at the end of the line";
    size_t start = ++line->at;
    if (ASM_PEEK(line) != '"')
        return fail(line, line->at, usage, "unexpected '@' in an operation");
    size_t name = ++line->at;
    while (line->at < line->length && line->text[line->at] != '"')
        line->at++;
    size_t length = line->at - name;
    if (line->at == line->length)
        return fail(line, start, usage, "missing closing quotation mark of the annotation's name");
    *rotation |= length >= 4 && memcmp(line->text + name, "mul_", 4) == 0;
    line->at++;
    (void)ASM_ACCEPT(line, ',');
    ASM_PEEK(line);
    line->at += asm_word_length(line->text, line->length, line->at);
    return ASM_PEEK(line) == '\0' || ASM_PEEK(line) == '@' ||
           fail(line, line->at, usage, "unexpected text after the annotation");
}

/* Removes the annotations from the end of a line. */
static bool take_annotations(struct line *line)
{
    const char *at = memchr(line->text, '@', line->length);
    bool rotation = false;
    if (!at)
        return true;
    line->at = (size_t)(at - line->text);
    while (line->at < line->length)
        if (!take_annotation(line, &rotation))
            return false;
    line->length = (size_t)(at - line->text);
    line->at = 0;
    line->build.rotation_meant = rotation;
    return true;
}

enum qpu_parse_result qpu_parse(const char *text, size_t length, uint32_t address,
                                const struct asm_names *names, uint64_t *word,
                                struct asm_error *error)
{
    struct line line = {.text = text, .length = length, .error = error};
    *error = (struct asm_error){0};
    *word = QPU_WORD_NOP;
    line.names = names ? *names : asm_no_names;
    if (!names)
        line.names.address = address;
    qpu_build_begin(&line.build, address, &line.names, error);
    if (!take_annotations(&line))
        return QPU_PARSE_ERROR;
    do {
        if (!parse_operation(&line)) {
            if (line.unknown && line.build.sig == QPU_SIG_BRANCH)
                *word = unknown_branch(&line.build);
            if (!line.unknown)
                blame_comment(&line);
            if (!line.unknown)
                blame_separator(&line);
            return line.unknown ? QPU_PARSE_UNKNOWN : QPU_PARSE_ERROR;
        }
        (void)ASM_ACCEPT(&line, ';');
    } while (ASM_PEEK(&line) != '\0');
    *word = qpu_build_end(&line.build);
    return QPU_PARSE_OK;
}

/* Returns true if a write to the address uses a unit that a word may use only once. */
static bool writes_unit(unsigned address)
{
    return (address >= QPU_WR_QUAD_XY && address <= QPU_WR_TLB_Z) ||
           address == QPU_WR_TLB_ALPHA_MASK || address >= QPU_WR_SFU_RECIP;
}

static bool reads_unit(unsigned address)
{
    return address == QPU_RD_XY_COORD || address == QPU_RD_MS_REV || address == QPU_RD_MUTEX;
}

static bool writes_colour(unsigned address)
{
    return address == QPU_WR_TLB_COLOUR_MS || address == QPU_WR_TLB_COLOUR_ALL;
}

bool qpu_may_join(uint64_t word)
{
    struct qpu_insn insn = qpu_decode(word);
    bool alu = insn.form == QPU_FORM_ALU || insn.form == QPU_FORM_ALU_IMMEDIATE;
    bool loads = insn.sig == QPU_SIG_LOAD_TMU0 || insn.sig == QPU_SIG_LOAD_TMU1 ||
                 insn.sig == QPU_SIG_COVERAGE_LOAD || insn.sig == QPU_SIG_ALPHA_MASK_LOAD;
    bool colour = writes_colour(insn.waddr_add) || writes_colour(insn.waddr_mul) ||
                  insn.sig == QPU_SIG_COLOUR_LOAD || insn.sig == QPU_SIG_COLOUR_LOAD_END;
    int uses = writes_unit(insn.waddr_add) + writes_unit(insn.waddr_mul) +
               reads_unit(insn.raddr_a) + (insn.form == QPU_FORM_ALU && reads_unit(insn.raddr_b)) +
               loads + colour;
    return !alu || uses <= 1;
}
