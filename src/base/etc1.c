/* SPDX-License-Identifier: MIT */
/* etc1.c - see etc1.h. */
#include "base/etc1.h"

#include <stdbool.h>

#include "base/bits.h"

/* An ETC1 block as a big-endian word. Bits 63:40 are the base colours of both halves, one byte per
 * channel, red first. Bits 39:37 and 36:34 are the intensity tables of the first and the second
 * half. If bit 33 is set, the second base colour is stored as a difference from the first. If bit
 * 32 is set, one half is above the other. Bits 31:0 select the intensity of each texel. */
enum { ETC_DIFFERENCE = 33, ETC_STACKED = 32, ETC_TABLES = 34 };

static const uint8_t etc_intensity[8][2] = {
    /* clang-format off */
    {2,  8},
    {5,  17},
    {9,  29},
    {13, 42},
    {18, 60},
    {24, 80},
    {33, 106},
    {47, 183},
    /* clang-format on */
};

/* Returns one channel of a half's base colour. `byte` contains that channel of both halves. */
static int32_t etc_base(uint32_t byte, bool difference, bool second)
{
    if (!difference)
        return (int32_t)(second ? byte & 15 : byte >> 4) * 17;
    uint32_t base = byte >> 3;
    if (second)
        base = (base + (uint32_t)bits_signed(byte, 3)) & 31;
    return (int32_t)(base << 3 | base >> 2);
}

static uint32_t saturate(int32_t value)
{
    return value < 0 ? 0 : value > 255 ? 255 : (uint32_t)value;
}

/* Computes the four colours of a half, indexed by a texel's code. The codes 0 to 3 add +small,
 * +large, -small and -large to the base colour. */
static void etc_colours(uint64_t block, bool second, uint32_t colour[4])
{
    bool difference = block >> ETC_DIFFERENCE & 1;
    uint32_t table = (uint32_t)(block >> (second ? ETC_TABLES : ETC_TABLES + 3)) & 7;
    int32_t small = etc_intensity[table][0], large = etc_intensity[table][1];
    colour[0] = colour[1] = colour[2] = colour[3] = 0xff000000;
    for (unsigned i = 0; i < 3; i++) {
        uint32_t byte = (uint32_t)(block >> (56 - 8 * i)) & 0xff;
        int32_t base = etc_base(byte, difference, second);
        colour[0] |= saturate(base + small) << (8 * i);
        colour[1] |= saturate(base + large) << (8 * i);
        colour[2] |= saturate(base - small) << (8 * i);
        colour[3] |= saturate(base - large) << (8 * i);
    }
}

/* Texels in a block are numbered column by column. */
void etc1_decode(uint64_t bits, uint32_t texel[16])
{
    uint64_t block = __builtin_bswap64(bits);
    uint32_t colour[2][4];
    etc_colours(block, false, colour[0]);
    etc_colours(block, true, colour[1]);
    bool stacked = block >> ETC_STACKED & 1;
    for (uint32_t i = 0; i < 16; i++) {
        uint32_t x = i & 3, y = i >> 2, number = x * 4 + y;
        uint32_t code = ((uint32_t)block >> number & 1) | ((uint32_t)block >> (15 + number) & 2);
        texel[i] = colour[(stacked ? y : x) >> 1][code];
    }
}

uint32_t etc1_texel(uint64_t bits, uint32_t x, uint32_t y)
{
    uint64_t block = __builtin_bswap64(bits);
    bool stacked = block >> ETC_STACKED & 1, second = (stacked ? y : x) >> 1;
    uint32_t number = x * 4 + y,
             table = (uint32_t)(block >> (second ? ETC_TABLES : ETC_TABLES + 3));
    int32_t change = etc_intensity[table & 7][(uint32_t)block >> number & 1];
    if ((uint32_t)block >> (16 + number) & 1)
        change = -change;
    uint32_t texel = 0xff000000;
    for (unsigned i = 0; i < 3; i++) {
        uint32_t byte = (uint32_t)(block >> (56 - 8 * i)) & 0xff;
        texel |= saturate(etc_base(byte, block >> ETC_DIFFERENCE & 1, second) + change) << (8 * i);
    }
    return texel;
}
