/* SPDX-License-Identifier: MIT */
/* parse.c - parses the slots of a GP instruction.
 *
 * In:       the text, and the symbols that it may use.
 * Out:      the slots in a struct gp_build, or a message with its column and a hint.
 * Source:   docs/isa/gp.md for the syntax, which is Tessera's own; ops.def for operations and
 *           operands, fields.def for fields. */
#include "isa/gp/parse.h"

#include <string.h>

#include "isa/gp/operand.h"

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

/* The text and the position up to which it has been read. */
struct line {
    const char *text;
    size_t length, at;
    size_t start; /* start of the current slot in text */
    const struct asm_names *names;
    struct gp_build *build;
    struct asm_error *error;
    bool unknown; /* true if the value of a symbol is still unknown */
};

/* A slot and an operation. .code is the code of the operation, or another argument for .parse(). */
struct operation {
    const char *name;
    bool (*parse)(struct line *line, const struct operation *operation);
    enum gp_slot slot;
    unsigned code;
};

/* --- reading --- */

static bool at_slot_end(struct line *line)
{
    char character = ASM_PEEK(line);
    return character == '\0' || character == ';';
}

static bool expect_end(struct line *line, const struct operation *operation)
{
    if (at_slot_end(line))
        return true;
    if (line->text[line->at] == ',')
        return asm_fail(line->error, "gp-operands", line->at, "separate slots by ';'",
                        "too many operands for %s", operation->name);
    return asm_fail(line->error, "gp-syntax", line->at, "separate slots by ';'",
                    "expected ';' or the end of the slot");
}

static bool expect_comma(struct line *line, const struct operation *operation)
{
    if (ASM_ACCEPT(line, ','))
        return true;
    return at_slot_end(line) ? asm_fail(line->error, "gp-operands", line->start, NULL,
                                        "too few operands for %s", operation->name)
                             : asm_fail(line->error, "gp-syntax", line->at, NULL, "expected ','");
}

/* Reads a number from 0 to `most`. */
static bool number(struct line *line, const char *what, unsigned most, unsigned *result)
{
    struct asm_value value;
    ASM_PEEK(line);
    size_t start = line->at;
    *result = 0;
    if (at_slot_end(line))
        return asm_fail(line->error, "gp-operands", line->start, NULL, "expected the %s", what);
    if (!asm_evaluate(line->text, line->length, &line->at, line->names, &value, line->error))
        return false;
    line->unknown = line->unknown || value.unknown;
    if (value.unknown)
        return true;
    if (value.kind != ASM_INTEGER || value.integer < 0 || value.integer > most)
        return asm_fail(line->error, "gp-range", start, NULL,
                        "the %s must be an integer from 0 to %u", what, most);
    *result = (unsigned)value.integer;
    return true;
}

static bool operand(struct line *line, enum gp_place place, uint16_t *code)
{
    unsigned found;
    if (!gp_operand_read(line->text, line->length, &line->at, place, line->names, &found,
                         &line->unknown, line->error))
        return false;
    *code = (uint16_t)found;
    return true;
}

/* Reads an operand with an optional '-'. */
static bool signed_operand(struct line *line, enum gp_place place, uint16_t *code, bool *negative)
{
    *negative = ASM_PEEK(line) == '-';
    line->at += *negative;
    return operand(line, place, code);
}

/* Reads an operand of a unit that cannot negate it. */
static bool plain_operand(struct line *line, enum gp_place place, uint16_t *code)
{
    if (ASM_PEEK(line) == '-')
        return asm_fail(line->error, "gp-negate", line->at,
                        "negate the operand in an accumulator or a multiplier first",
                        "this operand cannot be negated");
    return operand(line, place, code);
}

/* --- loads --- */

static bool parse_load0(struct line *line, const struct operation *operation)
{
    unsigned address;
    bool attribute = operation->code;
    if (!number(line, attribute ? "attribute" : "register", GP_REGISTERS - 1, &address))
        return false;
    line->build->insn.register0_attribute = attribute;
    line->build->insn.register0_addr = (uint16_t)address;
    return expect_end(line, operation);
}

static bool parse_load1(struct line *line, const struct operation *operation)
{
    unsigned address;
    if (!number(line, "register", GP_REGISTERS - 1, &address))
        return false;
    line->build->insn.register1_addr = (uint16_t)address;
    return expect_end(line, operation);
}

