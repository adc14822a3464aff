/* SPDX-License-Identifier: MIT */
/* format_public.c - formats by name, and conversion of floats to elements (tessera/a2xx.h). */
#include <math.h>
#include <string.h>

#include "a2xx/fetch/format.h"
#include "base/bits.h"

static bool is_variant(enum tess_a2xx_variant variant)
{
    return variant == TESS_A2XX_ADRENO || variant == TESS_A2XX_XENOS;
}

bool tess_a2xx_format_find(const char *name, enum tess_a2xx_variant variant, uint32_t *format)
{
    if (!name || !format || !is_variant(variant))
        return false;
    if (strncmp(name, "FMT_", 4) == 0)
        name += 4;
    for (uint32_t i = 0; i < 64; i++) {
        const char *known = a2xx_formats[variant][i].name;
        if (known && strcmp(known, name) == 0) {
            *format = i;
            return true;
        }
    }
    return false;
}

const char *tess_a2xx_format_name(uint32_t format, enum tess_a2xx_variant variant)
{
    return format < 64 && is_variant(variant) ? a2xx_formats[variant][format].name : NULL;
}

/* Returns the format that a format code selects. Returns NULL if the format is undefined or has
 * several texels per block. */
static const struct a2xx_format *plain_format(uint32_t format, enum tess_a2xx_variant variant)
{
    if (format >= 64 || !is_variant(variant))
        return NULL;
    const struct a2xx_format *row = &a2xx_formats[variant][format];
    return a2xx_format_is_plain(row) ? row : NULL;
}

size_t tess_a2xx_format_size(uint32_t format, enum tess_a2xx_variant variant)
{
    const struct a2xx_format *row = plain_format(format, variant);
    return row ? row->bytes : 0;
}

/* Converts a float to the nearest integer with the given number of bits, ties to even. NaN becomes
 * 0. */
static uint32_t pack_integer(float value, unsigned bits, bool is_signed, bool normalized)
{
    double greatest = (double)(UINT32_MAX >> (32 - bits)), least = 0;
    if (is_signed) {
        greatest = floor(greatest / 2);
        least = -greatest - 1;
    }
    double wanted = value;
    if (normalized) /* a signed normalised number of one bit can only be -1 or 0 */
        wanted *= is_signed && bits == 1 ? 1 : greatest;
    if (normalized && is_signed && bits > 1)
        least = -greatest;
    wanted = isnan(wanted) ? 0 : nearbyint(wanted);
    wanted = wanted < least ? least : wanted > greatest ? greatest : wanted;
    return (uint32_t)(int64_t)wanted & UINT32_MAX >> (32 - bits);
}

/* Converts a float to the nearest 16-bit float, ties to even. The range is larger on the Xenos,
 * because its format has no infinities. */
static uint32_t pack_half(float value, enum tess_a2xx_variant variant)
{
    bool xenos = variant == TESS_A2XX_XENOS;
    uint32_t sign = float_bits(value) >> 16 & 0x8000;
    double size = fabs((double)value), limit = xenos ? 131008 : 65520;
    if (isnan(value))
        return xenos ? 0 : sign | 0x7e00;
    if (size >= limit)
        return sign | (xenos ? 0x7fff : 0x7c00);
    if (size < 0x1p-14) { /* rounding may result in 2^-14, whose encoding is also correct */
        uint32_t half = (uint32_t)nearbyint(size * 0x1p24);
        return sign | (xenos && half < 0x400 ? 0 : half);
    }
    int exponent;
    double part = frexp(size, &exponent);                 /* 0.5 <= part < 1 */
    uint32_t fraction = (uint32_t)nearbyint(part * 2048); /* 2048 becomes a carry into the
                                                             exponent */
    return sign | (((uint32_t)(exponent + 13) << 10) + fraction);
}

static uint32_t pack_component(const struct a2xx_format *format, unsigned i,
                               enum tess_a2xx_variant variant, bool is_signed, bool normalized,
                               float value)
{
    unsigned bits = format->widths[i];
    if (format->kind == A2XX_FORMAT_INTEGER)
        return pack_integer(value, bits, is_signed, normalized);
    return bits == 32 ? float_bits(value) : pack_half(value, variant);
}

size_t tess_a2xx_format_pack(uint32_t format, enum tess_a2xx_variant variant, bool is_signed,
                             bool normalized, const float values[4], uint8_t *bytes)
{
    const struct a2xx_format *row = plain_format(format, variant);
    if (!row || !values || !bytes)
        return 0;
    uint32_t words[4] = {0};
    for (unsigned i = 0, low = 0; i < 4 && row->widths[i]; low += row->widths[i], i++)
        words[low / 32] |= pack_component(row, i, variant, is_signed, normalized, values[i])
                           << low % 32;
    uint8_t whole[16];
    for (unsigned i = 0; i < 4; i++)
        store_le32(whole + 4 * i, words[i]);
    memcpy(bytes, whole, row->bytes);
    return row->bytes;
}
