/* SPDX-License-Identifier: MIT */
/* text.h - a text that grows in a buffer of fixed size, without allocating. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stddef.h>

/* length is that of the whole text, cut or not. The buffer holds a NUL behind what fits. */
struct text {
    char *text;
    size_t size, length;
};

void text_put(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