/* Reads "addr1", "addr2" or "addr3" after a row. */
static bool parse_offset(struct line *line)
{
    static const char *const names[] = {"addr1", "addr2", "addr3"};
    ASM_PEEK(line);
    size_t length = asm_name_length(line->text, line->length, line->at);
    for (unsigned i = 0; i < COUNT(names); i++) {
        if (length == strlen(names[i]) && memcmp(line->text + line->at, names[i], length) == 0) {
            line->at += length;
            line->build->insn.load_offset = (uint16_t)(i + 1);
            return true;
        }
    }
    return asm_fail(line->error, "gp-operand", line->at,
                    "use addr1, addr2 or addr3 for loads; addr0 is for stores",
                    "expected addr1, addr2 or addr3");
}

static bool parse_row(struct line *line, const struct operation *operation)
{
    unsigned row;
    if (!number(line, "row", GP_ROWS - 1, &row))
        return false;
    line->build->insn.load_addr = (uint16_t)row;
    if (ASM_ACCEPT(line, ',') && !parse_offset(line))
        return false;
    return expect_end(line, operation);
}

/* --- multipliers and accumulators --- */

/* The fields of a multiplier or an accumulator. */
struct alu {
    uint16_t *src0, *src1, *neg0, *neg1;
};

static struct alu alu_of(struct gp_insn *insn, enum gp_slot slot)
{
    switch (slot) {
    case GP_SLOT_MUL0:
        return (struct alu){&insn->mul0_src0, &insn->mul0_src1, &insn->mul0_neg, NULL};
    case GP_SLOT_MUL1:
        return (struct alu){&insn->mul1_src0, &insn->mul1_src1, &insn->mul1_neg, NULL};
    case GP_SLOT_ACC0:
        return (struct alu){&insn->acc0_src0, &insn->acc0_src1, &insn->acc0_src0_neg,
                            &insn->acc0_src1_neg};
    default:
        return (struct alu){&insn->acc1_src0, &insn->acc1_src1, &insn->acc1_src0_neg,
                            &insn->acc1_src1_neg};
    }
}

/* Parses a product. A multiplier can negate only its result, so two negated operands give a result
 * that is not negated. */
static bool parse_mul(struct line *line, const struct operation *operation)
{
    struct alu alu = alu_of(&line->build->insn, operation->slot);
    bool first, second;
    if (!gp_build_mul_op(line->build, operation->slot, GP_MUL_MUL, line->start, line->error) ||
        !signed_operand(line, GP_FIRST, alu.src0, &first) || !expect_comma(line, operation) ||
        !signed_operand(line, GP_SECOND, alu.src1, &second))
        return false;
    *alu.neg0 = first != second;
    return expect_end(line, operation);
}

static bool parse_mul_mov(struct line *line, const struct operation *operation)
{
    struct alu alu = alu_of(&line->build->insn, operation->slot);
    bool negative;
    if (!gp_build_mul_op(line->build, operation->slot, GP_MUL_MUL, line->start, line->error) ||
        !signed_operand(line, GP_FIRST, alu.src0, &negative))
        return false;
    *alu.src1 = GP_SRC_IDENTITY;
    *alu.neg0 = negative;
    return expect_end(line, operation);
}

/* Parses the operands of complex1, complex2 or select. `sources` has the field of each operand, in
 * the order of the text. */
static bool parse_special(struct line *line, const struct operation *operation,
                          uint16_t *const sources[], unsigned count, const enum gp_place places[])
{
    if (!gp_build_mul_op(line->build, operation->slot, operation->code, line->start, line->error))
        return false;
    for (unsigned i = 0; i < count; i++) {
        if ((i > 0 && !expect_comma(line, operation)) ||
            !plain_operand(line, places[i], sources[i]))
            return false;
    }
    return expect_end(line, operation);
}

static bool parse_mul_op(struct line *line, const struct operation *operation)
{
    struct gp_insn *insn = &line->build->insn;
    switch (operation->code) {
    case GP_MUL_COMPLEX1:
        return parse_special(line, operation,
                             (uint16_t *const[]){&insn->mul0_src0, &insn->mul0_src1,
                                                 &insn->mul1_src0, &insn->mul1_src1},
                             4, (const enum gp_place[]){GP_FIRST, GP_SECOND, GP_FIRST, GP_SECOND});
    case GP_MUL_COMPLEX2:
        return parse_special(line, operation,
                             (uint16_t *const[]){&insn->mul0_src0, &insn->mul0_src1}, 2,
                             (const enum gp_place[]){GP_FIRST, GP_SECOND});
    case GP_MUL_SELECT:
        return parse_special(
            line, operation,
            (uint16_t *const[]){&insn->mul0_src1, &insn->mul1_src0, &insn->mul0_src0}, 3,
            (const enum gp_place[]){GP_SECOND, GP_FIRST, GP_FIRST});
    default: return parse_mul(line, operation);
    }
}

