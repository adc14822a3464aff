/* SPDX-License-Identifier: MIT */
/* utf8.c - see utf8.h. Source: RFC 3629, RFC 2781 (UTF-16). */
#include "base/utf8.h"

#include <stdbool.h>

size_t utf8_character(const char *text, uint32_t *value)
{
    static const struct {
        unsigned char lead_mask, lead;
        size_t bytes;
        uint32_t least;
    } forms[] = {{0x80, 0x00, 1, 0},
                 {0xe0, 0xc0, 2, 0x80},
                 {0xf0, 0xe0, 3, 0x800},
                 {0xf8, 0xf0, 4, 0x10000}};
    const unsigned char *at = (const unsigned char *)text;
    for (size_t f = 0; f < sizeof forms / sizeof forms[0]; f++) {
        if ((at[0] & forms[f].lead_mask) != forms[f].lead)
            continue;
        *value = at[0] & (uint32_t)(unsigned char)~forms[f].lead_mask;
        for (size_t i = 1; i < forms[f].bytes; i++) {
            if ((at[i] & 0xc0) != 0x80)
                return 0;
            *value = *value << 6 | (at[i] & 0x3f);
        }
        bool surrogate = *value >= 0xd800 && *value < 0xe000;
        return *value < forms[f].least || surrogate || *value > 0x10ffff ? 0 : forms[f].bytes;
    }
    return 0;
}

size_t utf8_utf16_units(const char *text, size_t size)
{
    size_t units = 0;
    for (const char *end = text + size; text < end && *text;) {
        uint32_t value = 0;
        size_t bytes = utf8_character(text, &value);
        units += bytes && value >= 0x10000 ? 2 : 1;
        text += bytes ? bytes : 1;
    }
    return units;
}
