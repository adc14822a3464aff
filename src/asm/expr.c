/* SPDX-License-Identifier: MIT */
/* expr.c - see expr.h.
 *
 * Source:  operators and precedence of C; additions and number formats of the vc4asm manual
 *          (maazl/vc4asm, doc/expressions.html); floats like 0e1.0 and the labels "1f", "1b" of GNU
 *          as.
 * Differs: "?:" is accepted as in C. Numbers with a leading zero are octal, as the manual
 *          specifies. */
#include "asm/expr.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asm/operate.h"
#include "base/ascii.h"
#include "base/bits.h"

enum { NESTING_MAX = 128, NUMBER_TEXT_MAX = 400 };

struct parser {
    const char *text;
    size_t length, at;
    const struct asm_names *names;
    struct asm_error *error;
    unsigned nesting;
    /* greater than 0 inside operands that &&, || or ?: does not evaluate; arithmetic errors in such
     * operands are ignored */
    unsigned dead;
};

static bool no_symbol(void *user, const char *name, size_t length, bool only_labels,
                      struct asm_value *value)
{
    (void)user;
    (void)name;
    (void)length;
    (void)only_labels;
    (void)value;
    return false;
}

static bool no_label(void *user, const char *name, size_t length, enum asm_which which,
                     struct asm_value *value)
{
    (void)which;
    return no_symbol(user, name, length, true, value);
}

const struct asm_names asm_no_names = {.lookup = no_symbol, .numbered = no_label};

bool asm_fail(struct asm_error *error, const char *rule, size_t offset, const char *hint,
              const char *format, ...)
{
    error->rule = rule;
    error->offset = offset;
    error->hint = hint;
    error->setting = TESS_SETTING_NONE;
    error->name = error->near = NULL;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return false;
}

bool asm_fail_name(struct asm_error *error, const char *rule, size_t offset, const char *name,
                   size_t length, const char *what)
{
    asm_fail(error, rule, offset, NULL, "%s '%.*s'", what, length > 100 ? 100 : (int)length, name);
    error->name = name;
    error->name_length = length;
    return false;
}

size_t asm_word_length(const char *text, size_t length, size_t at)
{
    size_t end = at;
    while (end < length && ascii_in_name(text[end]))
        end++;
    return end - at;
}

size_t asm_name_length(const char *text, size_t length, size_t at)
{
    return at < length && ascii_starts_name(text[at]) ? asm_word_length(text, length, at) : 0;
}

uint32_t asm_float_bits(const struct asm_value *value, const struct asm_names *names, size_t at)
{
    double real = value->unknown ? 0 : asm_real(value);
    struct asm_error warning = {0};
    if (fabs(real) > (double)FLT_MAX && !isinf(real) && names->warn) {
        asm_fail(&warning, "asm-range", at, NULL, "%g does not fit in a 32-bit float", real);
        names->warn(names->user, &warning);
    }
    return float_bits((float)real);
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

/* --- numbers --- */

static bool parse_digits(struct parser *p, unsigned base, uint64_t *number)
{
    size_t start = p->at;
    *number = 0;
    for (; ascii_digit_value(peek(p, 0)) < (int)base; p->at++) {
        uint64_t digit = (uint64_t)ascii_digit_value(peek(p, 0));
        if (*number > (UINT64_MAX - digit) / base)
            return asm_fail(p->error, "asm-range", start, NULL,
                            "the number does not fit in 64 bits");
        *number = *number * base + digit;
    }
    if (p->at == start || ascii_in_name(peek(p, 0)))
        return asm_fail(p->error, "asm-syntax", p->at, NULL, "invalid digit in a base-%u number",
                        base);
    return true;
}

/* Returns the offset after digits, point and exponent that start at offset. Sets *is_real if there
 * is a point or an exponent. */
static size_t scan_decimal(const struct parser *p, size_t offset, bool *is_real)
{
    size_t at = offset;
    while (ascii_is_digit(peek(p, at)))
        at++;
    *is_real = false;
    if (peek(p, at) == '.') {
        *is_real = true;
        for (at++; ascii_is_digit(peek(p, at)); at++)
            continue;
    }
    if (peek(p, at) == 'e' || peek(p, at) == 'E') {
        size_t sign = peek(p, at + 1) == '+' || peek(p, at + 1) == '-' ? 1 : 0;
        if (ascii_is_digit(peek(p, at + 1 + sign))) {
            *is_real = true;
            for (at += 1 + sign; ascii_is_digit(peek(p, at)); at++)
                continue;
        }
    }
    return at;
}

/* Converts a decimal number. Replaces "." by the decimal point of the process's locale, because
 * strtod() expects it. */
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
        return asm_fail(p->error, "asm-range", p->at, NULL, "the number has too many digits");
    *value = (struct asm_value){.kind = ASM_FLOAT, .real = decimal_value(p->text + p->at, length)};
    p->at += length;
    if (ascii_in_name(peek(p, 0)))
        return asm_fail(p->error, "asm-syntax", p->at, NULL, "unexpected '%c' after a number",
                        peek(p, 0));
    return true;
}