static bool parse_acc_operand(struct line *line, enum gp_place place, uint16_t *source,
                              uint16_t *negate)
{
    bool negative;
    if (!signed_operand(line, place, source, &negative))
        return false;
    *negate = negative;
    return true;
}

static bool parse_acc(struct line *line, const struct operation *operation)
{
    struct alu alu = alu_of(&line->build->insn, operation->slot);
    enum gp_acc_op op = operation->code;
    if (!gp_build_acc_op(line->build, operation->slot, op, line->start, line->error) ||
        !parse_acc_operand(line, GP_FIRST, alu.src0, alu.neg0))
        return false;
    /* Operations with one operand ignore the field src1. Mesa's compiler writes 0 to the field
     * (codegen.c). */
    if (gp_acc_ops[op].operands == 1)
        *alu.src1 = 0;
    else if (!expect_comma(line, operation) ||
             !parse_acc_operand(line, GP_SECOND, alu.src1, alu.neg1))
        return false;
    return expect_end(line, operation);
}

/* Encodes a move as a + -0, which keeps the sign of zero: a + 0 would turn -0 into 0. */
static bool parse_acc_mov(struct line *line, const struct operation *operation)
{
    struct alu alu = alu_of(&line->build->insn, operation->slot);
    if (!gp_build_acc_op(line->build, operation->slot, GP_ACC_ADD, line->start, line->error) ||
        !parse_acc_operand(line, GP_FIRST, alu.src0, alu.neg0))
        return false;
    *alu.src1 = GP_SRC_IDENTITY;
    *alu.neg1 = 1;
    return expect_end(line, operation);
}

/* --- the complex and the pass unit --- */

static bool parse_complex(struct line *line, const struct operation *operation)
{
    line->build->insn.complex_op = (uint16_t)operation->code;
    if (operation->code != GP_COMPLEX_ADDR01 &&
        !plain_operand(line, GP_FIRST, &line->build->insn.complex_src))
        return false;
    return expect_end(line, operation);
}

static bool parse_pass(struct line *line, const struct operation *operation)
{
    line->build->insn.pass_op = (uint16_t)operation->code;
    return plain_operand(line, GP_FIRST, &line->build->insn.pass_src) &&
           expect_end(line, operation);
}

/* --- stores --- */

enum { STORE_REGISTER, STORE_VARYING, STORE_TEMPORARY };

/* The fields of a store unit. */
struct store {
    uint16_t *first, *second, *address, *varying, *temporary;
};

static struct store store_of(struct gp_insn *insn, enum gp_slot slot)
{
    if (slot == GP_SLOT_STORE0)
        return (struct store){&insn->store0_src_x, &insn->store0_src_y, &insn->store0_addr,
                              &insn->store0_varying, &insn->store0_temporary};
    return (struct store){&insn->store1_src_z, &insn->store1_src_w, &insn->store1_addr,
                          &insn->store1_varying, &insn->store1_temporary};
}

/* Parses the number of a register or varying and a comma. A store to a temporary has no number,
 * because addr0 selects its row. */
static bool parse_store_address(struct line *line, const struct operation *operation,
                                const struct store *store)
{
    unsigned address;
    if (operation->code == STORE_TEMPORARY) {
        *store->temporary = 1;
        return gp_build_flags(line->build, GP_FLAGS_TEMPORARY, line->start, line->error);
    }
    bool varying = operation->code == STORE_VARYING;
    if (!number(line, varying ? "varying" : "register", GP_VARYINGS - 1, &address))
        return false;
    *store->varying = varying;
    *store->address = (uint16_t)address;
    return expect_comma(line, operation);
}

static bool parse_store(struct line *line, const struct operation *operation)
{
    struct store store = store_of(&line->build->insn, operation->slot);
    return parse_store_address(line, operation, &store) &&
           plain_operand(line, GP_STORED, store.first) && expect_comma(line, operation) &&
           plain_operand(line, GP_STORED, store.second) && expect_end(line, operation);
}

/* --- branches, nop, fields --- */

/* Converts an address in bytes to an instruction number. */
static bool target_of_address(struct line *line, size_t start, int64_t address, int64_t *target)
{
    int64_t distance = address - line->names->code_start;
    *target = distance / GP_INSN_BYTES;
    if (distance < 0 || distance % GP_INSN_BYTES != 0)
        return asm_fail(
            line->error, "gp-branch", start,
            "use a label or an instruction number; addresses count bytes, 16 for each instruction",
            "no instruction begins at this address");
    return true;
}

