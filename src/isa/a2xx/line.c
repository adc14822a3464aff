/* SPDX-License-Identifier: MIT */
/* line.c - see line.h. */
#include "isa/a2xx/line.h"

#include "base/ascii.h"

#include <string.h>

bool a2xx_at_end(struct a2xx_line *line)
{
    ASM_PEEK(line);
    return line->at >= line->length;
}

bool a2xx_expect(struct a2xx_line *line, char character, const char *usage)
{
    return ASM_ACCEPT(line, character) ||
           asm_fail(line->error, "a2xx-syntax", line->at, usage, "expected '%c'", character);
}

bool a2xx_expect_end(struct a2xx_line *line, const char *usage)
{
    char found = ASM_PEEK(line);
    size_t length = asm_name_length(line->text, line->length, line->at);
    if (length > 0)
        return asm_fail(line->error, "a2xx-syntax", line->at, usage, "unexpected '%.*s'",
                        length > 60 ? 60 : (int)length, line->text + line->at);
    return a2xx_at_end(line) ||
           asm_fail(line->error, "a2xx-syntax", line->at, usage, "unexpected '%c'",
                    found >= 0x20 && found < 0x7f ? found : '?');
}

bool a2xx_accept_word(struct a2xx_line *line, const char *word)
{
    const char *name;
    ASM_PEEK(line);
    size_t start = line->at, length = ASM_TAKE_NAME(line, &name);
    if (asm_is_name(name, length, word))
        return true;
    line->at = start;
    return false;
}

bool a2xx_number(struct a2xx_line *line, const char *what, int64_t least, int64_t most,
                 int64_t *number)
{
    struct asm_value value;
    char first = ASM_PEEK(line);
    size_t start = line->at;
    if (first == '\0' || first == ')' || first == ',')
        return asm_fail(line->error, "a2xx-syntax", start, NULL, "expected %s", what);
    if (!asm_evaluate(line->text, line->length, &line->at, line->names, &value, line->error))
        return false;
    *number = value.integer;
    if (value.unknown)
        *number = least > 0 ? least : 0;
    else if (value.kind != ASM_INTEGER || value.integer < least || value.integer > most)
        return asm_fail(line->error, "a2xx-range", start, NULL,
                        "%s must be an integer from %lld to %lld", what, (long long)least,
                        (long long)most);
    return true;
}

/* Returns the id of the error for a number that is out of range. If instruction words can contain
 * such a number, the checker has a rule with the same id. */
static const char *range_rule(const char *what)
{
    static const char *const rules[][2] = {
        {"register", "a2xx-register-range"},
        {"constant", "a2xx-constant-range"},
        {"export", "a2xx-export-number"},
    };
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        if (strcmp(what, rules[i][0]) == 0)
            return rules[i][1];
    return "a2xx-range";
}

bool a2xx_digits(struct a2xx_line *line, const char *what, unsigned most, unsigned *number)
{
    size_t start = line->at;
    *number = 0;
    while (line->at < line->length && ascii_is_digit(line->text[line->at]) && *number <= most)
        *number = *number * 10 + (unsigned)(line->text[line->at++] - '0');
    if (line->at == start)
        return asm_fail(line->error, "a2xx-operand", start, NULL, "expected the number of the %s",
                        what);
    if (*number > most)
        return asm_fail(line->error, range_rule(what), start, NULL, "the last %s is number %u",
                        what, most);
    return true;
}

bool a2xx_argument(struct a2xx_line *line, const char *what, int64_t least, int64_t most,
                   int64_t *number)
{
    return a2xx_expect(line, '(', NULL) && a2xx_number(line, what, least, most, number) &&
           a2xx_expect(line, ')', NULL);
}