/* Parses GNU's 0e1.0. The letter "e" marks a float and begins no exponent. */
static bool parse_gnu_real(struct parser *p, struct asm_value *value)
{
    p->at += 2;
    bool negative = peek(p, 0) == '-';
    if (negative || peek(p, 0) == '+')
        p->at++;
    bool is_real;
    size_t length = scan_decimal(p, 0, &is_real);
    if (length == 0)
        return asm_fail(p->error, "asm-syntax", p->at, NULL, "expected digits after '0e'");
    if (!parse_real(p, length, value))
        return false;
    if (negative)
        value->real = -value->real;
    return true;
}

/* Returns true at "1f" or "1b", which refer to the next or to the previous label ":1". */
static bool is_numbered(const struct parser *p)
{
    size_t at = 0;
    while (ascii_is_digit(peek(p, at)))
        at++;
    return at > 0 && (peek(p, at) == 'f' || peek(p, at) == 'b') &&
           !ascii_in_name(peek(p, at + 1)) && peek(p, at + 1) != '.';
}

/* Parses a label name that starts with a digit or ".". If the name is a number with a final "f" or
 * "b", "f" selects the next definition and "b" the previous one. */
static bool parse_numbered(struct parser *p, struct asm_value *value)
{
    static const char *const places[] = {"here", "after this line", "before this line"};
    size_t start = p->at;
    p->at++;
    while (ascii_in_name(peek(p, 0)))
        p->at++;
    size_t length = p->at - start;
    char last = p->text[p->at - 1], before = length > 1 ? p->text[p->at - 2] : '\0';
    bool number = ascii_is_digit(before);
    enum asm_which which = number && last == 'f'   ? ASM_NEXT
                           : number && last == 'b' ? ASM_LAST
                                                   : ASM_CURRENT;
    length -= which != ASM_CURRENT;
    if (!p->names->numbered(p->names->user, p->text + start, length, which, value))
        return asm_fail(p->error, "asm-undefined", start, NULL, "no label ':%.*s' %s",
                        length > 100 ? 100 : (int)length, p->text + start, places[which]);
    value->label = true;
    return true;
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
    else if (second == 'o' || second == 'O' || ascii_is_digit(second))
        base = 8;
    if (base == 16 || base == 2 || second == 'o' || second == 'O' || second == 'd' || second == 'D')
        p->at += 2;
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
    while (count < most && *at < length && ascii_digit_value(text[*at]) < (int)base) {
        number = number * base + (unsigned)ascii_digit_value(text[(*at)++]);
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
    if (ascii_digit_value(second) < 8)
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
        return asm_fail(p->error, "asm-syntax", start, NULL, "invalid character constant");
    p->at++;
    *value = (struct asm_value){.kind = ASM_INTEGER, .integer = character};
    return true;
}

/* --- grammar --- */

static bool parse_choice(struct parser *p, struct asm_value *value);

static bool parse_label(struct parser *p, struct asm_value *value)
{
    size_t start = p->at, length = asm_name_length(p->text, p->length, start);
    char first = peek(p, 0);
    if (ascii_is_digit(first) || (first == '.' && ascii_in_name(peek(p, 1))))
        return parse_numbered(p, value);
    if (length == 0)
        return asm_fail(p->error, "asm-syntax", start, NULL, "expected a label name after ':'");
    p->at += length;
    if (p->names->lookup(p->names->user, p->text + start, length, true, value))
        return true;
    return asm_fail_name(p->error, "asm-undefined", start, p->text + start, length,
                         "undefined label");
}

/* Parses ":(ADDRESS)", a label given by its address. */
static bool parse_address(struct parser *p, struct asm_value *value)
{
    size_t start = p->at++;
    if (!parse_choice(p, value))
        return false;
    if (value->kind != ASM_INTEGER)
        return asm_fail(p->error, "asm-type", start, NULL, "an address must be an integer");
    if (peek(p, 0) != ')')
        return asm_fail(p->error, "asm-syntax", start, NULL, "expected ')' to match this '('");
    p->at++;
    value->label = true;
    return true;
}

/* Parses a list of expressions, from the opening bracket up to and including the closing one. */
static bool parse_items(struct parser *p, char close, struct asm_value *items, size_t *count)
{
    size_t start = p->at++;
    *count = 0;
    skip_blanks(p);
    if (peek(p, 0) == close) {
        p->at++;
        return true;
    }
    for (;; p->at++) {
        if (*count == ASM_ARGUMENTS_MAX)
            return asm_fail(p->error, "asm-limit", p->at, NULL, "more than %d values",
                            ASM_ARGUMENTS_MAX);
        if (!parse_choice(p, &items[(*count)++]))
            return false;
        if (peek(p, 0) == close) {
            p->at++;
            return true;
        }
        if (peek(p, 0) == '\0')
            return asm_fail(p->error, "asm-syntax", start, NULL, "expected '%c' to match this '%c'",
                            close, p->text[start]);
        if (peek(p, 0) != ',')
            return asm_fail(p->error, "asm-syntax", p->at, NULL, "expected ',' or '%c'", close);
    }
}

static void note_unknown(const struct asm_value *items, size_t count, struct asm_value *value)
{
    for (size_t i = 0; i < count; i++) {
        value->unknown = value->unknown || items[i].unknown;
        value->forward = value->forward || items[i].forward;
    }
}

/* Parses "[...]" or, after a colon, ":[...]". */
static bool parse_elements(struct parser *p, bool raw, struct asm_value *value)
{
    struct asm_value items[ASM_ARGUMENTS_MAX];
    size_t start = p->at, count;
    const struct asm_operands *operands = p->names->operands;
    if (!operands || !(raw ? operands->raw : operands->elements))
        return asm_fail(p->error, "asm-syntax", start, NULL, "expected an expression, found '['");
    if (!parse_items(p, ']', items, &count))
        return false;
    *value = (struct asm_value){0};
    if (!(raw ? operands->raw : operands->elements)(items, count, value, p->error)) {
        p->error->offset += start;
        return false;
    }
    note_unknown(items, count, value);
    return true;
}

static bool parse_call(struct parser *p, const char *name, size_t length, const void *function,
                       size_t parameters, struct asm_value *value)
{
    struct asm_value items[ASM_ARGUMENTS_MAX];
    size_t start = p->at - length, count, shown = length > 100 ? 100 : length;
    skip_blanks(p);
    if (peek(p, 0) != '(')
        return asm_fail(p->error, "asm-syntax", p->at, NULL, "expected '(' after function '%.*s'",
                        (int)shown, name);
    if (!parse_items(p, ')', items, &count))
        return false;
    if (count != parameters)
        return asm_fail(p->error, "asm-function", start, NULL,
                        "function '%.*s' takes %zu argument%s, not %zu", (int)shown, name,
                        parameters, parameters == 1 ? "" : "s", count);
    if (!p->names->call(p->names->user, function, items, value, p->error)) {
        p->error->offset = start;
        return false;
    }
    return true;
}

static bool find_operand(const struct parser *p, const char *name, size_t length,
                         struct asm_value *value)
{
    const struct asm_operands *operands = p->names->operands;
    *value = (struct asm_value){.kind = ASM_OPERAND};
    return operands && operands->find && operands->find(name, length, value);
}

static bool parse_unary(struct parser *p, struct asm_value *value);

static struct asm_place place_at(const struct parser *p, size_t offset)
{
    return (struct asm_place){offset, p->names->operands, p->error, p->dead > 0};
}

/* Parses a name. Tries, in this order: constant, function, operand, operator with a name, label. */
static bool parse_name(struct parser *p, struct asm_value *value)
{
    const struct asm_names *names = p->names;
    size_t start = p->at, length = asm_name_length(p->text, p->length, start), parameters;
    const char *name = p->text + start;
    p->at += length;
    struct asm_value found = {0};
    bool known = names->lookup(names->user, name, length, false, &found);
    if (known && !found.forward && !found.label) {
        *value = found;
        return true;
    }
    const void *function = names->function ? names->function(names->user, name, length, &parameters)
                                           : NULL;
    if (function)
        return parse_call(p, name, length, function, parameters, value);
    if (find_operand(p, name, length, value))
        return true;
    const struct asm_math *math = asm_math_find(name, length);
    if (math) {
        struct asm_place place = place_at(p, start);
        return parse_unary(p, value) && asm_math_apply(math, &place, value);
    }
    if (!found.label && peek(p, 0) == '(' && names->standard)
        function = names->standard(names->user, name, length, &parameters);
    if (function)
        return parse_call(p, name, length, function, parameters, value);
    *value = found;
    return known ||
           asm_fail_name(p->error, "asm-undefined", start, name, length, "undefined symbol");
}

static bool parse_parenthesis(struct parser *p, struct asm_value *value)
{
    size_t start = p->at++;
    if (!parse_choice(p, value))
        return false;
    if (peek(p, 0) != ')')
        return asm_fail(p->error, "asm-syntax", start, NULL, "expected ')' to match this '('");
    p->at++;
    return true;
}

/* Parses the text after ":" or "r:". */
static bool parse_colon(struct parser *p, bool relative, struct asm_value *value)
{
    bool good;
    skip_blanks(p);
    if (peek(p, 0) == '[')
        return parse_elements(p, true, value);
    if (peek(p, 0) == '(')
        good = parse_address(p, value);
    else
        good = parse_label(p, value);
    value->relative = relative;
    value->colon = true;
    return good;
}

static bool parse_primary(struct parser *p, struct asm_value *value)
{
    char first = peek(p, 0);
    if (first == '(')
        return parse_parenthesis(p, value);
    if (ascii_is_digit(first) || (first == '.' && ascii_is_digit(peek(p, 1))))
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
        return parse_colon(p, first == 'r', value);
    }
    if (first == '[')
        return parse_elements(p, false, value);
    if (ascii_starts_name(first))
        return parse_name(p, value);
    if (first == '\0' || p->at >= p->length)
        return asm_fail(p->error, "asm-syntax", p->at, NULL, "expected an expression");
    return asm_fail(p->error, "asm-syntax", p->at, NULL, "expected an expression, found '%c'",
                    first >= 0x20 && first < 0x7f ? first : '?');
}

