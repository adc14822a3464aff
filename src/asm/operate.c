/* SPDX-License-Identifier: MIT */
/* operate.c - see operate.h.
 *
 * Source:  C for its operators; the vc4asm manual (maazl/vc4asm, doc/expressions.html) for the
 *          others, and its src/Eval.cpp for comparisons between different kinds of operands.
 * Differs: "!", "&&", "||", "^^" and "!^^" accept floats, ceil and floor accept integers, and all
 *          operators accept labels, as in GNU as. A shift by 64 or more shifts out all bits. */
#include "asm/operate.h"

#include <math.h>
#include <string.h>

/* --- operators --- */

#define OPERATOR(text, operation, level)         \
    {                                            \
        text, sizeof(text) - 1, operation, level \
    }

/* The operators, in groups by their first character. Within a group, longer operators come first,
 * because the first match is taken. */
static const struct asm_operator groups[][9] = {
    /* clang-format off */
    {
        OPERATOR("><<<", OP_ROTATE_LEFT_64,   9),
        OPERATOR(">>><", OP_ROTATE_RIGHT_64,  9),
        OPERATOR(">>>",  OP_RIGHT_LOGICAL,    9),
        OPERATOR("><<",  OP_ROTATE_LEFT_32,   9),
        OPERATOR(">><",  OP_ROTATE_RIGHT_32,  9),
        OPERATOR(">>",   OP_RIGHT,            9),
        OPERATOR(">=",   OP_GREATER_EQUAL,    8),
        OPERATOR(">",    OP_GREATER,          8),
    },
    {
        OPERATOR("<<<",  OP_LEFT_LOGICAL,     9),
        OPERATOR("<=>",  OP_COMPARE,          8),
        OPERATOR("<<",   OP_LEFT,             9),
        OPERATOR("<=",   OP_LESS_EQUAL,       8),
        OPERATOR("<",    OP_LESS,             8),
    },
    {
        OPERATOR("===",  OP_SAME,             7),
        OPERATOR("==",   OP_EQUAL,            7),
    },
    {
        OPERATOR("!==",  OP_DIFFERENT,        7),
        OPERATOR("!^^",  OP_ONE_NOT,          2),
        OPERATOR("!=",   OP_UNEQUAL,          7),
        OPERATOR("!^",   OP_XNOR,             5),
    },
    {
        OPERATOR("**",   OP_POWER,            12),
        OPERATOR("*",    OP_MULTIPLY,         11),
    },
    {
        OPERATOR("^^",   OP_ONE,              2),
        OPERATOR("^",    OP_XOR,              5),
    },
    {
        OPERATOR("&&",   OP_BOTH,             3),
        OPERATOR("&",    OP_AND,              6),
    },
    {
        OPERATOR("||",   OP_EITHER,           1),
        OPERATOR("|",    OP_OR,               4),
    },
    {
        OPERATOR("/",    OP_DIVIDE,           11),
    },
    {
        OPERATOR("%",    OP_MODULO,           11),
    },
    {
        OPERATOR("+",    OP_ADD,              10),
    },
    {
        OPERATOR("-",    OP_SUBTRACT,         10),
    },
    /* clang-format on */
};

/* Returns the operators that start with a character, or NULL if there are none. The last one is
 * followed by an empty row. */
static const struct asm_operator *operators_from(char first)
{
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++)
        if (groups[i][0].text[0] == first)
            return groups[i];
    return NULL;
}

const struct asm_operator *asm_operator_find(const char *text, size_t length)
{
    const struct asm_operator *operator= length ? operators_from(text[0]) : NULL;
    for (; operator&& operator->text; operator++)
        if (length >= operator->length && memcmp(text, operator->text, operator->length) == 0)
            return operator;
    return NULL;
}

/* --- integers --- */

static int64_t power(int64_t base, int64_t exponent)
{
    if (exponent < 0)
        return (int64_t)floor(pow((double)base, (double)exponent) + 0.5);
    uint64_t result = 1, square = (uint64_t)base;
    for (uint64_t left = (uint64_t)exponent; left; left >>= 1) {
        if (left & 1)
            result *= square;
        square *= square;
    }
    return (int64_t)result;
}

static int64_t shift_left(int64_t value, int64_t count, bool logical);

static int64_t shift_right(int64_t value, int64_t count, bool logical)
{
    if (count < 0)
        return shift_left(value, count == INT64_MIN ? INT64_MAX : -count, logical);
    if (logical)
        return count > 63 ? 0 : (int64_t)((uint64_t)value >> count);
    return value >> (count > 63 ? 63 : count);
}

static int64_t shift_left(int64_t value, int64_t count, bool logical)
{
    if (count < 0)
        return shift_right(value, count == INT64_MIN ? INT64_MAX : -count, logical);
    return count > 63 ? 0 : (int64_t)((uint64_t)value << count);
}

