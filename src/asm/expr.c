/* SPDX-License-Identifier: MIT */
/* expr.c - see expr.h.
 *
 * Source:   operators and precedence of C; additions and number forms of the vc4asm manual
 *           (maazl/vc4asm, doc/expressions.html); floats like 0e1.0 of GNU as.
 * Left out: vc4asm's functions (sin, log ...), rotations and per-element constants.
 * Differs:  "?:" is accepted as in C. Integers mixed with floats become floats. */
#include "asm/expr.h"

#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"

enum { NESTING_MAX = 128, NUMBER_TEXT_MAX = 400 };

struct parser {
    const char *text;
    size_t length, at;
    const struct asm_names *names;
    struct asm_error *error;
    unsigned nesting;
    unsigned dead; /* inside the operand that && || ?: does not evaluate: no arithmetic errors */
};

bool asm_fail(struct asm_error *error, const char *rule, size_t offset, const char *hint,
              const char *format, ...)
{
    error->rule = rule;
    error->offset = offset;
    error->hint = hint;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return false;
}

bool asm_is_blank(char character)
{
    return character == ' ' || character == '\t';
}

bool asm_is_digit(char character)
{
    return character >= '0' && character <= '9';
}

bool asm_starts_name(char character)
{
    return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
           character == '_';
}

bool asm_in_name(char character)
{
    return asm_starts_name(character) || asm_is_digit(character);
}

size_t asm_name_length(const char *text, size_t length, size_t at)
{
    if (at >= length || !asm_starts_name(text[at]))
        return 0;
    size_t end = at;
    while (end < length && asm_in_name(text[end]))
        end++;
    return end - at;
}

double asm_real(const struct asm_value *value)
{
    return value->kind == ASM_FLOAT ? value->real : (double)value->integer;
}

bool asm_true(const struct asm_value *value)
{
    return value->kind == ASM_FLOAT ? value->real != 0 : value->integer != 0;
}

static char peek(const struct parser *p, size_t ahead)
{
    return p->length - p->at > ahead ? p->text[p->at + ahead] : '\0';
}

static void skip_blanks(struct parser *p)
{
    while (asm_is_blank(peek(p, 0)))
        p->at++;
}

static int digit_value(char character)
{
    if (asm_is_digit(character))
        return character - '0';
    if (character >= 'a' && character <= 'f')
        return character - 'a' + 10;
    if (character >= 'A' && character <= 'F')
        return character - 'A' + 10;
    return 99;
}

/* --- numbers --- */

static bool parse_digits(struct parser *p, unsigned base, uint64_t *number)
{
    size_t start = p->at;
    *number = 0;
    for (; digit_value(peek(p, 0)) < (int)base; p->at++) {
        uint64_t digit = (uint64_t)digit_value(peek(p, 0));
        if (*number > (UINT64_MAX - digit) / base)
            return asm_fail(p->error, "asm-range", start, NULL, "number needs more than 64 bits");
        *number = *number * base + digit;
    }
    if (p->at == start || asm_in_name(peek(p, 0)))
        return asm_fail(p->error, "asm-syntax", p->at, NULL, "bad digit in a base-%u number", base);
    return true;
}

/* The end of digits, point and exponent from offset on; *is_real tells whether there was more than
 * digits. */
static size_t scan_decimal(const struct parser *p, size_t offset, bool *is_real)
{
    size_t at = offset;
    while (asm_is_digit(peek(p, at)))
        at++;
    *is_real = false;
    if (peek(p, at) == '.') {
        *is_real = true;
        for (at++; asm_is_digit(peek(p, at)); at++)
            continue;
    }
    if (peek(p, at) == 'e' || peek(p, at) == 'E') {
        size_t sign = peek(p, at + 1) == '+' || peek(p, at + 1) == '-' ? 1 : 0;
        if (asm_is_digit(peek(p, at + 1 + sign))) {
            *is_real = true;
            for (at += 1 + sign; asm_is_digit(peek(p, at)); at++)
                continue;
        }
    }
    return at;
}

/* strtod() wants the decimal point of the process's locale. */
static double decimal_value(const char *text, size_t length)
{
    char copy[NUMBER_TEXT_MAX + 16];
    const char *point = localeconv()->decimal_point;
    size_t filled = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] != '.') {
            copy[filled++] = text[i];
            continue;
        }
        for (size_t k = 0; point[k] && k < 8; k++)
            copy[filled++] = point[k];
    }
    copy[filled] = '\0';
    return strtod(copy, NULL);
}

