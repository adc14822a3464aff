/* SPDX-License-Identifier: MIT */
/* texel.c - see texel.h. Interpolated colours are not rounded to 8 bits. */
#include "a2xx/fetch/texel.h"

#include <stddef.h>

#include "base/bits.h"
#include "base/etc1.h"

struct place {
    unsigned x, y, number; /* number is the index of the texel in its block, row by row */
};

typedef void texel_function(const uint8_t *block, struct place at, unsigned signs, float texel[4]);

/* --- colours of DXT and ATC: two end points, and a code of two bits for each texel --- */

#define FOUR(i, greatest)                                                                  \
    (float)(i) / (greatest), (float)((i) + 1) / (greatest), (float)((i) + 2) / (greatest), \
        (float)((i) + 3) / (greatest)
#define SIXTEEN(i, greatest) \
    FOUR(i, greatest), FOUR((i) + 4, greatest), FOUR((i) + 8, greatest), FOUR((i) + 12, greatest)

/* Values of components with five and with six bits. */
static const float five_bits[32] = {SIXTEEN(0, 31), SIXTEEN(16, 31)};
static const float six_bits[64] = {SIXTEEN(0, 63), SIXTEEN(16, 63), SIXTEEN(32, 63),
                                   SIXTEEN(48, 63)};

static void from_565(uint32_t bits, float colour[3])
{
    colour[0] = five_bits[bits >> 11 & 31];
    colour[1] = six_bits[bits >> 5 & 63];
    colour[2] = five_bits[bits & 31];
}

static void from_555(uint32_t bits, float colour[3])
{
    colour[0] = five_bits[bits >> 10 & 31];
    colour[1] = five_bits[bits >> 5 & 31];
    colour[2] = five_bits[bits & 31];
}

static unsigned code_of(const uint8_t *block, struct place at)
{
    return load_le32(block + 4) >> 2 * at.number & 3;
}

static void blend(const float a[3], const float b[3], float share, float texel[4])
{
    for (unsigned i = 0; i < 3; i++)
        texel[i] = a[i] * (1 - share) + b[i] * share;
}

/* Decodes a DXT colour. If the block's first end point is greater than the second one, the block
 * has four colours. Otherwise it has three colours and transparent black. */
static void dxt_colour(const uint8_t *block, struct place at, bool always_four, float texel[4])
{
    uint32_t ends[2] = {load_le16(block), load_le16(block + 2)};
    float colour[2][3];
    unsigned code = code_of(block, at);
    from_565(ends[0], colour[0]);
    from_565(ends[1], colour[1]);
    texel[3] = 1;
    if (always_four || ends[0] > ends[1]) {
        static const float shares[4] = {0, 1, 1.0F / 3, 2.0F / 3};
        blend(colour[0], colour[1], shares[code], texel);
    } else if (code < 3) {
        static const float shares[3] = {0, 1, 0.5F};
        blend(colour[0], colour[1], shares[code], texel);
    } else {
        texel[0] = texel[1] = texel[2] = texel[3] = 0;
    }
}

static void atc_colour(const uint8_t *block, struct place at, float texel[4])
{
    float first[3], last[3];
    unsigned code = code_of(block, at);
    from_555(load_le16(block), first);
    from_565(load_le16(block + 2), last);
    texel[3] = 1;
    if (!(block[1] & 0x80)) {
        static const float shares[4] = {0, 1.0F / 3, 2.0F / 3, 1};
        blend(first, last, shares[code], texel);
        return;
    }
    for (unsigned i = 0; i < 3; i++) {
        float less = first[i] - last[i] / 4;
        const float colours[4] = {0, less > 0 ? less : 0, first[i], last[i]};
        texel[i] = colours[code];
    }
}

/* --- single components --- */

static float explicit_component(const uint8_t *block, struct place at)
{
    return (float)(load_le64(block) >> 4 * at.number & 15) / 15;
}

/* Decodes a component from two end points and a 3-bit code for each texel. If the first end point
 * is greater, there are six values between the end points. Otherwise there are four values between
 * them, and the least and the greatest possible value. A signed end point of -128 counts as
 * -127. */
