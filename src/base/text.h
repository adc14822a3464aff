/* SPDX-License-Identifier: MIT */
/* text.h - a text that grows in a buffer of fixed size, without allocating. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* The ending of a noun behind a count: "1 row", "2 rows". */
static inline const char *text_plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

/* length is that of the whole text, cut or not. The buffer holds a NUL behind what fits. */
struct text {
    char *text;
    size_t size, length;
};

void text_put(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