static bool parse_real(struct parser *p, size_t length, struct asm_value *value)
{
    if (length > NUMBER_TEXT_MAX)
        return asm_fail(p->error, "asm-range", p->at, NULL, "number has too many digits");
    *value = (struct asm_value){.kind = ASM_FLOAT, .real = decimal_value(p->text + p->at, length)};
    p->at += length;
    if (asm_in_name(peek(p, 0)))
        return asm_fail(p->error, "asm-syntax", p->at, NULL, "stray '%c' behind a number",
                        peek(p, 0));
    return true;
}

/* GNU's 0e1.0: the letter only says that a float follows. */
static bool parse_gnu_real(struct parser *p, struct asm_value *value)
{
    p->at += 2;
    bool negative = peek(p, 0) == '-';
    if (negative || peek(p, 0) == '+')
        p->at++;
    bool is_real;
    size_t length = scan_decimal(p, 0, &is_real);
    if (length == 0)
        return asm_fail(p->error, "asm-syntax", p->at, NULL, "digits expected behind '0e'");
    if (!parse_real(p, length, value))
        return false;
    if (negative)
        value->real = -value->real;
    return true;
}

/* "1f" and "1b": the next and the previous label ":1". */
static bool is_numbered(const struct parser *p)
{
    size_t at = 0;
    while (asm_is_digit(peek(p, at)))
        at++;
    return at > 0 && (peek(p, at) == 'f' || peek(p, at) == 'b') && !asm_in_name(peek(p, at + 1)) &&
           peek(p, at + 1) != '.';
}

static bool parse_numbered(struct parser *p, struct asm_value *value)
{
    size_t start = p->at;
    uint64_t number = 0;
    for (; asm_is_digit(peek(p, 0)); p->at++)
        if (number <= UINT32_MAX)
            number = number * 10 + (uint64_t)(peek(p, 0) - '0');
    bool after = peek(p, 0) == 'f';
    p->at++;
    if (number <= UINT32_MAX &&
        p->names->numbered(p->names->user, (uint32_t)number, after, value)) {
        value->label = true;
        return true;
    }
    return asm_fail(p->error, "asm-undefined", start, NULL, "no label :%llu %s this place",
                    (unsigned long long)number, after ? "after" : "before");
}

static bool parse_number(struct parser *p, struct asm_value *value)
{
    if (is_numbered(p))
        return parse_numbered(p, value);
    char second = peek(p, 0) == '0' ? peek(p, 1) : '\0';
    if (second == 'e' || second == 'E')
        return parse_gnu_real(p, value);
    bool is_real;
    size_t length = scan_decimal(p, 0, &is_real);
    if (is_real)
        return parse_real(p, length, value);

    unsigned base = 10;
    if (second == 'x' || second == 'X')
        base = 16;
    else if (second == 'b' || second == 'B')
        base = 2;
    else if (asm_is_digit(second))
        base = 8;
    p->at += base == 16 || base == 2 ? 2 : 0;
    uint64_t number;
    if (!parse_digits(p, base, &number))
        return false;
    *value = (struct asm_value){.kind = ASM_INTEGER, .integer = (int64_t)number};
    return true;
}

/* --- characters --- */

static bool escape_digits(const char *text, size_t length, size_t *at, unsigned base, unsigned most,
                          uint8_t *character)
{
    unsigned number = 0, count = 0;
    while (count < most && *at < length && digit_value(text[*at]) < (int)base) {
        number = number * base + (unsigned)digit_value(text[(*at)++]);
        count++;
    }
    *character = (uint8_t)number;
    return count > 0;
}

bool asm_character(const char *text, size_t length, size_t *at, uint8_t *character)
{
    static const char letters[] = "abefnrtv\\\"'", codes[] = "\a\b\033\f\n\r\t\v\\\"'";
    if (*at >= length)
        return false;
    char first = text[(*at)++];
    *character = (uint8_t)first;
    if (first != '\\')
        return true;
    if (*at >= length)
        return false;
    char second = text[*at];
    if (digit_value(second) < 8)
        return escape_digits(text, length, at, 8, 3, character);
    (*at)++;
    if (second == 'x')
        return escape_digits(text, length, at, 16, 2, character);
    const char *found = strchr(letters, second);
    if (!found || second == '\0')
        return false;
    *character = (uint8_t)codes[found - letters];
    return true;
}

