/* SPDX-License-Identifier: MIT */
/* utf8.h - characters of text that may hold anything. */
#ifndef FRONT_UTF8_H
#define FRONT_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* The bytes of the UTF-8 character at text (NUL-terminated), and its code point; 0 bytes if it is
 * not one (RFC 3629). */
size_t utf8_character(const char *text, uint32_t *value);

/* How many UTF-16 code units the first size bytes of text have. A byte that is not UTF-8 counts as
 * one. */
size_t utf8_utf16_units(const char *text, size_t size);

#endif