/* Parses suffixes of an operand, such as ".8a". */
static bool parse_suffixes(struct parser *p, struct asm_value *value)
{
    const struct asm_operands *operands = p->names->operands;
    skip_blanks(p);
    while (value->kind == ASM_OPERAND && operands && operands->suffix && peek(p, 0) == '.') {
        size_t start = p->at + 1, length = asm_word_length(p->text, p->length, start);
        if (!operands->suffix(p->text + start, length, value, p->error)) {
            p->error->offset += start;
            return false;
        }
        p->at = start + length;
        skip_blanks(p);
    }
    return true;
}

/* Parses a lone "-", the name of the register that discards writes. */
static bool parse_lone(struct parser *p, struct asm_value *value)
{
    size_t next = 1;
    while (asm_is_blank(peek(p, next)))
        next++;
    char behind = peek(p, next);
    if (peek(p, 0) != '-' || (behind != '\0' && behind != ',' && behind != ';' && behind != ')') ||
        !find_operand(p, "-", 1, value))
        return false;
    p->at++;
    return true;
}

static bool parse_unary(struct parser *p, struct asm_value *value)
{
    skip_blanks(p);
    if (p->nesting >= NESTING_MAX)
        return asm_fail(p->error, "asm-limit", p->at, NULL, "the expression is nested too deeply");
    p->nesting++;
    char first = peek(p, 0);
    bool good, sign = first == '+' || first == '-' || first == '~' || first == '!';
    if (sign && !parse_lone(p, value)) {
        struct asm_place place = place_at(p, p->at++);
        good = parse_unary(p, value) && asm_operate_unary(first, &place, value);
    } else {
        good = (first == '-' || parse_primary(p, value)) && parse_suffixes(p, value);
    }
    p->nesting--;
    return good;
}