static bool parse_character(struct parser *p, struct asm_value *value)
{
    size_t start = p->at++;
    uint8_t character;
    if (!asm_character(p->text, p->length, &p->at, &character) || peek(p, 0) != '\'')
        return asm_fail(p->error, "asm-syntax", start, NULL, "bad character constant");
    p->at++;
    *value = (struct asm_value){.kind = ASM_INTEGER, .integer = character};
    return true;
}

/* --- operators --- */

enum operation {
    OP_POWER,
    OP_MULTIPLY,
    OP_DIVIDE,
    OP_MODULO,
    OP_ADD,
    OP_SUBTRACT,
    OP_LEFT,
    OP_RIGHT,
    OP_LEFT_LOGICAL,
    OP_RIGHT_LOGICAL,
    OP_LESS,
    OP_LESS_EQUAL,
    OP_GREATER,
    OP_GREATER_EQUAL,
    OP_EQUAL,
    OP_UNEQUAL,
    OP_AND,
    OP_XOR,
    OP_OR,
    OP_BOTH,
    OP_ONE,
    OP_EITHER,
};

static const struct operator_info {
    const char *text;
    enum operation operation;
    unsigned level; /* higher binds tighter */
} operators[] = {
  /* Longer texts before their beginnings. */
    {"<<<", OP_LEFT_LOGICAL,  9 },
    {">>>", OP_RIGHT_LOGICAL, 9 },
    {"**",  OP_POWER,         12},
    {"<<",  OP_LEFT,          9 },
    {">>",  OP_RIGHT,         9 },
    {"<=",  OP_LESS_EQUAL,    8 },
    {">=",  OP_GREATER_EQUAL, 8 },
    {"==",  OP_EQUAL,         7 },
    {"!=",  OP_UNEQUAL,       7 },
    {"&&",  OP_BOTH,          3 },
    {"^^",  OP_ONE,           2 },
    {"||",  OP_EITHER,        1 },
    {"*",   OP_MULTIPLY,      11},
    {"/",   OP_DIVIDE,        11},
    {"%",   OP_MODULO,        11},
    {"+",   OP_ADD,           10},
    {"-",   OP_SUBTRACT,      10},
    {"<",   OP_LESS,          8 },
    {">",   OP_GREATER,       8 },
    {"&",   OP_AND,           6 },
    {"^",   OP_XOR,           5 },
    {"|",   OP_OR,            4 },
};

static const struct operator_info *peek_operator(const struct parser *p)
{
    for (size_t i = 0; i < sizeof operators / sizeof operators[0]; i++) {
        size_t length = strlen(operators[i].text);
        if (p->length - p->at >= length && memcmp(p->text + p->at, operators[i].text, length) == 0)
            return &operators[i];
    }
    return NULL;
}

static int64_t power(int64_t base, int64_t exponent)
{
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

/* The divisor is not 0. INT64_MIN / -1 wraps like the other operations. */
static int64_t quotient(int64_t a, int64_t b)
{
    return b == -1 ? (int64_t)(0 - (uint64_t)a) : a / b;
}

static int64_t integer_result(enum operation operation, int64_t a, int64_t b)
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
    case OP_LESS: return a < b;
    case OP_LESS_EQUAL: return a <= b;
    case OP_GREATER: return a > b;
    case OP_GREATER_EQUAL: return a >= b;
    case OP_EQUAL: return a == b;
    case OP_UNEQUAL: return a != b;
    case OP_AND: return a & b;
    case OP_XOR: return a ^ b;
    case OP_OR: return a | b;
    case OP_BOTH: return a && b;
    case OP_ONE: return !a != !b;
    case OP_EITHER: return a || b;
    }
    return 0;
}

static bool is_comparison(enum operation operation)
{
    return operation >= OP_LESS && operation <= OP_UNEQUAL;
}

static int64_t compare_reals(enum operation operation, double a, double b)
{
    switch (operation) {
    case OP_LESS: return a < b;
    case OP_LESS_EQUAL: return a <= b;
    case OP_GREATER: return a > b;
    case OP_GREATER_EQUAL: return a >= b;
    case OP_EQUAL: return a == b;
    default: return a != b;
    }
}