static bool check_target(struct line *line, size_t start, int64_t target)
{
    const struct asm_names *names = line->names;
    int64_t count = (int64_t)(names->code_end - names->code_start) / GP_INSN_BYTES;
    if (target < 0 || target >= GP_PROGRAM_MAX)
        return asm_fail(line->error, "gp-branch", start, "use a label, or a number from 0 to 511",
                        "a branch can reach instructions 0 to %d, not %lld", GP_PROGRAM_MAX - 1,
                        (long long)target);
    if (names->code_end != 0 && target >= count)
        return asm_fail(line->error, "gp-branch", start,
                        "branch to a nop at the end of the program; there is no exit instruction",
                        "instruction %lld is outside the program, which ends with instruction %lld",
                        (long long)target, (long long)count - 1);
    return true;
}

static bool parse_branch(struct line *line, const struct operation *operation)
{
    struct asm_value value;
    int64_t target = 0;
    ASM_PEEK(line);
    size_t start = line->at;
    if (at_slot_end(line))
        return asm_fail(line->error, "gp-operands", line->start, "branch LABEL",
                        "expected the target of the branch");
    if (!gp_build_flags(line->build, GP_FLAGS_BRANCH, line->start, line->error) ||
        !asm_evaluate(line->text, line->length, &line->at, line->names, &value, line->error))
        return false;
    if (value.kind != ASM_INTEGER)
        return asm_fail(line->error, "gp-branch", start, NULL,
                        "the branch target must be a label or an instruction number");
    /* In the first pass the start address of the program is unknown. */
    bool unknown = value.unknown || (value.label && line->names->code_end == 0);
    line->unknown = line->unknown || unknown;
    if (!unknown && value.label && !target_of_address(line, start, value.integer, &target))
        return false;
    if (!unknown && !value.label)
        target = value.integer;
    if (!unknown && !check_target(line, start, target))
        return false;
    gp_build_branch(line->build, (unsigned)target);
    return expect_end(line, operation);
}

/* --- table of operations --- */

/* clang-format off */
static const struct operation operations[] = {
    {"load.attr", parse_load0, GP_SLOT_LOAD0, 1},
    {"load.reg0", parse_load0, GP_SLOT_LOAD0, 0},
    {"load.reg1", parse_load1, GP_SLOT_LOAD1, 0},
    {"load.unif", parse_row, GP_SLOT_ROW, 0},
    {"load.temp", parse_row, GP_SLOT_ROW, 0},
    {"mul0.mov", parse_mul_mov, GP_SLOT_MUL0, 0},
#define MUL_OP(code, NAME, mnemonic, operands, words) \
    {"mul0." mnemonic, parse_mul_op, GP_SLOT_MUL0, code},
#include "isa/gp/ops.def"
    {"mul1.mov", parse_mul_mov, GP_SLOT_MUL1, 0},
    {"mul1.mul", parse_mul, GP_SLOT_MUL1, 0},
    {"acc0.mov", parse_acc_mov, GP_SLOT_ACC0, 0},
#define ACC_OP(code, NAME, mnemonic, operands, words) \
    {"acc0." mnemonic, parse_acc, GP_SLOT_ACC0, code},
#include "isa/gp/ops.def"
    {"acc1.mov", parse_acc_mov, GP_SLOT_ACC1, 0},
#define ACC_OP(code, NAME, mnemonic, operands, words) \
    {"acc1." mnemonic, parse_acc, GP_SLOT_ACC1, code},
#include "isa/gp/ops.def"
#define COMPLEX_OP(code, NAME, mnemonic, words) \
    {"complex." mnemonic, parse_complex, GP_SLOT_COMPLEX, code},
#include "isa/gp/ops.def"
#define PASS_OP(code, NAME, mnemonic, words) {"pass." mnemonic, parse_pass, GP_SLOT_PASS, code},
#include "isa/gp/ops.def"
    {"store0.reg", parse_store, GP_SLOT_STORE0, STORE_REGISTER},
    {"store0.varying", parse_store, GP_SLOT_STORE0, STORE_VARYING},
    {"store0.temp", parse_store, GP_SLOT_STORE0, STORE_TEMPORARY},
    {"store1.reg", parse_store, GP_SLOT_STORE1, STORE_REGISTER},
    {"store1.varying", parse_store, GP_SLOT_STORE1, STORE_VARYING},
    {"store1.temp", parse_store, GP_SLOT_STORE1, STORE_TEMPORARY},
    {"branch", parse_branch, GP_SLOT_BRANCH, 0},
    {"nop", expect_end, GP_SLOT_NOP, 0},
};
/* clang-format on */