static int64_t rotate_32(int64_t value, int64_t left)
{
    uint32_t bits = (uint32_t)value;
    return bits << (left & 31) | bits >> (-left & 31);
}

static int64_t rotate_64(int64_t value, int64_t left)
{
    uint64_t bits = (uint64_t)value;
    return (int64_t)(bits << (left & 63) | bits >> (-left & 63));
}

static int64_t negative(int64_t value)
{
    return (int64_t)(0 - (uint64_t)value);
}

/* Returns a / b. b must not be 0. INT64_MIN / -1 wraps like the other operations. */
static int64_t quotient(int64_t a, int64_t b)
{
    return b == -1 ? negative(a) : a / b;
}

static int64_t integer_result(enum asm_operation operation, int64_t a, int64_t b)
{
    switch (operation) {
    case OP_POWER: return power(a, b);
    case OP_MULTIPLY: return (int64_t)((uint64_t)a * (uint64_t)b);
    case OP_DIVIDE: return quotient(a, b);
    case OP_MODULO: return b == -1 ? 0 : a % b;
    case OP_ADD: return (int64_t)((uint64_t)a + (uint64_t)b);
    case OP_SUBTRACT: return (int64_t)((uint64_t)a - (uint64_t)b);
    case OP_LEFT: return shift_left(a, b, false);
    case OP_RIGHT: return shift_right(a, b, false);
    case OP_LEFT_LOGICAL: return shift_left(a, b, true);
    case OP_RIGHT_LOGICAL: return shift_right(a, b, true);
    case OP_ROTATE_LEFT_32: return rotate_32(a, b & 31);
    case OP_ROTATE_RIGHT_32: return rotate_32(a, -(b & 31));
    case OP_ROTATE_LEFT_64: return rotate_64(a, b & 63);
    case OP_ROTATE_RIGHT_64: return rotate_64(a, -(b & 63));
    case OP_AND: return a & b;
    case OP_XOR: return a ^ b;
    case OP_XNOR: return ~(a ^ b);
    case OP_OR: return a | b;
    case OP_BOTH: return a && b;
    case OP_ONE: return !a != !b;
    case OP_ONE_NOT: return !a == !b;
    case OP_EITHER: return a || b;
    default: return 0;
    }
}

/* --- comparisons --- */

/* Result of "<=>" if one side is NaN. */
#define INDETERMINATE (-INT64_C(0x80000000))

/* Returns the order of a value's kind in comparisons: numbers are less than operands, and operands
 * are less than labels. */
static int rank(const struct asm_value *value)
{
    return value->colon ? 2 : value->kind == ASM_OPERAND;
}

static int64_t compare(const struct asm_place *place, const struct asm_value *a,
                       const struct asm_value *b)
{
    bool places = a->label && b->label;
    if (rank(a) != rank(b) && !places)
        return rank(a) < rank(b) ? -1 : 1;
    if (rank(a) == 1 && place->operands && place->operands->compare) {
        int order = place->operands->compare(a, b);
        return (order > 0) - (order < 0);
    }
    if (a->kind != ASM_FLOAT && b->kind != ASM_FLOAT)
        return (a->integer > b->integer) - (a->integer < b->integer);
    double left = asm_real(a), right = asm_real(b);
    if (isnan(left) || isnan(right))
        return INDETERMINATE;
    return (left > right) - (left < right);
}

static bool is_same(const struct asm_place *place, const struct asm_value *a,
                    const struct asm_value *b)
{
    if (a->kind != b->kind || a->colon != b->colon)
        return false;
    return a->kind == ASM_FLOAT ? memcmp(&a->real, &b->real, sizeof a->real) == 0
                                : compare(place, a, b) == 0;
}

static int64_t relation(enum asm_operation operation, const struct asm_place *place,
                        const struct asm_value *a, const struct asm_value *b)
{
    int64_t order = compare(place, a, b);
    switch (operation) {
    case OP_LESS: return order == -1;
    case OP_LESS_EQUAL: return order == -1 || order == 0;
    case OP_GREATER: return order == 1;
    case OP_GREATER_EQUAL: return order >= 0;
    case OP_EQUAL: return order == 0;
    case OP_UNEQUAL: return order != 0;
    case OP_SAME: return is_same(place, a, b);
    case OP_DIFFERENT: return !is_same(place, a, b);
    default: return order;
    }
}

/* --- floats --- */

static bool real_result(enum asm_operation operation, double a, double b, double *result)
{
    switch (operation) {
    case OP_POWER: *result = pow(a, b); return true;
    case OP_MULTIPLY: *result = a * b; return true;
    case OP_DIVIDE: *result = a / b; return true;
    case OP_MODULO: *result = fmod(a, b); return true;
    case OP_ADD: *result = a + b; return true;
    case OP_SUBTRACT: *result = a - b; return true;
    default: return false;
    }
}