static bool real_result(enum operation operation, double a, double b, double *result)
{
    switch (operation) {
    case OP_MULTIPLY: *result = a * b; return true;
    case OP_DIVIDE: *result = a / b; return true;
    case OP_ADD: *result = a + b; return true;
    case OP_SUBTRACT: *result = a - b; return true;
    default: return false;
    }
}

static bool combine_reals(struct parser *p, const struct operator_info *info, size_t offset,
                          struct asm_value *a, const struct asm_value *b)
{
    double left = asm_real(a), right = asm_real(b);
    if (is_comparison(info->operation)) {
        a->kind = ASM_INTEGER;
        a->integer = compare_reals(info->operation, left, right);
        return true;
    }
    a->kind = ASM_FLOAT;
    a->label = a->relative = false;
    if (!real_result(info->operation, left, right, &a->real) && !p->dead)
        return asm_fail(p->error, "asm-type", offset, NULL, "'%s' needs integers, not floats",
                        info->text);
    return true;
}

/* A label plus or minus a number is a place, too; the distance between two labels is a number. */
static void keep_label(enum operation operation, struct asm_value *a, const struct asm_value *b)
{
    a->label = (operation == OP_ADD && a->label != b->label) ||
               (operation == OP_SUBTRACT && a->label && !b->label);
    a->relative = a->label && (a->relative || b->relative);
}

static bool combine(struct parser *p, const struct operator_info *info, size_t offset,
                    struct asm_value *a, const struct asm_value *b)
{
    a->unknown = a->unknown || b->unknown;
    a->forward = a->forward || b->forward;
    keep_label(info->operation, a, b);
    if (info->operation >= OP_BOTH) {
        a->integer = integer_result(info->operation, asm_true(a), asm_true(b));
        a->kind = ASM_INTEGER;
        return true;
    }
    if (a->kind == ASM_FLOAT || b->kind == ASM_FLOAT)
        return combine_reals(p, info, offset, a, b);

    bool divides = info->operation == OP_DIVIDE || info->operation == OP_MODULO;
    if (divides && b->integer == 0) {
        a->integer = 0;
        if (a->unknown || p->dead)
            return true;
        return asm_fail(p->error, "asm-range", offset, NULL, "division by zero");
    }
    if (info->operation == OP_POWER && b->integer < 0 && !p->dead)
        return asm_fail(p->error, "asm-range", offset, NULL, "negative power of an integer");
    a->integer = integer_result(info->operation, a->integer, b->integer);
    return true;
}

/* --- grammar --- */

static bool parse_choice(struct parser *p, struct asm_value *value);

static bool parse_symbol(struct parser *p, bool only_labels, struct asm_value *value)
{
    size_t start = p->at, length = asm_name_length(p->text, p->length, start);
    if (only_labels && is_numbered(p))
        return parse_numbered(p, value);
    if (length == 0)
        return asm_fail(p->error, "asm-syntax", start, NULL, "label name expected behind ':'");
    p->at += length;
    if (p->names->lookup(p->names->user, p->text + start, length, only_labels, value))
        return true;
    return asm_fail(p->error, "asm-undefined", start, NULL, "undefined %s '%.*s'",
                    only_labels ? "label" : "symbol", length > 100 ? 100 : (int)length,
                    p->text + start);
}

static bool parse_parenthesis(struct parser *p, struct asm_value *value)
{
    size_t start = p->at++;
    if (!parse_choice(p, value))
        return false;
    if (peek(p, 0) != ')')
        return asm_fail(p->error, "asm-syntax", start, NULL, "no ')' for this '('");
    p->at++;
    return true;
}

