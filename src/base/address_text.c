/* SPDX-License-Identifier: MIT */
/* address_text.c - see address_text.h. */
#include "base/address_text.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum { DIGITS = 8 };

static bool is_address(const char *text)
{
    return text[0] == '0' && text[1] == 'x' && strspn(text + 2, "0123456789abcdef") == DIGITS;
}

static void put_name(struct text *out, uint32_t address, const struct address_namer *namer)
{
    uint32_t offset = 0;
    const char *name = namer->name ? namer->name(namer->user, address, &offset) : NULL;
    if (!name)
        return;
    text_put(out, " <%s", name);
    if (offset)
        text_put(out, "+0x%x", offset);
    text_put(out, ">");
}

void address_text(char *buffer, size_t size, const char *text, const struct address_namer *namer)
{
    struct text out = {buffer, size, 0};
    buffer[0] = '\0';
    while (*text) {
        bool address = is_address(text);
        int length = address ? DIGITS + 2 : 1;
        text_put(&out, "%.*s", length, text);
        if (address)
            put_name(&out, (uint32_t)strtoul(text, NULL, 16), namer);
        text += length;
    }
}
