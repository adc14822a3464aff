/* SPDX-License-Identifier: MIT */
/* text.h - builds a text in a buffer of fixed size, without allocation. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* Returns the plural ending for a count: "1 row", "2 rows". */
static inline const char *text_plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

/* A text in a buffer of .size bytes. The buffer contains as much of the text as fits, followed by a
 * NUL. .length is the length of the whole text, even if the buffer is too small. */
struct text {
    char *text;
    size_t size, length;
};

void text_put(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