static float smooth_component(const uint8_t *block, struct place at, bool is_signed)
{
    uint64_t bits = load_le64(block);
    unsigned code = bits >> (16 + 3 * at.number) & 7;
    int first = is_signed ? (int8_t)block[0] : block[0],
        last = is_signed ? (int8_t)block[1] : block[1];
    bool six = first > last;
    float greatest = is_signed ? 127 : 255;
    if (is_signed) {
        first = first < -127 ? -127 : first;
        last = last < -127 ? -127 : last;
    }
    if (!six && code >= 6)
        return code == 7 ? 1 : is_signed ? -1 : 0;
    int steps = six ? 7 : 5, step = code < 2 ? (int)code * steps : (int)code - 1;
    return (float)(first * (steps - step) + last * step) / ((float)steps * greatest);
}

static void repeat(float texel[4], unsigned from)
{
    for (unsigned i = from + 1; i < 4; i++)
        texel[i] = texel[from];
}

/* --- formats --- */

/* For the components in signs, interprets the 8-bit values as signed. */
static void apply_signs(unsigned signs, float texel[4])
{
    for (unsigned i = 0; signs && i < 4; i++) {
        int value = (int)(texel[i] * 255 + 0.5F);
        if (signs >> i & 1)
            texel[i] = value == 128 ? -1 : (float)(value - (value > 127 ? 256 : 0)) / 127;
    }
}

static void texel_dxt1(const uint8_t *block, struct place at, unsigned signs, float texel[4])
{
    dxt_colour(block, at, false, texel);
    apply_signs(signs, texel);
}

static void texel_dxt3(const uint8_t *block, struct place at, unsigned signs, float texel[4])
{
    dxt_colour(block + 8, at, true, texel);
    texel[3] = explicit_component(block, at);
    apply_signs(signs, texel);
}

static void texel_dxt5(const uint8_t *block, struct place at, unsigned signs, float texel[4])
{
    dxt_colour(block + 8, at, true, texel);
    apply_signs(signs & 7, texel);
    texel[3] = smooth_component(block, at, signs >> 3 & 1);
}

static void texel_dxt3a(const uint8_t *block, struct place at, unsigned signs, float texel[4])
{
    texel[0] = explicit_component(block, at);
    repeat(texel, 0);
    apply_signs(signs, texel);
}

static void texel_dxt5a(const uint8_t *block, struct place at, unsigned signs, float texel[4])
{
    texel[0] = smooth_component(block, at, signs & 1);
    repeat(texel, 0);
}

static void texel_dxn(const uint8_t *block, struct place at, unsigned signs, float texel[4])
{
    texel[0] = smooth_component(block, at, signs & 1);
    texel[1] = smooth_component(block + 8, at, signs >> 1 & 1);
    repeat(texel, 1);
}

/* Decodes CTX1. Each end point has the second component in its low byte and the first component in
 * its high byte. */
static void texel_ctx1(const uint8_t *block, struct place at, unsigned signs, float texel[4])
{
    static const float shares[4] = {0, 1, 1.0F / 3, 2.0F / 3};
    float share = shares[code_of(block, at)];
    for (unsigned i = 0; i < 2; i++) {
        float first = block[1 - i], last = block[3 - i];
        texel[i] = (first * (1 - share) + last * share) / 255;
    }
    repeat(texel, 1);
    apply_signs(signs, texel);
}

static void texel_atc_rgb(const uint8_t *block, struct place at, unsigned signs, float texel[4])
{
    atc_colour(block, at, texel);
    apply_signs(signs, texel);
}

static void texel_atc_rgba(const uint8_t *block, struct place at, unsigned signs, float texel[4])
{
    atc_colour(block + 8, at, texel);
    texel[3] = explicit_component(block, at);
    apply_signs(signs, texel);
}

static void texel_atc_interp(const uint8_t *block, struct place at, unsigned signs, float texel[4])
{
    atc_colour(block + 8, at, texel);
    apply_signs(signs & 7, texel);
    texel[3] = smooth_component(block, at, signs >> 3 & 1);
}

static void texel_etc1(const uint8_t *block, struct place at, unsigned signs, float texel[4])
{
    uint32_t bits = etc1_texel(load_le64(block), at.x, at.y);
    for (unsigned i = 0; i < 4; i++)
        texel[i] = (float)(bits >> 8 * i & 255) / 255;
    apply_signs(signs, texel);
}

/* Decodes Y Cb Cr. The name of such a format lists the bytes from the highest to the lowest. The
 * components of the result are Cr, Y and Cb, in this order. */
