/* SPDX-License-Identifier: MIT */
/* utf8.h - decodes UTF-8 in text that may contain invalid bytes. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* Returns the length in bytes of the UTF-8 character at text (NUL-terminated) and sets *value to
 * its code point. Returns 0 if the bytes are not valid UTF-8 (RFC 3629). */
size_t utf8_character(const char *text, uint32_t *value);

/* Returns the number of UTF-16 code units in the first `size` bytes of text. An invalid byte counts
 * as one unit. */
size_t utf8_utf16_units(const char *text, size_t size);

#endif
