/* SPDX-License-Identifier: MIT */
/* texture_rig.h - a texture and an instruction that fetches from it, for the tests of texture
 * fetches.
 *
 * Expected values of these tests were calculated by hand from docs/hardware/a2xx.md, sections 15 to
 * 17 and 27. docs/a2xx/texture.md defines the cases that these sections leave open. */
#ifndef TEST_A2XX_TEXTURE_RIG_H
#define TEST_A2XX_TEXTURE_RIG_H

#include <math.h>

#include "fetch_rig.h"

enum { D1, D2, D3, CUBE };
enum {
    FMT_8 = 2,
    FMT_8_8_8_8 = 6,
    FMT_8_8 = 10,
    FMT_16 = 24,
    FMT_32_FLOAT = 36,
    FMT_32_32_32_32_FLOAT = 38
};
enum { WRAP, MIRROR, LAST, MIRROR_LAST, HALF, MIRROR_HALF, BORDER, MIRROR_BORDER };
enum { MIP_AT = RIG_ADDRESS + 0x40000 };

static struct rig rig;
static struct tess_a2xx_texture texture;
static struct a2xx_texture insn;

/* Sets up a linear texture of integers with point filters, and an instruction that uses all
 * filters of the constant. */
static inline void start(uint32_t format, uint32_t dimension, uint32_t width, uint32_t height)
{
    rig_start(&rig, TESS_A2XX_ADRENO);
    texture = (struct tess_a2xx_texture){.address = RIG_ADDRESS,
                                         .mip_address = MIP_AT,
                                         .width = width,
                                         .height = height,
                                         .format = format,
                                         .dimension = dimension,
                                         .clamp = {LAST, LAST, LAST},
                                         .whole_numbers = true};
    insn = (struct a2xx_texture){.opcode = A2XX_FETCH_SAMPLE,
                                 .const_index = 3,
                                 .mag_filter = 3,
                                 .min_filter = 3,
                                 .mip_filter = 3,
                                 .aniso_filter = 7,
                                 .arbitrary_filter = 7,
                                 .vol_mag_filter = 3,
                                 .vol_min_filter = 3,
                                 .use_comp_lod = 1};
}

static inline uint8_t *texel(uint32_t level, uint32_t x, uint32_t y, uint32_t z)
{
    return rig.bytes + (level ? MIP_AT - RIG_ADDRESS : 0) +
           tess_a2xx_texture_offset(&texture, level, x, y, z);
}

static inline void fetch(bool quads)
{
    assert_int_equal(tess_a2xx_texture_constant(&texture, &rig.constants[18]), TESS_OK);
    rig_texture(&rig, &insn, quads);
}

static inline void place(unsigned lane, float x, float y, float z)
{
    rig.coords[0][lane] = x;
    rig.coords[1][lane] = y;
    rig.coords[2][lane] = z;
}

static inline void expect(unsigned lane, float wanted, const char *what)
{
    if (rig.data[0][lane] != wanted)
        fail_msg("%s, lane %u: %.9g, not %.9g", what, lane, (double)rig.data[0][lane],
                 (double)wanted);
}

/* Fills level n with the value 10 n. */
static inline void fill_levels(unsigned levels, uint32_t size)
{
    for (uint32_t level = 0; level < levels; level++)
        for (uint32_t y = 0; y < size >> level; y++)
            for (uint32_t x = 0; x < size >> level; x++)
                *texel(level, x, y, 0) = (uint8_t)(10 * level);
}

/* Sets a quad of lanes whose neighbouring coordinates are `right` texels and `down` texels
 * apart. */
static inline void quad(unsigned lane, float right, float down)
{
    place(lane, 0, 0, 0);
    place(lane + 1, right / 16, 0, 0);
    place(lane + 2, 0, down / 16, 0);
    place(lane + 3, right / 16, down / 16, 0);
}

#endif