static void texel_yuv(const uint8_t *bytes, unsigned luma, struct place at, unsigned signs,
                      float texel[4])
{
    unsigned chroma = 1 - luma; /* index of the byte with Cb; the byte with Cr is two bytes later */
    texel[0] = (float)bytes[chroma + 2] / 255;
    texel[1] = (float)bytes[luma + 2 * at.x] / 255;
    texel[2] = (float)bytes[chroma] / 255;
    repeat(texel, 2);
    apply_signs(signs, texel);
}

static void texel_cr_y1_cb_y0(const uint8_t *block, struct place at, unsigned signs, float texel[4])
{
    texel_yuv(block, 0, at, signs, texel);
}

static void texel_y1_cr_y0_cb(const uint8_t *block, struct place at, unsigned signs, float texel[4])
{
    texel_yuv(block, 1, at, signs, texel);
}

/* Decodes texels with one bit for each component. The last component is in the lowest bit. */
static void texel_dxt3a_1111(const uint8_t *block, struct place at, unsigned signs, float texel[4])
{
    uint32_t bits = (uint32_t)(load_le64(block) >> 4 * at.number);
    for (unsigned i = 0; i < 4; i++)
        texel[i] = (float)(bits >> (3 - i) & 1);
    apply_signs(signs, texel);
}

/* --- choice of a decoder --- */

enum { FORMATS = 64, CODE_CR_Y1_CB_Y0 = 11, CODE_DXT3A_AS_1_1_1_1 = 61 };

static texel_function *const functions[] = {
    [A2XX_FORMAT_DXT1] = texel_dxt1,
    [A2XX_FORMAT_DXT2_3] = texel_dxt3,
    [A2XX_FORMAT_DXT4_5] = texel_dxt5,
    [A2XX_FORMAT_DXT3A] = texel_dxt3a,
    [A2XX_FORMAT_DXT5A] = texel_dxt5a,
    [A2XX_FORMAT_DXN] = texel_dxn,
    [A2XX_FORMAT_CTX1] = texel_ctx1,
    [A2XX_FORMAT_ETC1] = texel_etc1,
    [A2XX_FORMAT_ATC_RGB] = texel_atc_rgb,
    [A2XX_FORMAT_ATC_RGBA] = texel_atc_rgba,
    [A2XX_FORMAT_ATC_INTERP] = texel_atc_interp,
    [A2XX_FORMAT_YUV] = texel_y1_cr_y0_cb,
};

/* Returns the decoder of a format. Two formats have a different order of bits from the other
 * formats of their kind, and therefore have their own decoders. */
static texel_function *function_of(const struct a2xx_format *format)
{
    ptrdiff_t row = format - &a2xx_formats[0][0], code = row % FORMATS;
    if (code == CODE_CR_Y1_CB_Y0)
        return texel_cr_y1_cb_y0;
    if (code == CODE_DXT3A_AS_1_1_1_1)
        return texel_dxt3a_1111;
    return functions[format->kind];
}

bool a2xx_texel_is_known(const struct a2xx_format *format)
{
    return format->name && format->kind < sizeof functions / sizeof *functions &&
           functions[format->kind];
}

void a2xx_texel(const struct a2xx_format *format, const uint8_t *block, unsigned x, unsigned y,
                unsigned signs, float texel[4])
{
    struct place at = {x, y, y * format->width + x};
    function_of(format)(block, at, signs, texel);
}

void a2xx_texels(const struct a2xx_format *format, const uint32_t words[4][A2XX_LANES],
                 const int32_t x[A2XX_LANES], const int32_t y[A2XX_LANES], uint64_t lanes,
                 unsigned signs, float data[4][A2XX_LANES])
{
    texel_function *function = function_of(format);
    unsigned width = format->width, right = width - 1U, down = format->height - 1U;
    unsigned count = (format->bytes + 3U) / 4;
    FOR_LANES(lane, lanes)
    {
        struct place at = {(unsigned)x[lane] & right, (unsigned)y[lane] & down, 0};
        uint8_t block[A2XX_BLOCK_BYTES];
        float value[4];
        at.number = at.y * width + at.x;
        for (unsigned i = 0; i < count; i++)
            store_le32(block + 4 * i, words[i][lane]);
        function(block, at, signs, value);
        for (unsigned i = 0; i < 4; i++)
            data[i][lane] = value[i];
    }
}
