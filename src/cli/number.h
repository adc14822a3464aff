/* SPDX-License-Identifier: MIT */
/* number.h - floats as text, fast: tables have millions of them. */
#ifndef CLI_NUMBER_H
#define CLI_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NUMBER_TEXT = 24 };

/* Parses a whole text: what strtof() takes in the C locale, or the bits of a float, 0x and up to eight digits. Rounds to
 * nearest even. False if it is none, or is beyond the range of floats. */
bool number_parse(const char *text, size_t length, float *value);

/* Writes what printf's %.9g would, which number_parse() reads back to the same float; every NaN is "nan". Without a NUL.
 * Returns the length. */
size_t number_print(char text[NUMBER_TEXT], float value);

/* The value of a float of 16 bits (IEEE 754 binary16). */
float number_from_half(uint16_t bits);

/* The nearest float of 16 bits, the even one of two; beyond their range infinity. */
uint16_t number_to_half(float value);

#endif
