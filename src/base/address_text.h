/* SPDX-License-Identifier: MIT */
/* address_text.h - appends symbol names to the addresses in a text. */
#ifndef BASE_ADDRESS_TEXT_H
#define BASE_ADDRESS_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