static const struct {
    const char *text;
    size_t length;
} field_names[GP_FIELDS] = {
#define FIELD(name, low, bits, idle, kind, meaning) {"field." #name, sizeof "field." #name - 1},
#include "isa/gp/fields.def"
};

const char *gp_mnemonic(size_t index)
{
    size_t others = index - COUNT(operations);
    if (index < COUNT(operations))
        return operations[index].name;
    return others < GP_FIELDS ? field_names[others].text : gp_operand_name(others - GP_FIELDS);
}

static const struct operation *find_operation(const char *name, size_t length)
{
    for (size_t i = 0; i < COUNT(operations); i++)
        if (asm_is_name(name, length, operations[i].name))
            return &operations[i];
    return NULL;
}

/* Returns true if some operation begins with "NAME.". */
static bool is_unit(const char *name, size_t length)
{
    for (size_t i = 0; i < COUNT(operations); i++)
        if (strncmp(operations[i].name, name, length) == 0 && operations[i].name[length] == '.')
            return true;
    return false;
}

/* Parses "field.NAME VALUE". `name` is "field.NAME". */
static bool parse_field(struct line *line, const char *name, size_t length)
{
    unsigned field = 0, value;
    while (field < GP_FIELDS && (field_names[field].length != length ||
                                 memcmp(field_names[field].text, name, length) != 0))
        field++;
    if (field == GP_FIELDS)
        return asm_fail_name(line->error, "gp-field", line->start, name, length, "unknown field");
    const struct operation self = {.name = "field"};
    return number(line, "field's value", (1u << gp_fields[field].bits) - 1, &value) &&
           gp_build_field(line->build, field, value, line->start, line->error) &&
           expect_end(line, &self);
}

/* Returns the length of the name that begins a slot, such as "UNIT.OPERATION", "branch" or "nop".
 * Sets *unit to the length of the part before the dot. */
static size_t slot_name(const struct line *line, size_t *unit)
{
    *unit = asm_name_length(line->text, line->length, line->start);
    size_t length = *unit;
    if (length > 0 && line->start + length < line->length &&
        line->text[line->start + length] == '.')
        length += 1 + asm_name_length(line->text, line->length, line->start + length + 1);
    return length;
}

static bool fail_name(struct line *line, const char *name, size_t length, size_t unit)
{
    if (length == 0)
        return asm_fail(line->error, "gp-syntax", line->start, NULL, "expected a slot");
    return asm_fail_name(line->error, is_unit(name, unit) ? "gp-operation" : "gp-slot", line->start,
                         name, length, is_unit(name, unit) ? "unknown operation" : "unknown slot");
}

static bool parse_slot(struct line *line)
{
    static const char field[] = "field.";
    const char *name = line->text + line->at;
    size_t unit, skip = strlen(field);
    line->start = line->at;
    size_t length = slot_name(line, &unit);
    line->at += length;
    if (length > skip && memcmp(name, field, skip) == 0)
        return parse_field(line, name, length);
    const struct operation *operation = find_operation(name, length);
    if (!operation)
        return fail_name(line, name, length, unit);
    return gp_build_slot(line->build, operation->slot, line->start, line->error) &&
           operation->parse(line, operation);
}

static bool parse_all(struct line *line)
{
    for (char first = ASM_PEEK(line); first != '\0'; first = ASM_PEEK(line)) {
        if (first == ';')
            line->at++;
        else if (!parse_slot(line))
            return false;
    }
    return true;
}

enum gp_parse_result gp_parse_slots(const char *text, size_t length, const struct asm_names *names,
                                    struct gp_build *build, struct asm_error *error)
{
    struct line line = {.text = text,
                        .length = length,
                        .names = names ? names : &asm_no_names,
                        .build = build,
                        .error = error};
    if (!parse_all(&line))
        return GP_PARSE_ERROR;
    return line.unknown ? GP_PARSE_UNKNOWN : GP_PARSE_OK;
}

enum gp_parse_result gp_parse(const char *text, size_t length, const struct asm_names *names,
                              uint32_t words[GP_WORDS], struct asm_error *error)
{
    struct gp_build build;
    gp_build_begin(&build);
    enum gp_parse_result result = gp_parse_slots(text, length, names, &build, error);
    struct gp_insn insn = gp_build_end(&build);
    gp_encode(&insn, words);
    return result;
}