/* Returns value * 2^exponent, the result of shifting a float. */
static double scaled(double value, int64_t exponent)
{
    enum { FARTHEST = 5000 };
    if (exponent > FARTHEST)
        exponent = FARTHEST;
    if (exponent < -FARTHEST)
        exponent = -FARTHEST;
    return ldexp(value, (int)exponent);
}

static bool operate_real(const struct asm_operator *info, const struct asm_place *place,
                         struct asm_value *a, const struct asm_value *b)
{
    bool shifts = info->operation == OP_LEFT || info->operation == OP_RIGHT;
    if (shifts && a->kind == ASM_FLOAT && b->kind == ASM_INTEGER) {
        int64_t limited = b->integer < -10000 ? -10000 : b->integer;
        a->real = scaled(a->real, info->operation == OP_LEFT ? limited : -limited);
        return true;
    }
    double result = 0;
    if (!real_result(info->operation, asm_real(a), asm_real(b), &result) && !place->dead)
        return asm_fail(place->error, "asm-type", place->offset, NULL,
                        "'%s' requires integers, not floats", info->text);
    a->kind = ASM_FLOAT;
    a->real = result;
    return true;
}

/* --- operands of the instruction set --- */

static bool operand_operator(enum asm_operation operation, enum asm_operand_operator *result)
{
    switch (operation) {
    case OP_ADD: *result = ASM_OPERAND_ADD; return true;
    case OP_SUBTRACT: *result = ASM_OPERAND_SUBTRACT; return true;
    case OP_LEFT: *result = ASM_OPERAND_LEFT; return true;
    case OP_RIGHT: *result = ASM_OPERAND_RIGHT; return true;
    case OP_AND: *result = ASM_OPERAND_AND; return true;
    default: return false;
    }
}

static bool apply_operand(const struct asm_place *place, enum asm_operand_operator operation,
                          struct asm_value *left, const struct asm_value *right)
{
    struct asm_error *error = place->error;
    if (place->operands->apply(operation, left, right, error))
        return true;
    error->offset = place->offset;
    return false;
}

static bool operate_operand(const struct asm_operator *info, const struct asm_place *place,
                            struct asm_value *a, const struct asm_value *b)
{
    enum asm_operand_operator operation;
    struct asm_value left = *a, right = *b;
    if (place->dead || a->unknown)
        return true;
    if (a->kind != ASM_OPERAND && info->operation == OP_ADD) {
        left = *b;
        right = *a;
    }
    if (left.kind != ASM_OPERAND || !place->operands || !place->operands->apply ||
        !operand_operator(info->operation, &operation))
        return asm_fail(place->error, "asm-type", place->offset, NULL,
                        "'%s' cannot be used with a register or a per-element constant",
                        info->text);
    *a = left;
    return apply_operand(place, operation, a, &right);
}

/* --- evaluation --- */

/* A label plus or minus a number is an address. The difference of two labels is a number. */
static void keep_label(enum asm_operation operation, struct asm_value *a, const struct asm_value *b)
{
    a->label = (operation == OP_ADD && a->label != b->label) ||
               (operation == OP_SUBTRACT && a->label && !b->label);
    a->relative = a->label && (a->relative || b->relative);
    a->colon = a->label && (a->colon || b->colon);
}

static void set_integer(struct asm_value *value, int64_t integer)
{
    value->kind = ASM_INTEGER;
    value->integer = integer;
}

bool asm_operate(const struct asm_operator *info, const struct asm_place *place,
                 struct asm_value *a, const struct asm_value *b)
{
    enum asm_operation operation = info->operation;
    a->unknown = a->unknown || b->unknown;
    a->forward = a->forward || b->forward;
    if (operation >= OP_LESS && operation <= OP_DIFFERENT) {
        set_integer(a, relation(operation, place, a, b));
        a->label = a->relative = a->colon = false;
        return true;
    }
    if (a->kind == ASM_OPERAND || b->kind == ASM_OPERAND)
        return operate_operand(info, place, a, b);
    keep_label(operation, a, b);
    if (operation >= OP_BOTH) {
        set_integer(a, integer_result(operation, asm_true(a), asm_true(b)));
        return true;
    }
    if (a->kind == ASM_FLOAT || b->kind == ASM_FLOAT)
        return operate_real(info, place, a, b);
    bool divides = operation == OP_DIVIDE || operation == OP_MODULO;
    if (divides && b->integer == 0) {
        a->integer = 0;
        return a->unknown || place->dead ||
               asm_fail(place->error, "asm-range", place->offset, NULL, "division by zero");
    }
    a->integer = integer_result(operation, a->integer, b->integer);
    return true;
}

