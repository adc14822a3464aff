/* SPDX-License-Identifier: MIT */
/* line.h - the text of a statement of the A2xx, and what all statements are made of.
 *
 * In:      text without comments, and the symbols that it may use.
 * Out:     numbers, names; or a message with its column and a hint. */
#ifndef ISA_A2XX_LINE_H
#define ISA_A2XX_LINE_H

#include <tessera/isa.h>

#include "asm/expr.h"

/* The text and how far it has been read. */
struct a2xx_line {
    const char *text;
    size_t length, at;
    const struct asm_names *names;
    struct asm_error *error;
};

/* The next character that is not blank; 0 at the end. */
char a2xx_next(struct a2xx_line *line);
bool a2xx_at_end(struct a2xx_line *line);

/* Whether this character comes next; then it has been read. */
bool a2xx_accept(struct a2xx_line *line, char character);
bool a2xx_expect(struct a2xx_line *line, char character, const char *usage);
bool a2xx_expect_end(struct a2xx_line *line, const char *usage);

/* The name that comes next, which has been read; 0: none does. */
size_t a2xx_name(struct a2xx_line *line, const char **name);

/* Whether this word comes next; then it has been read. */
bool a2xx_accept_word(struct a2xx_line *line, const char *word);

/* An expression within bounds; unknown values count as least, or 0 if that is less. what: "the stride". */
bool a2xx_number(struct a2xx_line *line, const char *what, int64_t least, int64_t most,
                 int64_t *number);

/* A decimal number without blanks in front: of a register. */
bool a2xx_digits(struct a2xx_line *line, const char *what, unsigned most, unsigned *number);

/* "(", a number, ")". */
bool a2xx_argument(struct a2xx_line *line, const char *what, int64_t least, int64_t most,
                   int64_t *number);

/* Whether a name that is not terminated is this word. */
bool a2xx_is(const char *name, size_t length, const char *word);

#endif
