/* SPDX-License-Identifier: MIT */
/* parse_alu.c - parses ALU instructions of the A2xx, which have a vector operation, a scalar
 * operation, or both.
 *
 * Source:  freedreno's assembler, fdre-a2xx/asm/parser.y and ir.c; docs/hardware/a2xx.md,
 *          sections 5, 8, 13 and 20. */
#include "base/ascii.h"
#include "isa/a2xx/facts.h"
#include "isa/a2xx/operand.h"
#include "isa/a2xx/parse.h"

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

enum { SOURCES = 3 };

/* --- names --- */

/* An operation as it appears in the source. */
struct operation {
    const char *name;
    size_t at, length; /* length includes the predicate */
    unsigned opcode, sources;
    bool predicated, condition;
    bool constant; /* true for MUL_CONST or a similar operation with two operands */
    /* true if the name is one that only freedreno's wiki uses; MUL and ADD then have one operand or
     * two operands */
    bool seed;
    bool numbered; /* true if written as OP(n) */
};

static int find_op(const struct a2xx_op *ops, size_t count, const char *name, size_t length)
{
    for (size_t i = 0; i < count; i++)
        if (ops[i].mnemonic && asm_is_name(name, length, ops[i].mnemonic))
            return (int)i;
    return -1;
}

static const struct a2xx_alias const_ops[] = {
    {"MUL_CONST", A2XX_S_MUL_CONST_0},
    {"ADD_CONST", A2XX_S_ADD_CONST_0},
    {"SUB_CONST", A2XX_S_SUB_CONST_0},
};

static int find_alias(const struct a2xx_alias *aliases, size_t count, const char *name,
                      size_t length)
{
    for (size_t i = 0; i < count; i++)
        if (asm_is_name(name, length, aliases[i].mnemonic))
            return aliases[i].opcode;
    return -1;
}

/* Finds a scalar operation. Returns false for an unknown name. */
static bool find_scalar_name(const char *name, size_t length, struct operation *operation)
{
    int opcode = find_op(a2xx_scalar_ops, COUNT(a2xx_scalar_ops), name, length);
    operation->seed = opcode < 0;
    if (opcode < 0)
        opcode = find_alias(a2xx_scalar_aliases, a2xx_scalar_alias_count, name, length);
    operation->numbered = opcode < 0 && asm_is_name(name, length, "OP");
    operation->constant = false;
    if (opcode < 0 && !operation->numbered) {
        opcode = find_alias(const_ops, COUNT(const_ops), name, length);
        operation->constant = opcode >= 0;
    }
    operation->opcode = opcode < 0 ? 0 : (unsigned)opcode;
    operation->sources = operation->numbered ? 1 : a2xx_scalar_ops[operation->opcode].sources;
    return opcode >= 0 || operation->numbered;
}

static bool find_vector_name(const char *name, size_t length, struct operation *operation)
{
    int opcode = find_op(a2xx_vector_ops, COUNT(a2xx_vector_ops), name, length);
    operation->opcode = opcode < 0 ? 0 : (unsigned)opcode;
    operation->sources = a2xx_vector_ops[operation->opcode].sources;
    return opcode >= 0;
}

/* Finds the operation by its name, or by its name without a predicate suffix. */
static bool find_name(bool (*find)(const char *name, size_t length, struct operation *operation),
                      struct operation *operation)
{
    size_t length = operation->length;
    operation->predicated = false;
    if (find(operation->name, length, operation))
        return true;
    operation->predicated = a2xx_take_predicate(operation->name, &length, &operation->condition);
    return operation->predicated && find(operation->name, length, operation);
}

bool a2xx_is_scalar(const char *name, size_t length)
{
    struct operation operation = {.name = name, .length = length};
    return find_name(find_scalar_name, &operation);
}

/* --- flags after operands --- */

static bool take_flags(struct a2xx_line *line, struct a2xx_alu *alu, uint32_t *clamp)
{
    while (!a2xx_at_end(line)) {
        if (a2xx_accept_word(line, "CLAMP"))
            *clamp = 1;
        else if (a2xx_accept_word(line, "ABSOLUTE_ADDR"))
            alu->address_mode = 1;
        else if (a2xx_accept_word(line, "ABS_CONSTANTS"))
            alu->abs_constants = 1;
        else
            return a2xx_expect_end(line, "use CLAMP, ABSOLUTE_ADDR or ABS_CONSTANTS");
    }
    return true;
}

/* --- the vector half --- */

