/* SPDX-License-Identifier: MIT */
/* line.h - functions that read the parts of an A2xx statement.
 *
 * In:      text without comments, and the symbols that it may use.
 * Out:     numbers and names, or a message with its column and a hint. */
#ifndef ISA_A2XX_LINE_H
#define ISA_A2XX_LINE_H

#include <tessera/isa.h>

#include "asm/expr.h"

/* The text and the position up to which it has been read. */
struct a2xx_line {
    const char *text;
    size_t length, at;
    const struct asm_names *names;
    struct asm_error *error;
};

bool a2xx_at_end(struct a2xx_line *line);

bool a2xx_expect(struct a2xx_line *line, char character, const char *usage);
bool a2xx_expect_end(struct a2xx_line *line, const char *usage);

/* Returns true and consumes the word if it is the next name. Returns false otherwise. */
bool a2xx_accept_word(struct a2xx_line *line, const char *word);

/* Reads an expression, and reports an error if its value is not from least to most. An unknown
 * value is taken as 0, or as least if least is greater than 0. `what` is the name of the value in
 * messages, such as "the stride". */
bool a2xx_number(struct a2xx_line *line, const char *what, int64_t least, int64_t most,
                 int64_t *number);

/* Reads a decimal number that starts at the current position, such as the number of a register. */
bool a2xx_digits(struct a2xx_line *line, const char *what, unsigned most, unsigned *number);

/* Reads "(", a number, ")". */
bool a2xx_argument(struct a2xx_line *line, const char *what, int64_t least, int64_t most,
                   int64_t *number);

#endif
