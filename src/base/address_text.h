/* SPDX-License-Identifier: MIT */
/* address_text.h - puts names behind the addresses in a text. */
#ifndef BASE_ADDRESS_TEXT_H
#define BASE_ADDRESS_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct address_namer {
    /* The symbol at or before an address, and the distance to it; NULL: there is none. */
    const char *(*name)(void *user, uint32_t address, uint32_t *offset);
    void *user;
};

/* "from 0x40020010 on" becomes "from 0x40020010 <tiles+0x10> on". Addresses have eight digits. */
void address_text(char *buffer, size_t size, const char *text, const struct address_namer *namer);

#endif
