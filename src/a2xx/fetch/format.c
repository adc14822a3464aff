/* SPDX-License-Identifier: MIT */
/* format.c - see format.h. 16-bit floats of the Xenos have neither infinities nor denormals (xenia,
 * src/xenia/base/math.h). The gamma curve is from xenia, src/xenia/gpu/xenos.cc,
 * PWLGammaToLinear(). Loops over lanes are written so that compilers can vectorise them. */
#include "a2xx/fetch/format.h"

#include <math.h>

#include "base/bits.h"

#define EACH_LANE(i) for (unsigned i = 0; i < A2XX_LANES; i++)
#define CONVERT(name)                                                                \
    static void name(const struct a2xx_component *component __attribute__((unused)), \
                     const uint32_t *word __attribute__((unused)), float *data)

static uint32_t low_bits(unsigned bits)
{
    return UINT32_MAX >> (32 - bits);
}

/* --- conversions --- */

CONVERT(convert_zero)
{
    EACH_LANE(i)
    data[i] = 0;
}

CONVERT(convert_float)
{
    EACH_LANE(i)
    data[i] = bits_float(word[i]);
}

/* Converts 16-bit floats. Their exponent bias is 112 smaller than the bias of 32-bit floats. The
 * multiplication by 2^112 also converts denormals correctly. */
CONVERT(convert_half)
{
    EACH_LANE(i)
    {
        uint32_t half = word[i] >> component->low, value = half & 0x7fff;
        uint32_t bits = float_bits(bits_float(value << 13) * 0x1p112f);
        bits |= value >= 0x7c00 ? 0x7f800000 : 0;
        data[i] = bits_float(bits | (half & 0x8000) << 16);
    }
}

CONVERT(convert_half_xenos)
{
    EACH_LANE(i)
    {
        uint32_t half = word[i] >> component->low, value = half & 0x7fff;
        uint32_t bits = value < 0x400 ? 0 : (value << 13) + (UINT32_C(112) << 23);
        data[i] = bits_float(bits | (half & 0x8000) << 16);
    }
}

CONVERT(convert_unsigned)
{
    uint32_t mask = low_bits(component->bits);
    EACH_LANE(i)
    data[i] = (float)(word[i] >> component->low & mask);
}

static int32_t signed_part(const struct a2xx_component *component, uint32_t word)
{
    unsigned above = 32 - component->bits;
    return (int32_t)(word << (above - component->low)) >> above;
}

CONVERT(convert_signed)
{
    EACH_LANE(i)
    data[i] = (float)signed_part(component, word[i]);
}

/* Numbers of up to 24 bits are exact as floats, so their division as floats rounds only once.
 * Larger numbers are divided as doubles. */
enum { FLOAT_BITS = 24 };

CONVERT(convert_unorm)
{
    uint32_t greatest = low_bits(component->bits);
    if (component->bits <= FLOAT_BITS)
        EACH_LANE(i)
    data[i] = (float)(int32_t)(word[i] >> component->low & greatest) / (float)greatest;
    else EACH_LANE(i)
        data[i] = (float)((double)(word[i] >> component->low & greatest) / (double)greatest);
}

CONVERT(convert_snorm)
{
    uint32_t greatest = component->bits > 1 ? low_bits(component->bits - 1) : 1;
    EACH_LANE(i)
    {
        double value = (double)signed_part(component, word[i]) / (double)greatest;
        data[i] = (float)(value < -1 ? -1 : value);
    }
}

CONVERT(convert_snorm_no_zero)
{
    double greatest = low_bits(component->bits);
    EACH_LANE(i)
    data[i] = (float)((2 * (double)signed_part(component, word[i]) + 1) / greatest);
}

CONVERT(convert_biased)
{
    uint32_t mask = low_bits(component->bits);
    double greatest = mask;
    EACH_LANE(i)
    data[i] = (float)(2 * ((double)(word[i] >> component->low & mask) / greatest) - 1);
}

float a2xx_gamma(float value)
{
    static const struct {
        float from, slope, offset;
    } pieces[] = {
        {192.0F / 255, 8, -1024},
        {96.0F / 255, 4, -256},
        {64.0F / 255, 2, -64},
        {0, 1, 0},
    };
    unsigned piece = 0;
    while (piece < 3 && !(value >= pieces[piece].from))
        piece++;
    float linear = value * 255 * pieces[piece].slope + pieces[piece].offset;
    linear += truncf(linear * (pieces[piece].slope / 1024));
    return linear / 1023;
}

CONVERT(convert_gamma)
{
    convert_unorm(component, word, data);
    EACH_LANE(i)
    data[i] = a2xx_gamma(data[i]);
}

/* --- choice of a conversion --- */

bool a2xx_format_is_plain(const struct a2xx_format *format)
{
    return format->name &&
           (format->kind == A2XX_FORMAT_INTEGER || format->kind == A2XX_FORMAT_FLOAT);
}

static a2xx_convert *integer_way(enum tess_a2xx_variant variant, struct a2xx_numbers numbers)
{
    if (numbers.whole)
        return numbers.sign == A2XX_SIGNED ? convert_signed : convert_unsigned;
    switch (numbers.sign) {
    case A2XX_SIGNED: return numbers.no_zero ? convert_snorm_no_zero : convert_snorm;
    case A2XX_BIASED: return convert_biased;
    case A2XX_GAMMA: return variant == TESS_A2XX_XENOS ? convert_gamma : convert_unorm;
    case A2XX_UNSIGNED: break;
    }
    return convert_unorm;
}

static a2xx_convert *float_way(enum tess_a2xx_variant variant, unsigned bits)
{
    if (bits == 32)
        return convert_float;
    return variant == TESS_A2XX_XENOS ? convert_half_xenos : convert_half;
}

struct a2xx_component a2xx_format_component(const struct a2xx_format *format, unsigned i,
                                            enum tess_a2xx_variant variant,
                                            struct a2xx_numbers numbers)
{
    unsigned low = 0, bits = format->widths[i];
    for (unsigned before = 0; before < i; before++)
        low += format->widths[before];
    if (!a2xx_format_is_plain(format) || !bits)
        return (struct a2xx_component){.convert = convert_zero};
    return (struct a2xx_component){
        .convert = format->kind == A2XX_FORMAT_FLOAT ? float_way(variant, bits)
                                                     : integer_way(variant, numbers),
        .word = (uint8_t)(low / 32),
        .low = (uint8_t)(low % 32),
        .bits = (uint8_t)bits,
    };
}

/* --- byte order of memory --- */

void a2xx_swap(uint32_t words[A2XX_LANES], uint32_t endian)
{
    if (endian == 1)
        EACH_LANE(i)
    words[i] = (words[i] & 0x00ff00ff) << 8 | (words[i] >> 8 & 0x00ff00ff);
    if (endian == 2)
        EACH_LANE(i)
    words[i] = __builtin_bswap32(words[i]);
    if (endian == 3)
        EACH_LANE(i)
    words[i] = words[i] << 16 | words[i] >> 16;
}
