/* SPDX-License-Identifier: MIT */
/* texels.h - the textures of the shaders of this folder. The name of a sampler selects its texture.
 *
 * In:      "cube": six faces of 8 x 8, else 16 x 8; "linear", else nearest; "clamp" or "mirror",
 *          else repeat; "mip": with levels; "luminance", "alpha", "565", "4444", "5551", else four
 *          bytes.
 * Out:     a texel's data for glTexImage2D(), as bytes and as numbers.
 * Choice:  any formula is suitable whose texels all differ from their neighbours. */
#ifndef TESTS_TEXELS_H
#define TESTS_TEXELS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { TEXELS_WIDTH = 16, TEXELS_HEIGHT = 8, TEXELS_CUBE = 8 };

static inline bool texels_are(const char *sampler, const char *word)
{
    return strstr(sampler, word) != NULL;
}

/* Computes a texel. Level 0 is the whole texture. Faces 0 to 5 are +x, -x, +y, -y, +z, -z. */
static inline void texel_bytes(unsigned x, unsigned y, unsigned level, unsigned face,
                               uint8_t bytes[4])
{
    bytes[0] = (uint8_t)(x * 16 + face * 3);
    bytes[1] = (uint8_t)(y * 30 + level * 7);
    bytes[2] = (uint8_t)((x * 37 + y * 59 + level * 83 + face * 41) & 255);
    bytes[3] = (uint8_t)(255 - x * 5 - y * 3 - level * 40);
}

/* Returns a byte that is reduced to this number of bits, as glTexImage2D() packs it. */
static inline unsigned texel_bits(uint8_t byte, unsigned bits)
{
    return (unsigned)byte >> (8 - bits);
}

/* Computes the colour (r, g, b, a) that a shader reads, by section 3.7.1 of the OpenGL ES 2.0
 * specification. */
static inline void texel_colour(const char *sampler, const uint8_t bytes[4], double colour[4])
{
    static const struct {
        const char *word;
        unsigned bits[4];
    } packed[] = {
        {"565", {5, 6, 5, 0}},
        {"4444", {4, 4, 4, 4}},
        {"5551", {5, 5, 5, 1}},
        {"", {8, 8, 8, 8}},
    };
    unsigned p = 0;
    while (!texels_are(sampler, packed[p].word))
        p++;
    for (int c = 0; c < 4; c++) {
        unsigned bits = packed[p].bits[c];
        colour[c] = bits ? texel_bits(bytes[c], bits) / (double)((1u << bits) - 1) : 1;
    }
    if (texels_are(sampler, "luminance")) {
        colour[1] = colour[2] = colour[0];
        colour[3] = 1;
    } else if (texels_are(sampler, "alpha")) {
        colour[3] = colour[0];
        colour[0] = colour[1] = colour[2] = 0;
    }
}

#endif