static bool parse_primary(struct parser *p, struct asm_value *value)
{
    char first = peek(p, 0);
    if (first == '(')
        return parse_parenthesis(p, value);
    if (asm_is_digit(first) || (first == '.' && asm_is_digit(peek(p, 1))))
        return parse_number(p, value);
    if (first == '\'')
        return parse_character(p, value);
    if (first == '.') {
        p->at++;
        *value = (struct asm_value){.integer = p->names->address, .label = true};
        return true;
    }
    if (first == ':' || (first == 'r' && peek(p, 1) == ':')) {
        p->at += first == 'r' ? 2 : 1;
        bool good = parse_symbol(p, true, value);
        value->relative = first == 'r';
        return good;
    }
    if (asm_starts_name(first))
        return parse_symbol(p, false, value);
    if (first == '\0' || p->at >= p->length)
        return asm_fail(p->error, "asm-syntax", p->at, NULL, "expression expected");
    return asm_fail(p->error, "asm-syntax", p->at, NULL, "expression expected, not '%c'",
                    first >= 0x20 && first < 0x7f ? first : '?');
}

static bool apply_unary(struct parser *p, char operation, size_t offset, struct asm_value *value)
{
    value->label = value->relative = false;
    if (operation == '!') {
        value->integer = !asm_true(value);
        value->kind = ASM_INTEGER;
    } else if (operation == '-') {
        value->integer = (int64_t)(0 - (uint64_t)value->integer);
        value->real = -value->real;
    } else if (operation == '~') {
        if (value->kind == ASM_FLOAT && !p->dead)
            return asm_fail(p->error, "asm-type", offset, NULL,
                            "'~' needs an integer, not a float");
        value->integer = ~value->integer;
    }
    return true;
}

static bool parse_unary(struct parser *p, struct asm_value *value)
{
    skip_blanks(p);
    if (p->nesting >= NESTING_MAX)
        return asm_fail(p->error, "asm-limit", p->at, NULL, "expression is nested too deeply");
    p->nesting++;
    char first = peek(p, 0);
    bool good;
    if (first != '\0' && strchr("+-~!", first)) {
        size_t offset = p->at++;
        good = parse_unary(p, value) && apply_unary(p, first, offset, value);
    } else {
        good = parse_primary(p, value);
        skip_blanks(p);
    }
    p->nesting--;
    return good;
}

/* Whether the left operand alone decides, as && and || promise. */
static bool decided(enum operation operation, const struct asm_value *left)
{
    return !left->unknown && ((operation == OP_BOTH && !asm_true(left)) ||
                              (operation == OP_EITHER && asm_true(left)));
}

static bool parse_binary(struct parser *p, unsigned lowest, struct asm_value *value)
{
    if (!parse_unary(p, value))
        return false;
    const struct operator_info *info;
    while ((info = peek_operator(p)) && info->level >= lowest) {
        size_t offset = p->at;
        p->at += strlen(info->text);
        unsigned dead = decided(info->operation, value) ? 1 : 0;
        p->dead += dead;
        struct asm_value right = {0};
        bool good = parse_binary(p, info->level + 1, &right);
        p->dead -= dead;
        if (!good || !combine(p, info, offset, value, &right))
            return false;
    }
    return true;
}

static bool parse_branch(struct parser *p, bool dead, struct asm_value *value)
{
    p->at++;
    p->dead += dead ? 1u : 0u;
    bool good = parse_choice(p, value);
    p->dead -= dead ? 1u : 0u;
    return good;
}

static bool parse_choice(struct parser *p, struct asm_value *value)
{
    if (!parse_binary(p, 1, value))
        return false;
    if (peek(p, 0) != '?')
        return true;
    struct asm_value condition = *value, yes = {0}, no = {0};
    bool chosen = asm_true(&condition);
    if (p->nesting >= NESTING_MAX)
        return asm_fail(p->error, "asm-limit", p->at, NULL, "expression is nested too deeply");
    p->nesting++;
    if (!parse_branch(p, !chosen, &yes))
        return false;
    if (peek(p, 0) != ':')
        return asm_fail(p->error, "asm-syntax", p->at, NULL, "':' expected after '?'");
    if (!parse_branch(p, chosen, &no))
        return false;
    p->nesting--;
    *value = chosen ? yes : no;
    value->unknown = value->unknown || condition.unknown;
    value->forward = value->forward || condition.forward;
    value->label = value->relative = false;
    return true;
}

bool asm_evaluate(const char *text, size_t length, size_t *at, const struct asm_names *names,
                  struct asm_value *value, struct asm_error *error)
{
    *value = (struct asm_value){0};
    struct parser p = {.text = text, .length = length, .at = *at, .names = names, .error = error};
    bool good = parse_choice(&p, value);
    *at = p.at;
    return good;
}
