/* SPDX-License-Identifier: MIT */
/* texel.c - see texel.h.
 *
 * Source:   manual table 18 for the types; Mesa vc4_formats.c for the order of channels; the OpenGL
 * ES extension OES_compressed_ETC1_RGB8_texture for ETC1. Modelled: all eighteen types. Choices:
 * the result of YUYV422R is not documented; Y, U and V are passed on as R, G and B. Channels
 *           narrower than 8 bits widen by repeating their bits, as OpenGL's normalisation asks for.
 */
#include "vc4/texel.h"

#include <stddef.h>

#include "base/bits.h"

static uint32_t rgba(uint32_t red, uint32_t green, uint32_t blue, uint32_t alpha)
{
    return red | green << 8 | blue << 16 | alpha << 24;
}

static uint32_t field(uint64_t raw, unsigned high, unsigned low)
{
    return (uint32_t)bits_get(raw, high, low);
}

static uint32_t widen4(uint32_t value)
{
    return value * 17;
}

static uint32_t widen5(uint32_t value)
{
    return value << 3 | value >> 2;
}

static uint32_t widen6(uint32_t value)
{
    return value << 2 | value >> 4;
}

#define DECODER(name)                                                      \
    static uint64_t name(uint64_t raw, uint32_t x __attribute__((unused)), \
                         uint32_t y __attribute__((unused)))

/* The result is the bits themselves. */
DECODER(decode_same)
{
    return raw;
}

DECODER(decode_rgbx8888)
{
    return raw | 0xff000000;
}

DECODER(decode_rgba4444)
{
    return rgba(widen4(field(raw, 15, 12)), widen4(field(raw, 11, 8)), widen4(field(raw, 7, 4)),
                widen4(field(raw, 3, 0)));
}

DECODER(decode_rgba5551)
{
    return rgba(widen5(field(raw, 15, 11)), widen5(field(raw, 10, 6)), widen5(field(raw, 5, 1)),
                field(raw, 0, 0) * 255);
}

DECODER(decode_rgb565)
{
    return rgba(widen5(field(raw, 15, 11)), widen6(field(raw, 10, 5)), widen5(field(raw, 4, 0)),
                255);
}

DECODER(decode_luminance)
{
    uint32_t luminance = field(raw, 7, 0);
    return rgba(luminance, luminance, luminance, 255);
}

DECODER(decode_alpha)
{
    return rgba(0, 0, 0, field(raw, 7, 0));
}

DECODER(decode_lumalpha)
{
    uint32_t luminance = field(raw, 7, 0);
    return rgba(luminance, luminance, luminance, field(raw, 15, 8));
}

DECODER(decode_bw1)
{
    uint32_t level = field(raw, 0, 0) * 255;
    return rgba(level, level, level, 255);
}

DECODER(decode_a4)
{
    return rgba(0, 0, 0, widen4(field(raw, 3, 0)));
}

DECODER(decode_a1)
{
    return rgba(0, 0, 0, field(raw, 0, 0) * 255);
}

/* Two texels in a cell: Y, U, Y, V. */
DECODER(decode_yuyv)
{
    return rgba((uint32_t)(raw >> x * 16) & 0xff, field(raw, 15, 8), field(raw, 31, 24), 255);
}

/* An ETC1 block as a big-endian word: bits 63:40 are the base colours of its two halves, a byte per
 * channel from red on; 39:37 and 36:34 the halves' intensity tables; 33 says that the second base
 * colour is a difference; 32 that the halves lie above each other; 31:0 select an intensity per
 * texel. */
enum { ETC_DIFFERENCE = 33, ETC_STACKED = 32, ETC_TABLES = 34 };

static const uint8_t etc_intensity[8][2] = {
    {2,  8  },
    {5,  17 },
    {9,  29 },
    {13, 42 },
    {18, 60 },
    {24, 80 },
    {33, 106},
    {47, 183},
};

