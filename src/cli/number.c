/* SPDX-License-Identifier: MIT */
/* number.c - see number.h.
 *
 * Parsing and printing each have a fast path that computes in double. Powers of ten up to 10^22 are
 * exact in a double, so only one multiplication or division rounds. If this rounding could change
 * the result, the C library converts the number.
 * Source: W. D. Clinger, How to read floating point numbers accurately (1990), for the exact
 *         powers. */
#include "number.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"

enum {
    EXACT_POWER = 22,  /* greatest power of ten that is exact in a double */
    EXACT_DIGITS = 15, /* digits of an integer that is exact in a double */
    DIGITS = 9,        /* significant digits that distinguish all floats */
    LONGEST = 1024,    /* maximum size of a number's text, including the NUL */
};

static const double powers[EXACT_POWER + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                               1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                               1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* --- from text --- */

/* A decimal number as digits * 10^exponent. */
struct decimal {
    uint64_t digits;
    unsigned count; /* number of digits without leading zeros */
    int exponent;
    bool negative, any;
};

static const char *take_digits(struct decimal *decimal, const char *at, const char *end,
                               int exponent_step)
{
    for (; at < end && ascii_is_digit(*at); at++) {
        decimal->digits = decimal->digits * 10 + (uint64_t)(*at - '0');
        decimal->count += decimal->digits != 0;
        decimal->exponent += exponent_step;
        decimal->any = true;
        if (decimal->count > EXACT_DIGITS)
            return NULL;
    }
    return at;
}

/* Parses the exponent after the 'e'. Returns the position after the exponent, or NULL if the C
 * library must convert the number. */
static const char *take_exponent(struct decimal *decimal, const char *at, const char *end)
{
    bool negative = at < end && *at == '-';
    int value = 0;
    at += at < end && (*at == '-' || *at == '+');
    if (at == end || end - at > 3)
        return NULL;
    for (; at < end && ascii_is_digit(*at); at++)
        value = value * 10 + (*at - '0');
    decimal->exponent += negative ? -value : value;
    return at;
}

/* Parses a decimal number of at most EXACT_DIGITS digits. Returns false for any other text. */
static bool take_decimal(struct decimal *decimal, const char *text, size_t length)
{
    const char *at = text, *end = text + length;
    if (at < end && (*at == '-' || *at == '+'))
        decimal->negative = *at++ == '-';
    at = take_digits(decimal, at, end, 0);
    if (at && at < end && *at == '.')
        at = take_digits(decimal, at + 1, end, -1);
    if (at && decimal->any && at < end && (*at | 0x20) == 'e')
        at = take_exponent(decimal, at + 1, end);
    return at == end && decimal->any;
}

/* True if rounding value to a float could give the wrong float, since value is already rounded. The
 * float could be wrong if value is halfway between two floats, or is so small or so large that the
 * float is subnormal or overflows. */
static bool is_doubtful(double value)
{
    enum { DROPPED = 29 };
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint64_t dropped = bits & ((UINT64_C(1) << DROPPED) - 1);
    return dropped == UINT64_C(1) << (DROPPED - 1) || (value != 0 && value < 1.2e-38) ||
           value > 3.4e38;
}

static bool parse_quickly(const char *text, size_t length, float *value)
{
    struct decimal decimal = {0};
    if (!take_decimal(&decimal, text, length) || abs(decimal.exponent) > EXACT_POWER)
        return false;
    double exact = (double)decimal.digits;
    double result = decimal.exponent < 0 ? exact / powers[-decimal.exponent]
                                         : exact * powers[decimal.exponent];
    if (is_doubtful(result))
        return false;
    *value = (float)(decimal.negative ? -result : result);
    return true;
}

/* True if the text gives the bits of a float, such as 0x3f800000. False if the text is a decimal
 * number or a hexadecimal float, such as 0x1p3. */
static bool is_bits(const char *text)
{
    return strpbrk(text, "xX") && !strpbrk(text, "pP");
}

static bool parse_bits(const char *text, float *value)
{
    static const char digits[] = "0123456789abcdefABCDEF";
    size_t count = strspn(text + 2, digits);
    if (text[0] != '0' || count < 1 || count > 8 || text[2 + count])
        return false;
    uint32_t bits = (uint32_t)strtoul(text + 2, NULL, 16);
    memcpy(value, &bits, sizeof bits);
    return true;
}

bool number_parse(const char *text, size_t length, float *value)
{
    char copy[LONGEST], *end;
    if (parse_quickly(text, length, value))
        return true;
    if (length == 0 || length >= sizeof copy || (unsigned char)text[0] <= ' ' ||
        memchr(text, 0, length))
        return false;
    memcpy(copy, text, length);
    copy[length] = 0;
    if (is_bits(copy))
        return parse_bits(copy, value);
    errno = 0;
    *value = strtof(copy, &end);
    return end == copy + length && !(errno == ERANGE && isinf(*value));
}

/* --- to text --- */

/* Returns the exponent of the greatest power of ten that is at most value. value must be
 * positive. */
static int decimal_exponent(double value)
{
    int binary;
    frexp(value, &binary);
    int exponent = (int)floor((binary - 1) * 0.30102999566398120);
    if (exponent < -EXACT_POWER || exponent >= EXACT_POWER)
        return exponent;
    double next = exponent + 1 < 0 ? 1 / powers[-(exponent + 1)] : powers[exponent + 1];
    return exponent + (value >= next);
}

/* Finds the nine significant digits of value and its decimal exponent, in scientific notation:
 * d.dddddddd * 10^exponent. Returns false if the rounding of the product could change the
 * digits. */
static bool find_digits(double value, uint32_t *digits, int *exponent)
{
    static const double sure = 1e-5; /* far above the rounding error of a product below 2^30 */
    *exponent = decimal_exponent(value);
    int scale = DIGITS - 1 - *exponent;
    if (abs(scale) > EXACT_POWER)
        return false;
    double product = scale < 0 ? value / powers[-scale] : value * powers[scale];
    double whole = floor(product), rest = product - whole;
    if (fabs(rest - 0.5) < sure || whole < 1e8 - 1 || whole >= 1e9)
        return false;
    uint32_t rounded = (uint32_t)whole + (rest > 0.5);
    bool carried = rounded == 1000000000;
    *digits = carried ? rounded / 10 : rounded;
    *exponent += carried;
    return *digits >= 100000000;
}

static size_t put_exponent(char *at, int exponent)
{
    unsigned size = (unsigned)abs(exponent);
    at[0] = 'e';
    at[1] = exponent < 0 ? '-' : '+';
    at[2] = (char)('0' + size / 10);
    at[3] = (char)('0' + size % 10);
    return 4;
}

/* Writes the digits as %g formats them, without trailing zeros. Returns the length. */
static size_t put_digits(char *text, uint32_t digits, int exponent)
{
    char all[DIGITS], *at = text;
    int count = DIGITS;
    for (int i = DIGITS - 1; i >= 0; i--, digits /= 10)
        all[i] = (char)('0' + digits % 10);
    while (count > 1 && all[count - 1] == '0')
        count--;
    bool scientific = exponent < -4 || exponent >= DIGITS;
    int point = scientific ? 1 : exponent + 1; /* number of digits before the decimal point */
    if (point <= 0) {
        *at++ = '0';
        *at++ = '.';
        for (int i = point; i < 0; i++)
            *at++ = '0';
    }
    for (int i = 0; i < count || i < point; i++) {
        if (i == point && i > 0)
            *at++ = '.';
        *at++ = i < count ? all[i] : '0';
    }
    if (scientific)
        at += put_exponent(at, exponent);
    return (size_t)(at - text);
}

static size_t put_text(char text[NUMBER_TEXT], const char *from)
{
    size_t length = strlen(from);
    memcpy(text, from, length);
    return length;
}

size_t number_print(char text[NUMBER_TEXT], float value)
{
    char slow[NUMBER_TEXT];
    uint32_t digits;
    int exponent;
    if (isnan(value))
        return put_text(text, "nan");
    bool negative = signbit(value);
    if (value == 0)
        return put_text(text, negative ? "-0" : "0");
    if (!isinf(value) && find_digits(fabs((double)value), &digits, &exponent)) {
        text[0] = '-';
        return (size_t)negative + put_digits(text + negative, digits, exponent);
    }
    snprintf(slow, sizeof slow, "%.9g", (double)value);
    return put_text(text, slow);
}

/* --- 16 bits --- */

float number_from_half(uint16_t bits)
{
    int exponent = bits >> 10 & 31, fraction = bits & 0x3ff;
    float size = exponent == 31  ? (fraction ? NAN : INFINITY)
                 : exponent == 0 ? ldexpf((float)fraction, -24)
                                 : ldexpf((float)(fraction | 0x400), exponent - 25);
    return bits & 0x8000 ? -size : size;
}

/* Scales the value so that the half float's last bit has the value 1, and rounds to an integer. A
 * carry out of the fraction increments the exponent field. */
uint16_t number_to_half(float value)
{
    uint16_t sign = signbit(value) ? 0x8000 : 0;
    float size = fabsf(value);
    if (isnan(value))
        return sign | 0x7e00;
    /* 65520 is halfway between the greatest half float, 65504, and 65536, and rounds to
     * infinity. */
    if (size >= 65520)
        return sign | 0x7c00;
    int exponent = size < 0x1p-14F ? -14 : ilogbf(size);
    int bits = ((exponent + 14) << 10) + (int)rintf(ldexpf(size, 10 - exponent));
    return (uint16_t)(sign | bits);
}
