/* SPDX-License-Identifier: MIT */
/* number.h - converts between floats and text. Both conversions are optimised, since tables may
 * have millions of numbers. */
#ifndef CLI_NUMBER_H
#define CLI_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NUMBER_TEXT = 24 };

/* Parses a whole text: a number that strtof() accepts in the C locale, or the bits of a float as 0x
 * and up to eight digits. Rounds to nearest even. Returns false if the text is not a number or is
 * beyond the range of floats. */
bool number_parse(const char *text, size_t length, float *value);

/* Writes a float as printf's %.9g does, without a NUL. number_parse() converts the text back to the
 * same float. Every NaN is written as "nan". Returns the length of the text. */
size_t number_print(char text[NUMBER_TEXT], float value);

/* Returns the value of a 16-bit float (IEEE 754 binary16). */
float number_from_half(uint16_t bits);

/* Returns the nearest 16-bit float, ties to even. Values beyond the range of 16-bit floats become
 * infinity. */
uint16_t number_to_half(float value);

#endif