/* Returns true if the left operand of && or || already determines the result. */
static bool decided(enum asm_operation operation, const struct asm_value *left)
{
    return !left->unknown && ((operation == OP_BOTH && !asm_true(left)) ||
                              (operation == OP_EITHER && asm_true(left)));
}

static bool parse_binary(struct parser *p, unsigned lowest, struct asm_value *value)
{
    if (!parse_unary(p, value))
        return false;
    const struct asm_operator *info;
    while ((info = asm_operator_find(p->text + p->at, p->length - p->at)) &&
           info->level >= lowest) {
        size_t offset = p->at;
        p->at += info->length;
        unsigned dead = decided(info->operation, value) ? 1 : 0;
        p->dead += dead;
        struct asm_value right = {0};
        bool good = parse_binary(p, info->level + 1, &right);
        p->dead -= dead;
        struct asm_place place = place_at(p, offset);
        place.dead = place.dead || dead;
        if (!good || !asm_operate(info, &place, value, &right))
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
        return asm_fail(p->error, "asm-limit", p->at, NULL, "the expression is nested too deeply");
    p->nesting++;
    if (!parse_branch(p, !chosen, &yes))
        return false;
    if (peek(p, 0) != ':')
        return asm_fail(p->error, "asm-syntax", p->at, NULL, "expected ':' after '?'");
    if (!parse_branch(p, chosen, &no))
        return false;
    p->nesting--;
    *value = chosen ? yes : no;
    value->unknown = value->unknown || condition.unknown;
    value->forward = value->forward || condition.forward;
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

const char *asm_function_name(size_t i)
{
    return asm_math_name(i);
}
