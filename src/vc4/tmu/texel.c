/* SPDX-License-Identifier: MIT */
/* texel.c - see texel.h.
 *
 * Source:   manual table 18 for the types; Mesa vc4_formats.c for the order of channels; the OpenGL
 *           ES extension OES_compressed_ETC1_RGB8_texture for ETC1 (base/etc1.c).
 * Modelled: all eighteen types.
 * Choices:  the result of YUYV422R is not documented; the model returns Y, U and V as R, G and B.
 *           Channels narrower than 8 bits are widened by repeating their bits, as OpenGL's
 *           normalisation requires.
 * */
#include "vc4/tmu/texel.h"

#include <stddef.h>

#include "base/etc1.h"

/* Begins the definition of a decoder. */
#define DECODER(name) static void name(lanes *raw, const lanes *x __attribute__((unused)))

DECODER(decode_rgbx8888)
{
    *raw |= TEXEL_OPAQUE;
}

DECODER(decode_rgba4444)
{
    lanes red = TEXEL_BITS(*raw, 15, 12), green = TEXEL_BITS(*raw, 11, 8),
          blue = TEXEL_BITS(*raw, 7, 4);
    lanes alpha = TEXEL_BITS(*raw, 3, 0);
    *raw = TEXEL_WIDEN4(TEXEL_RGBA(red, green, blue, alpha));
}

DECODER(decode_rgba5551)
{
    lanes red = TEXEL_BITS(*raw, 15, 11), green = TEXEL_BITS(*raw, 10, 6),
          blue = TEXEL_BITS(*raw, 5, 1);
    lanes alpha = 0 - TEXEL_BITS(*raw, 0, 0);
    *raw = TEXEL_RGBA(TEXEL_WIDEN5(red), TEXEL_WIDEN5(green), TEXEL_WIDEN5(blue), alpha);
}

DECODER(decode_rgb565)
{
    lanes red = TEXEL_BITS(*raw, 15, 11), green = TEXEL_BITS(*raw, 10, 5),
          blue = TEXEL_BITS(*raw, 4, 0);
    *raw = TEXEL_RGBA(TEXEL_WIDEN5(red), TEXEL_WIDEN6(green), TEXEL_WIDEN5(blue),
                      TEXEL_OPAQUE >> 24);
}

DECODER(decode_luminance)
{
    *raw = *raw * 0x010101 | TEXEL_OPAQUE;
}

DECODER(decode_alpha)
{
    *raw <<= 24;
}

DECODER(decode_lumalpha)
{
    lanes luminance = TEXEL_BITS(*raw, 7, 0), alpha = TEXEL_BITS(*raw, 15, 8);
    *raw = luminance * 0x010101 | alpha << 24;
}

DECODER(decode_bw1)
{
    *raw = (0 - TEXEL_BITS(*raw, 0, 0)) | TEXEL_OPAQUE;
}

DECODER(decode_a4)
{
    *raw = TEXEL_WIDEN4(TEXEL_BITS(*raw, 3, 0)) << 24;
}

DECODER(decode_a1)
{
    *raw = (0 - TEXEL_BITS(*raw, 0, 0)) & TEXEL_OPAQUE;
}

/* Decodes one of the two texels in a cell. A cell contains four bytes: Y, U, Y, V. */
DECODER(decode_yuyv)
{
    lanes luminance = *raw >> (*x & 1) * 16 & 0xff;
    *raw = TEXEL_RGBA(luminance, TEXEL_BITS(*raw, 15, 8), TEXEL_BITS(*raw, 31, 24),
                      TEXEL_OPAQUE >> 24);
}

const uint32_t *etc1_texels(struct etc1_cache *cache, uint64_t bits)
{
    uint32_t at = (uint32_t)((bits * UINT64_C(0x9e3779b97f4a7c15)) >> 32) % ETC1_BLOCKS;
    if (cache->block[at] != bits || !cache->texel[at][0]) {
        cache->block[at] = bits;
        etc1_decode(bits, cache->texel[at]);
    }
    return cache->texel[at];
}

#define BYTES  TEXEL_BLEND_BYTES
#define HALVES TEXEL_BLEND_HALVES
#define NEVER  TEXEL_BLEND_NEVER
#define RASTER true
#define TILED  false

/* clang-format off */
static const struct texel_format formats[] = {
    /* name        no. bits  block  layout  words blend   decoder */
    {"RGBA8888",    0,  32,  0, 0,  TILED,  1,    BYTES,  NULL       },
    {"RGBX8888",    1,  32,  0, 0,  TILED,  1,    BYTES,  decode_rgbx8888},
    {"RGBA4444",    2,  16,  0, 0,  TILED,  1,    BYTES,  decode_rgba4444},
    {"RGBA5551",    3,  16,  0, 0,  TILED,  1,    BYTES,  decode_rgba5551},
    {"RGB565",      4,  16,  0, 0,  TILED,  1,    BYTES,  decode_rgb565},
    {"LUMINANCE",   5,   8,  0, 0,  TILED,  1,    BYTES,  decode_luminance},
    {"ALPHA",       6,   8,  0, 0,  TILED,  1,    BYTES,  decode_alpha},
    {"LUMALPHA",    7,  16,  0, 0,  TILED,  1,    BYTES,  decode_lumalpha},
    {"ETC1",        8,  64,  2, 2,  TILED,  1,    BYTES,  NULL},
    {"S16F",        9,  16,  0, 0,  TILED,  1,    HALVES, NULL       },
    {"S8",         10,   8,  0, 0,  TILED,  1,    BYTES,  NULL       },
    {"S16",        11,  16,  0, 0,  TILED,  1,    NEVER,  NULL       },
    {"BW1",        12,   1,  0, 0,  TILED,  1,    BYTES,  decode_bw1},
    {"A4",         13,   4,  0, 0,  TILED,  1,    BYTES,  decode_a4},
    {"A1",         14,   1,  0, 0,  TILED,  1,    BYTES,  decode_a1},
    {"RGBA64",     15,  64,  0, 0,  TILED,  2,    HALVES, NULL       },
    {"RGBA32R",    16,  32,  0, 0,  RASTER, 1,    BYTES,  NULL       },
    {"YUYV422R",   17,  32,  1, 0,  RASTER, 1,    BYTES,  decode_yuyv},
};
/* clang-format on */

const struct texel_format *texel_format(uint32_t number)
{
    return number < sizeof formats / sizeof *formats ? &formats[number] : NULL;
}