/* One channel's base value in a half of the block; byte holds that channel of both halves. */
static int32_t etc_base(uint32_t byte, bool difference, bool second)
{
    if (!difference)
        return (int32_t)widen4(second ? byte & 15 : byte >> 4);
    uint32_t base = byte >> 3;
    if (second)
        base = (base + (uint32_t)bits_signed(byte, 3)) & 31;
    return (int32_t)widen5(base);
}

/* Texels are numbered down the columns. Codes 0 to 3 are +small, +large, -small, -large. */
static int32_t etc_modifier(uint64_t block, bool second, uint32_t x, uint32_t y)
{
    uint32_t texel = x * 4 + y;
    uint32_t table = (uint32_t)(block >> (second ? ETC_TABLES : ETC_TABLES + 3)) & 7;
    int32_t size = etc_intensity[table][block >> texel & 1];
    return block >> (16 + texel) & 1 ? -size : size;
}

static uint32_t saturate(int32_t value)
{
    return value < 0 ? 0 : value > 255 ? 255 : (uint32_t)value;
}

DECODER(decode_etc1)
{
    uint64_t block = __builtin_bswap64(raw);
    bool second = (block >> ETC_STACKED & 1 ? y : x) >= 2;
    bool difference = block >> ETC_DIFFERENCE & 1;
    int32_t modifier = etc_modifier(block, second, x, y);
    uint32_t channel[3];
    for (unsigned i = 0; i < 3; i++)
        channel[i] = saturate(etc_base(block >> (56 - 8 * i) & 0xff, difference, second) +
                              modifier);
    return rgba(channel[0], channel[1], channel[2], 255);
}

#define BYTES  TEXEL_BLEND_BYTES
#define HALVES TEXEL_BLEND_HALVES
#define NEVER  TEXEL_BLEND_NEVER
#define RASTER true
#define TILED  false

/* clang-format off */
static const struct texel_format formats[] = {
    /* name        no. bits  block  layout  words blend   decoder */
    {"RGBA8888",    0,  32,  0, 0,  TILED,  1,    BYTES,  decode_same},
    {"RGBX8888",    1,  32,  0, 0,  TILED,  1,    BYTES,  decode_rgbx8888},
    {"RGBA4444",    2,  16,  0, 0,  TILED,  1,    BYTES,  decode_rgba4444},
    {"RGBA5551",    3,  16,  0, 0,  TILED,  1,    BYTES,  decode_rgba5551},
    {"RGB565",      4,  16,  0, 0,  TILED,  1,    BYTES,  decode_rgb565},
    {"LUMINANCE",   5,   8,  0, 0,  TILED,  1,    BYTES,  decode_luminance},
    {"ALPHA",       6,   8,  0, 0,  TILED,  1,    BYTES,  decode_alpha},
    {"LUMALPHA",    7,  16,  0, 0,  TILED,  1,    BYTES,  decode_lumalpha},
    {"ETC1",        8,  64,  2, 2,  TILED,  1,    BYTES,  decode_etc1},
    {"S16F",        9,  16,  0, 0,  TILED,  1,    HALVES, decode_same},
    {"S8",         10,   8,  0, 0,  TILED,  1,    BYTES,  decode_same},
    {"S16",        11,  16,  0, 0,  TILED,  1,    NEVER,  decode_same},
    {"BW1",        12,   1,  0, 0,  TILED,  1,    BYTES,  decode_bw1},
    {"A4",         13,   4,  0, 0,  TILED,  1,    BYTES,  decode_a4},
    {"A1",         14,   1,  0, 0,  TILED,  1,    BYTES,  decode_a1},
    {"RGBA64",     15,  64,  0, 0,  TILED,  2,    HALVES, decode_same},
    {"RGBA32R",    16,  32,  0, 0,  RASTER, 1,    BYTES,  decode_same},
    {"YUYV422R",   17,  32,  1, 0,  RASTER, 1,    BYTES,  decode_yuyv},
};
/* clang-format on */

const struct texel_format *texel_format(uint32_t number)
{
    return number < sizeof formats / sizeof *formats ? &formats[number] : NULL;
}
