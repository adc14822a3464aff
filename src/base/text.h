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

/* --- names of addresses --- */

struct address_namer {
    /* Returns the symbol at or before an address and sets *offset to the distance in bytes. Returns
     * NULL if no symbol precedes the address. May be NULL if there are no symbols. */
    const char *(*name)(void *user, uint32_t address, uint32_t *offset);
    void *user;
};

/* Copies text to buffer and appends a symbol name to each address: "from 0x40020010 on" becomes
 * "from 0x40020010 <tiles+0x10> on". An address is 0x and eight lower-case hexadecimal digits.
 * Output that exceeds size is cut. */
void address_text(char *buffer, size_t size, const char *text, const struct address_namer *namer);

#endif
