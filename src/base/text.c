/* SPDX-License-Identifier: MIT */
/* text.c - see text.h. */
#include "base/text.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put_plain(struct text *text, const char *more)
{
    size_t length = strlen(more);
    if (text->length < text->size) {
        size_t room = text->size - text->length - 1, part = length < room ? length : room;
        memcpy(text->text + text->length, more, part);
        text->text[text->length + part] = '\0';
    }
    text->length += length;
}

/* Most calls pass a plain text or "%s". These calls do not use vsnprintf(), which took half of the
 * time of a disassembly. */
void text_put(struct text *text, const char *format, ...)
{
    va_list arguments;
    if (!strchr(format, '%')) {
        put_plain(text, format);
        return;
    }
    va_start(arguments, format);
    if (strcmp(format, "%s") == 0) {
        put_plain(text, va_arg(arguments, const char *));
        va_end(arguments);
        return;
    }
    bool room = text->length < text->size;
    int length = vsnprintf(room ? text->text + text->length : NULL,
                           room ? text->size - text->length : 0, format, arguments);
    va_end(arguments);
    text->length += length > 0 ? (size_t)length : 0;
}

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