static bool set_predicate(struct a2xx_line *line, const struct operation *operation,
                          const struct a2xx_record *record, struct a2xx_alu *alu)
{
    bool second = record->written & A2XX_HAS_VECTOR;
    if (second && operation->predicated &&
        (!alu->is_predicated || alu->pred_condition != operation->condition))
        return asm_fail(
            line->error, "a2xx-coissue-predicate", operation->at,
            "remove the predicate; the predicate of the vector operation applies to both",
            "both operations of an instruction must have the same predicate");
    if (!second) {
        alu->is_predicated = operation->predicated;
        alu->pred_condition = operation->predicated && operation->condition;
    }
    return true;
}

static void set_vector_destination(const struct a2xx_destination *to, struct a2xx_alu *alu)
{
    alu->vector_dest = to->number;
    alu->vector_dest_rel = to->relative;
    alu->export_data = to->exported;
    alu->vector_write_mask = to->mask;
    alu->scalar_write_mask |= to->ones;
    alu->scalar_dest_rel |= to->zeros != 0;
}

static bool take_operands(struct a2xx_line *line, struct a2xx_operand_text operands[SOURCES],
                          unsigned *count)
{
    *count = 0;
    do {
        if (*count == SOURCES)
            return asm_fail(line->error, "a2xx-operands", line->at, NULL,
                            "an operation has at most three operands");
        if (!a2xx_take_operand(line, &operands[(*count)++]))
            return false;
    } while (ASM_ACCEPT(line, ','));
    return true;
}

/* Parses the sources. If the operation has three sources, source 3 is the first in the text. If the
 * operation has one source, it is stored as source 1 and source 2. */
static bool set_vector_sources(struct a2xx_line *line, const struct operation *operation,
                               struct a2xx_record *record, struct a2xx_alu *alu)
{
    struct a2xx_operand_text operands[SOURCES];
    unsigned count, first = operation->sources == SOURCES;
    size_t start = line->at;
    if (!take_operands(line, operands, &count))
        return false;
    bool right = count == operation->sources || (operation->sources == 1 && count == 2);
    if (!right)
        return asm_fail(line->error, "a2xx-operands", start,
                        first ? "write the third source first; it is the addend, or the value if "
                                "the condition fails"
                              : NULL,
                        "%s has %u operand%s, not %u", a2xx_vector_ops[operation->opcode].mnemonic,
                        operation->sources, operation->sources == 1 ? "" : "s", count);
    return a2xx_set_source(line, record, alu, 1, &operands[first]) &&
           a2xx_set_source(line, record, alu, 2, &operands[count > 1 ? first + 1 : 0]) &&
           (!first || a2xx_set_source(line, record, alu, 3, &operands[0]));
}

static bool parse_vector(struct a2xx_line *line, const struct operation *operation,
                         struct a2xx_record *record, struct a2xx_alu *alu)
{
    struct a2xx_destination to;
    if (!set_predicate(line, operation, record, alu) || !a2xx_take_destination(line, &to) ||
        !a2xx_expect(line, '=', "MAXv R0 = R1, R1"))
        return false;
    alu->vector_opc = operation->opcode;
    set_vector_destination(&to, alu);
    record->zeros |= (uint8_t)to.zeros;
    record->written |= A2XX_HAS_VECTOR;
    return set_vector_sources(line, operation, record, alu) &&
           take_flags(line, alu, &alu->vector_clamp);
}

/* --- the scalar half --- */

/* Sets the scalar destination. In an export, both results go to the export that the vector
 * operation names. The empty destination R0.____ can be combined with any vector destination. */
static bool set_scalar_destination(struct a2xx_line *line, const struct a2xx_destination *to,
                                   const struct a2xx_record *record, struct a2xx_alu *alu)
{
    bool second = record->written & A2XX_HAS_VECTOR;
    bool idle = !to->mask && !to->relative && !to->exported;
    if (second && to->exported && !alu->export_data && !alu->vector_write_mask &&
        !alu->vector_dest_rel)
        second = false;
    if (second && !idle && to->exported != alu->export_data)
        return asm_fail(line->error, "a2xx-coissue-export", to->at, NULL,
                        "either both operations of an instruction export, or neither");
    if (to->exported && to->relative && second && !alu->vector_dest_rel)
        return asm_fail(line->error, "a2xx-coissue-export", to->at, NULL,
                        "both operations of an instruction must export to the same number");
    alu->scalar_dest = to->number;
    alu->scalar_write_mask |= to->mask;
    alu->scalar_dest_rel |= to->zeros != 0 || (to->relative && !to->exported);
    alu->vector_write_mask |= to->ones;
    if (second || !to->exported)
        return true;
    alu->export_data = 1;
    alu->vector_dest = to->number;
    alu->vector_dest_rel = to->relative;
    return true;
}

/* Sets source 3. Reports an error if the vector operation also reads source 3 and has a different
 * operand. */
