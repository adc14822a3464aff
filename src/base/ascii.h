/* SPDX-License-Identifier: MIT */
/* ascii.h - kinds of characters in source text. They do not depend on the host's locale. */
#ifndef BASE_ASCII_H
#define BASE_ASCII_H

#include <stdbool.h>

static inline bool ascii_is_digit(char character)
{
    return character >= '0' && character <= '9';
}

static inline bool ascii_starts_name(char character)
{
    return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
           character == '_';
}

static inline bool ascii_in_name(char character)
{
    return ascii_starts_name(character) || ascii_is_digit(character);
}

static inline char ascii_lower(char character)
{
    return character >= 'A' && character <= 'Z' ? (char)(character + 'a' - 'A') : character;
}

/* Returns the value of a hexadecimal digit, or 16 for other characters. */
static inline int ascii_digit_value(char character)
{
    if (ascii_is_digit(character))
        return character - '0';
    char letter = (char)(character | 0x20);
    return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : 16;
}

#endif
