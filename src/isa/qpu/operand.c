/* SPDX-License-Identifier: MIT */
/* operand.c - registers, semaphores and per-element constants in expressions.
 *
 * In:      names (registers.c), suffixes (suffix.c), and the operators that the expression
 *          evaluator finds next to an operand.
 * Out:     operands, packed into the integer of a value.
 * Source:  vc4asm, doc/expressions.html (registers) and doc/extensions.html (suffixes). */
#include "isa/qpu/operand.h"

#include <stdio.h>
#include <string.h>

#include "isa/qpu/qpu_isa.h"

enum { ELEMENTS = 16 };

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
           operand.uses == QPU_REGISTER_AB && operand.rotation == 0 && operand.mode == 0;
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

const struct asm_operands qpu_operands = {find, any_suffix, apply,   elements,
                                          raw,  print,      compare, qpu_register_name},
                          qpu_target_operands = {find, target_suffix, apply,   elements,
                                                 raw,  print,         compare, qpu_register_name},
                          qpu_source_operands = {find, source_suffix, apply,   elements,
                                                 raw,  print,         compare, qpu_register_name};