static bool share_source(struct a2xx_line *line, struct a2xx_record *record, struct a2xx_alu *alu,
                         const struct a2xx_operand_text *operand)
{
    struct a2xx_alu other = *alu;
    if (!a2xx_set_source(line, record, &other, 3, operand))
        return false;
    if (!a2xx_has_third_source(alu->vector_opc) || !(record->written & A2XX_HAS_VECTOR)) {
        *alu = other;
        return true;
    }
    bool same = other.src3 == alu->src3 && other.src3_sel == alu->src3_sel &&
                other.src3_swiz == alu->src3_swiz && other.src3_negate == alu->src3_negate;
    return same || asm_fail(line->error, "a2xx-coissue-third", operand->at,
                            "use the same operand, or two instructions",
                            "the scalar operation must have the same operand as the first "
                            "operand of the vector operation");
}

static bool set_scalar_sources(struct a2xx_line *line, const struct operation *operation,
                               struct a2xx_record *record, struct a2xx_alu *alu)
{
    struct a2xx_operand_text operands[SOURCES];
    unsigned count, wanted = operation->constant ? 2 : 1;
    size_t start = line->at;
    if (!take_operands(line, operands, &count))
        return false;
    if (count == 2 && operation->seed && a2xx_is_const_op(operation->opcode))
        wanted = count;
    if (count != wanted)
        return asm_fail(
            line->error, operation->constant ? "a2xx-operands" : "a2xx-coissue-operands", start,
            operation->constant ? "MUL_CONST R1.x___ = C4.x, R0.w"
                                : "write one operand; w of its swizzle selects the first value, "
                                  "and x (Xenos: z) selects the second",
            "%.*s has %u operand%s, not %u", (int)operation->length, operation->name, wanted,
            wanted == 1 ? "" : "s", count);
    if (wanted == 1)
        return share_source(line, record, alu, &operands[0]);
    if (a2xx_has_third_source(alu->vector_opc) && (record->written & A2XX_HAS_VECTOR))
        return asm_fail(line->error, "a2xx-coissue-third", start, NULL,
                        "the vector operation uses all three operands");
    return a2xx_set_const_sources(line, record, alu, &operands[0], &operands[1]);
}

static bool parse_scalar(struct a2xx_line *line, const struct operation *operation,
                         struct a2xx_record *record, struct a2xx_alu *alu)
{
    struct a2xx_destination to;
    int64_t opcode = operation->opcode;
    if (operation->numbered &&
        !a2xx_argument(line, "an opcode", 0, COUNT(a2xx_scalar_ops) - 1, &opcode))
        return false;
    if (!set_predicate(line, operation, record, alu) || !a2xx_take_destination(line, &to) ||
        !set_scalar_destination(line, &to, record, alu))
        return false;
    alu->scalar_opc = (uint32_t)opcode;
    record->zeros |= (uint8_t)to.zeros;
    record->written |= A2XX_HAS_SCALAR;
    bool has_source = ASM_ACCEPT(line, '=');
    if (!has_source && operation->sources > 0)
        return a2xx_expect(line, '=', "RECIP_IEEE R4.x___ = R0");
    return (!has_source || set_scalar_sources(line, operation, record, alu)) &&
           take_flags(line, alu, &alu->scalar_clamp);
}

/* --- statements --- */

static bool take_operation(struct a2xx_line *line, struct operation *operation)
{
    ASM_PEEK(line);
    *operation = (struct operation){.at = line->at};
    operation->length = ASM_TAKE_NAME(line, &operation->name);
    return operation->length > 0 || asm_fail(line->error, "a2xx-syntax", line->at,
                                             "ALU: MAXv R0 = R1, R1", "expected an operation");
}

bool a2xx_parse_alu(struct a2xx_line *line, const struct a2xx_state *state,
                    struct a2xx_record *record)
{
    struct a2xx_alu alu = a2xx_idle_alu(state->idle);
    struct operation operation;
    if (ascii_is_digit(ASM_PEEK(line)))
        return a2xx_parse_words(line, record);
    if (!take_operation(line, &operation))
        return false;
    bool good;
    if (find_name(find_vector_name, &operation))
        good = parse_vector(line, &operation, record, &alu);
    else if (find_name(find_scalar_name, &operation))
        good = parse_scalar(line, &operation, record, &alu);
    else
        return asm_fail_name(line->error, "a2xx-operation", operation.at, operation.name,
                             operation.length, "unknown operation");
    a2xx_encode_alu(&alu, record->words);
    return good;
}

bool a2xx_parse_scalar(struct a2xx_line *line, struct a2xx_record *record)
{
    struct a2xx_alu alu = a2xx_decode_alu(record->words);
    struct operation operation;
    if (!take_operation(line, &operation))
        return false;
    find_name(find_scalar_name, &operation);
    bool good = parse_scalar(line, &operation, record, &alu);
    a2xx_encode_alu(&alu, record->words);
    return good;
}