static bool unary_operand(char operator, const struct asm_place * place, struct asm_value *value)
{
    if (operator== '+' || place->dead || value->unknown)
        return true;
    if (operator== '!' || !place->operands || !place->operands->apply)
        return asm_fail(place->error, "asm-type", place->offset, NULL,
                        "'%c' cannot be used with a register or a per-element constant", operator);
    return apply_operand(place, operator== '-' ? ASM_OPERAND_NEGATE : ASM_OPERAND_NOT, value, NULL);
}

bool asm_operate_unary(char operator, const struct asm_place * place, struct asm_value *value)
{
    if (value->kind == ASM_OPERAND)
        return unary_operand(operator, place, value);
    if (operator== '+')
        return true;
    value->label = value->relative = value->colon = false;
    if (operator== '!') {
        set_integer(value, !asm_true(value));
    } else if (operator== '-') {
        value->integer = negative(value->integer);
        value->real = -value->real;
    } else {
        if (value->kind == ASM_FLOAT && !place->dead)
            return asm_fail(place->error, "asm-type", place->offset, NULL,
                            "'~' requires an integer, not a float");
        value->integer = ~value->integer;
    }
    return true;
}

/* --- functions --- */

static double exp10_of(double value)
{
    return pow(10, value);
}

/* Returns the logarithm to base 2, computed as in vc4asm. log2() may differ in the last bit. */
static double log2_of(double value)
{
    return log(value) / 0.693147180559945309417232121458176568;
}

enum math_kind { MATH_REAL, MATH_ABS, MATH_ROUND };

struct asm_math {
    const char *name;
    double (*function)(double value);
    enum math_kind kind;
};

static const struct asm_math functions[] = {
    /* clang-format off */
    {"abs",   fabs,     MATH_ABS},
    {"ceil",  ceil,     MATH_ROUND},
    {"floor", floor,    MATH_ROUND},
    {"sqrt",  sqrt,     MATH_REAL},
    {"exp",   exp,      MATH_REAL},
    {"exp2",  exp2,     MATH_REAL},
    {"exp10", exp10_of, MATH_REAL},
    {"log",   log,      MATH_REAL},
    {"log2",  log2_of,  MATH_REAL},
    {"log10", log10,    MATH_REAL},
    {"cos",   cos,      MATH_REAL},
    {"sin",   sin,      MATH_REAL},
    {"tan",   tan,      MATH_REAL},
    {"acos",  acos,     MATH_REAL},
    {"asin",  asin,     MATH_REAL},
    {"atan",  atan,     MATH_REAL},
    {"cosh",  cosh,     MATH_REAL},
    {"sinh",  sinh,     MATH_REAL},
    {"tanh",  tanh,     MATH_REAL},
    {"acosh", acosh,    MATH_REAL},
    {"asinh", asinh,    MATH_REAL},
    {"atanh", atanh,    MATH_REAL},
    {"erf",   erf,      MATH_REAL},
    {"erfc",  erfc,     MATH_REAL},
    /* clang-format on */
};

const char *asm_math_name(size_t i)
{
    return i < sizeof functions / sizeof functions[0] ? functions[i].name : NULL;
}

const struct asm_math *asm_math_find(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        if (functions[i].name[0] == name[0] && strncmp(functions[i].name, name, length) == 0 &&
            functions[i].name[length] == '\0')
            return &functions[i];
    return NULL;
}

static bool round_value(const struct asm_math *math, const struct asm_place *place,
                        struct asm_value *value)
{
    double result = math->function(asm_real(value));
    if (value->kind == ASM_INTEGER)
        return true;
    if (!(fabs(result) < 9223372036854775808.0)) {
        set_integer(value, 0);
        return place->dead || asm_fail(place->error, "asm-range", place->offset, NULL,
                                       "the result of '%s' does not fit in 64 bits", math->name);
    }
    set_integer(value, (int64_t)result);
    return true;
}

bool asm_math_apply(const struct asm_math *math, const struct asm_place *place,
                    struct asm_value *value)
{
    if (value->kind == ASM_OPERAND)
        return place->dead || value->unknown ||
               asm_fail(place->error, "asm-type", place->offset, NULL, "'%s' requires a number",
                        math->name);
    value->label = value->relative = value->colon = false;
    if (math->kind == MATH_ROUND)
        return round_value(math, place, value);
    if (math->kind == MATH_ABS && value->kind == ASM_INTEGER) {
        value->integer = value->integer < 0 ? negative(value->integer) : value->integer;
        return true;
    }
    value->real = math->function(asm_real(value));
    value->kind = ASM_FLOAT;
    return true;
}
