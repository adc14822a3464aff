/* SPDX-License-Identifier: MIT */
/* texture.c - tests texture fetches: coordinates, clamps, filters, cubes, volumes, signs,
 * layouts, and faults (see texture_rig.h). */
#include "../../register.h"
#include "texture_rig.h"

TEST(test_points)
{
    start(FMT_8_8_8_8, D2, 8, 8);
    for (unsigned i = 0; i < 64; i++) {
        memcpy(texel(0, i % 8, i / 8, 0), (uint8_t[]){(uint8_t)i, 1, 2, 3}, 4);
        place(i, ((float)(i % 8) + 0.3F) / 8, ((float)(i / 8) + 0.9F) / 8, 9);
    }
    fetch(true);
    for (unsigned i = 0; i < 64; i++)
        RIG_SAME(&rig, i, (float)i, 1, 2, 3);
    rig_faults(&rig, NO_FAULT, 0);
    insn.coord_denorm = 1;
    insn.offset_x = 2;    /* one texel to the right */
    insn.offset_y = 0x1f; /* half a texel up */
    for (unsigned i = 0; i < 64; i++)
        place(i, (float)(i % 8), (float)(i / 8) + 0.5F, 0);
    fetch(false);
    for (unsigned i = 0; i < 64; i++)
        RIG_SAME(&rig, i, (float)(i / 8 * 8 + (i % 8 < 7 ? i % 8 + 1 : 7)), 1, 2, 3);
    rig_stop(&rig);
}

/* The texels of a row are 1, 2, 3, 4, and the border is 0. Coordinates are in texels. */
TEST(test_clamps)
{
    static const float at[] = {-9, -5, -4, -3, -1, 0, 3, 4, 5, 7, 8, 9, 12};
    static const uint8_t wanted[8][13] = {
        {4, 4, 1, 2, 4, 1, 4, 1, 2, 4, 1, 2, 1}, /* wrap */
        {1, 4, 4, 3, 1, 1, 4, 4, 3, 1, 1, 2, 4}, /* mirror */
        {1, 1, 1, 1, 1, 1, 4, 4, 4, 4, 4, 4, 4}, /* clamp to last */
        {4, 4, 4, 3, 1, 1, 4, 4, 4, 4, 4, 4, 4}, /* mirror once, then last */
        {1, 1, 1, 1, 1, 1, 4, 4, 4, 4, 4, 4, 4}, /* half border: no effect on point sampling */
        {4, 4, 4, 3, 1, 1, 4, 4, 4, 4, 4, 4, 4},
        {0, 0, 0, 0, 0, 1, 4, 0, 0, 0, 0, 0, 0}, /* border */
        {0, 0, 4, 3, 1, 1, 4, 0, 0, 0, 0, 0, 0}, /* mirror once, then border */
    };
    start(FMT_8, D1, 4, 1);
    memcpy(rig.bytes, (uint8_t[]){1, 2, 3, 4}, 4);
    for (uint32_t clamp = 0; clamp < 8; clamp++) {
        texture.clamp[0] = clamp;
        for (unsigned i = 0; i < 13; i++)
            place(i, (at[i] + 0.5F) / 4, 0, 0);
        fetch(false);
        for (unsigned i = 0; i < 13; i++)
            expect(i, wanted[clamp][i], "point");
        rig_faults(&rig, NO_FAULT, 0);
    }
    rig_stop(&rig);
}

/* Samples the row 1, 2, 3, 4 between texels, for example at -0.25 and 4.25, with a border of 1. */
TEST(test_linear_clamps)
{
    static const float wanted[8][4] = {
        /* clang-format off */
        /* clang-format off */
        /* The results of wrap are 4 * 0.75 + 1 * 0.25, 4 * 0.25 + 1 * 0.75, and (3 + 4) / 2. */
        {3.25F, 1.75F, 3.5F, 2.5F},
        {1,     4,     1.5F, 2.5F}, /* mirror */
        {1,     4,     1,    2.5F}, /* clamp to last */
        {1,     4,     1.5F, 2.5F}, /* mirror once, then last */
        {1,     2.5F,  1,    2.5F}, /* half border: at most half of the border, (4 + 1) / 2 */
        {1,     2.5F,  1.5F, 2.5F}, /* mirror once, then half border */
        {1,     1.75F, 1,    2.5F}, /* border: 4 * 0.25 + 1 * 0.75 */
        {1,     1.75F, 1.5F, 2.5F}, /* mirror once, then border */
        /* clang-format on */
        /* clang-format on */
    };
    start(FMT_8, D1, 4, 1);
    memcpy(rig.bytes, (uint8_t[]){1, 2, 3, 4}, 4);
    texture.mag = texture.min = 1;
    texture.white_border = true;
    for (uint32_t clamp = 0; clamp < 8; clamp++) {
        texture.clamp[0] = clamp;
        place(0, -0.25F / 4, 0, 0); /* texels -1 and 0, weights 0.75 and 0.25 */
        place(1, 4.25F / 4, 0, 0);  /* texels 3 and 4, weights 0.25 and 0.75 */
        place(2, -1.0F / 4, 0, 0);  /* half-way between texels -2 and -1 */
        place(3, 2.0F / 4, 0, 0);   /* half-way between texels 2 and 3 */
        fetch(false);
        expect(0, wanted[clamp][0], "left");
        expect(1, wanted[clamp][1], "right");
        expect(2, wanted[clamp][2], "far left");
        expect(3, wanted[clamp][3], "middle");
    }
    rig_stop(&rig);
}

TEST(test_half_border)
{
    start(FMT_8, D1, 2, 1);
    memcpy(rig.bytes, (uint8_t[]){8, 4}, 2);
    texture.mag = texture.min = 1;
    texture.clamp[0] = HALF;
    place(0, 5, 0, 0);
    place(1, -5, 0, 0);
    place(2, 0.125F, 0, 0); /* a quarter texel left of texel 0 */
    insn.opcode = A2XX_FETCH_GET_BORDER_COLOR_FRAC;
    fetch(false);
    expect(0, 0.5F, "border");
    expect(1, 0.5F, "border");
    expect(2, 0.25F, "border");
    insn.opcode = A2XX_FETCH_SAMPLE;
    fetch(false);
    expect(0, 2, "half of 4");
    expect(1, 4, "half of 8");
    expect(2, 6, "three quarters of 8");
    texture.clamp[0] = BORDER;
    fetch(false);
    expect(0, 0, "border alone");
    rig_stop(&rig);
}

TEST(test_border_colours)
{
    static const float wanted[4][4] = {{0}, {1, 1, 1, 1}, {0.5F, 0, 0.5F, 0}, {0, 0.5F, 0.5F, 0}};
    start(FMT_8_8_8_8, D2, 4, 4);
    texture.clamp[0] = BORDER;
    for (unsigned i = 0; i < 64; i++)
        place(i, 2, 0, 0);
    assert_int_equal(tess_a2xx_texture_constant(&texture, &rig.constants[18]), TESS_OK);
    for (uint32_t colour = 0; colour < 4; colour++)
        for (uint32_t force = 0; force < 2; force++) {
            rig.constants[23] = (rig.constants[23] & ~7U) | colour | force << 2;
            rig_texture(&rig, &insn, false);
            RIG_SAME(&rig, 33, wanted[colour][0], wanted[colour][1], wanted[colour][2],
                     force ? 1 : wanted[colour][3]);
        }
    rig_stop(&rig);
}

/* Weights are multiples of 1/256. The samples are around the common corner of four texels. */
TEST(test_bilinear)
{
    start(FMT_32_FLOAT, D2, 2, 2);
    const float values[4] = {0, 256, 65536, 65536 + 256};
    for (unsigned i = 0; i < 4; i++)
        memcpy(texel(0, i % 2, i / 2, 0), &values[i], 4);
    texture.mag = 1;
    for (unsigned i = 0; i < 64; i++)
        place(i, (0.5F + (float)i / 256) / 2, (0.5F + (float)(2 * i) / 256) / 2, 0);
    fetch(false);
    for (unsigned i = 0; i < 64; i++)
        expect(i, (float)(i + 2 * i * 256), "bilinear");
    place(0, (0.5F + 1.6F / 256) / 2, 0.25F, 0); /* 1.6 steps are rounded to 2 */
    place(1, (0.5F + 1.4F / 256) / 2, 0.25F, 0);
    fetch(false);
    expect(0, 2, "rounded");
    expect(1, 1, "rounded");
    insn.opcode = A2XX_FETCH_GET_WEIGHTS;
    fetch(false);
    RIG_SAME(&rig, 32, 32 / 256.0F, 64 / 256.0F, 0, 0);
    texture.mag = 0; /* point filters have no weights */
    fetch(false);
    RIG_SAME(&rig, 32, 0, 0, 0, 0);
    rig_stop(&rig);
}

TEST(test_cube)
{
    start(FMT_8, CUBE, 4, 4);
    texture.levels = 3;
    for (uint32_t face = 0; face < 6; face++)
        for (uint32_t i = 0; i < 16; i++)
            *texel(0, i % 4, i / 4, face) = (uint8_t)(face * 16 + i);
    for (uint32_t face = 0; face < 6; face++)
        *texel(2, 0, 0, face) = (uint8_t)(200 + face);
    for (unsigned i = 0; i < 60; i++)
        place(i, 1 + ((float)(i % 4) + 0.5F) / 4, 1 + ((float)(i / 4 % 4) + 0.5F) / 4,
              (float)(i / 10));
    fetch(false);
    for (unsigned i = 0; i < 60; i++)
        expect(i, (float)(i / 10 * 16 + i % 16), "face");
    place(0, 0.5F, 2.5F, -1); /* outside of the texture: last texels, last faces */
    place(1, 2.5F, 0.5F, 7);
    place(2, 1.5F, 1.5F, 4.9F);
    fetch(false);
    expect(0, 12, "corner");
    expect(1, 83, "corner");
    expect(2, 74, "face 4");
    /* A face is 4 texels wide. Its coordinates go from 1 to 2. Neighbouring lanes differ by 1,
     * which is 4 texels, and selects level 2. */
    for (unsigned i = 0; i < 4; i++)
        place(i, i & 1 ? 2 : 1, 1, 3);
    fetch(true);
    expect(0, 203, "4 texels");
    /* The vectors (1, 0, 0) and (0, 1, 0), of faces 0 and 2, have a distance of sqrt(2).
     * Multiplied by half of the 4 texels, this is level 1.5, which is rounded up. */
    place(0, 1.5F, 1.5F, 0);
    place(1, 1.5F, 1.5F, 2);
    place(2, 1.5F, 1.5F, 0);
    insn.opcode = A2XX_FETCH_GET_COMP_TEX_LOD;
    fetch(true);
    assert_true(fabsf(rig.data[0][0] - 1.5F) < 1e-6F);
    rig_stop(&rig);
}

TEST(test_volume)
{
    start(FMT_8, D3, 4, 2);
    texture.depth = 8;
    texture.levels = 4;
    for (uint32_t z = 0; z < 8; z++)
        *texel(0, 1, 1, z) = (uint8_t)(20 * z);
    for (uint32_t z = 0; z < 4; z++)
        *texel(1, 0, 0, z) = (uint8_t)(100 + z);
    for (unsigned i = 0; i < 64; i++)
        place(i, 1.5F / 4, 1.5F / 2, ((float)i / 8 + 0.01F) / 8);
    fetch(false);
    for (unsigned i = 0; i < 64; i++)
        expect(i, (float)(i / 8 * 20), "layer");
    insn.vol_mag_filter = 1;
    for (unsigned i = 0; i < 57; i++)
        place(i, 1.5F / 4, 1.5F / 2, (0.5F + (float)i / 8) / 8);
    fetch(false);
    for (unsigned i = 0; i < 57; i++)
        expect(i, (float)i * 2.5F, "between layers");
    for (unsigned i = 0; i < 4; i++) /* a distance of two layers selects level 1 */
        place(i, 0, 0, (i & 1 ? 2 + 4.5F : 4.5F) / 8);
    fetch(true);
    expect(0, 102, "level 1");
    rig_stop(&rig);
}

/* Tests a stack of textures. Layers are not minified. A layer number beyond the last layer
 * selects the last. */
TEST(test_stack)
{
    start(FMT_8, D2, 4, 4);
    assert_int_equal(tess_a2xx_texture_constant(&texture, &rig.constants[18]), TESS_OK);
    rig.constants[19] |= 1 << 10;
    rig.constants[20] |= 2U << 26; /* the stack has three layers */
    for (unsigned i = 0; i < 3; i++)
        memset(rig.bytes + 4096 * (size_t)i, (int)(50 * (i + 1)), 4096);
    static const float at[4] = {0.1F, 0.5F, 0.9F, 7}, wanted[4] = {50, 100, 150, 150};
    for (unsigned i = 0; i < 4; i++)
        place(i, 0.5F, 0.5F, at[i]);
    rig_texture(&rig, &insn, false);
    for (unsigned i = 0; i < 4; i++)
        expect(i, wanted[i], "stack");
    rig.unit.variant = TESS_A2XX_XENOS;
    for (insn.dimension = D2; insn.dimension <= D3;
         insn.dimension++) { /* D2 reads the first layer, D3 any layer */
        rig_texture(&rig, &insn, false);
        for (unsigned i = 0; i < 4; i++)
            expect(i, insn.dimension == D2 ? 50 : wanted[i], "stack of the Xenos");
        rig_faults(&rig, NO_FAULT, 0);
    }
    rig_stop(&rig);
}

TEST(test_tiled)
{
    start(FMT_16, D2, 64, 64);
    texture.tiled = true;
    for (uint32_t i = 0; i < 4096; i++)
        memcpy(texel(0, i % 64, i / 64, 0), (uint8_t[]){(uint8_t)i, (uint8_t)(i >> 8)}, 2);
    for (unsigned i = 0; i < 64; i++)
        place(i, ((float)i + 0.5F) / 64, ((float)(63 - i) + 0.5F) / 64, 0);
    fetch(true);
    for (unsigned i = 0; i < 64; i++)
        expect(i, (float)(i + (63 - i) * 64), "tiled");
    rig_stop(&rig);
}

/* The texture has 8 x 8 texels of DXT1. Texel (5, 2) is in the second block. */
TEST(test_blocks)
{
    start(18, D2, 8, 8);
    texture.whole_numbers = false;
    memcpy(rig.bytes + 8, (uint8_t[]){0x00, 0xf8, 0x1f, 0x00, 0, 0, 0x04, 0}, 8);
    place(0, 5.5F / 8, 2.5F / 8, 0);
    place(1, 4.5F / 8, 2.5F / 8, 0);
    fetch(false);
    RIG_SAME(&rig, 0, 0, 0, 1, 1);
    RIG_SAME(&rig, 1, 1, 0, 0, 1);
    texture.endian = 1; /* byte order of the textures of the Xenos */
    memcpy(rig.bytes + 8, (uint8_t[]){0xf8, 0x00, 0x00, 0x1f, 0, 0, 0, 0x04}, 8);
    fetch(false);
    RIG_SAME(&rig, 0, 0, 0, 1, 1);
    rig_stop(&rig);
}

TEST(test_endian)
{
    static const uint8_t first[4] = {1, 2, 4, 3}; /* index of the byte that is first after each
                                                     swap */
    start(FMT_8_8_8_8, D2, 4, 4);
    memcpy(rig.bytes, (uint8_t[]){1, 2, 3, 4}, 4);
    for (uint32_t endian = 0; endian < 4; endian++) {
        texture.endian = endian;
        texture.format = FMT_8_8_8_8;
        fetch(false);
        expect(0, first[endian], "8_8_8_8");
        texture.format = FMT_8; /* swaps whole dwords, which have four texels each */
        fetch(false);
        expect(0, first[endian], "8");
        texture.format = FMT_8_8;
        fetch(false);
        RIG_SAME(&rig, 0, first[endian], rig.data[1][0], rig.data[1][0], rig.data[1][0]);
    }
    rig_stop(&rig);
}

TEST(test_signs)
{
    start(FMT_8_8_8_8, D2, 4, 4);
    texture.whole_numbers = false;
    memcpy(rig.bytes, (uint8_t[]){255, 0x81, 51, 128}, 4);
    for (unsigned i = 0; i < 4; i++)
        texture.sign[i] = i;
    fetch(false);
    RIG_SAME(&rig, 0, 1, -1, (float)(2 * 0.2 - 1), (float)(128 / 255.0)); /* Adreno ignores gamma */
    rig.unit.variant = texture.variant = TESS_A2XX_XENOS;
    insn.dimension = D2;
    fetch(false);
    RIG_SAME(&rig, 0, 1, -1, (float)(2 * 0.2 - 1),
             257 / 1023.0F); /* 128 * 4 - 256 = 256, and 256 * 4 / 1024 is added */
    texture.swizzled = true;
    texture.swizzle[0] = 3;
    texture.swizzle[1] = 5;
    texture.swizzle[2] = 4;
    texture.swizzle[3] = 0;
    assert_int_equal(tess_a2xx_texture_constant(&texture, &rig.constants[18]), TESS_OK);
    rig.constants[21] |= 2 << 13; /* multiplies by 4, except for constant components */
    rig_texture(&rig, &insn, false);
    RIG_SAME(&rig, 0, 1028 / 1023.0F, 1, 0, 4);
    rig_stop(&rig);
}

/* Components that the format lacks are copies of its last component. */
TEST(test_missing)
{
    start(FMT_8_8, D2, 4, 4);
    memcpy(rig.bytes, (uint8_t[]){3, 9}, 2);
    fetch(false);
    RIG_SAME(&rig, 0, 3, 9, 9, 9);
    texture.format = 22; /* 24_8: stencil first; the Xenos repeats the depth */
    memcpy(rig.bytes, (uint8_t[]){3, 9, 0, 0}, 4);
    fetch(false);
    RIG_SAME(&rig, 0, 3, 9, 9, 9);
    rig.unit.variant = texture.variant = TESS_A2XX_XENOS;
    insn.dimension = D2;
    fetch(false);
    RIG_SAME(&rig, 0, 9, 9, 9, 9);
    rig_stop(&rig);
}

TEST(test_faults)
{
    start(FMT_32_32_32_32_FLOAT, D2, 8, 8);
    rig_texture(&rig, &insn, false);
    RIG_SAME(&rig, 5, 0, 0, 0, 0);
    rig_faults(&rig, A2XX_FETCH_UNSET, ALL_LANES);
    insn.opcode = 5;
    rig_texture(&rig, &insn, false);
    RIG_SAME(&rig, 5, 0, 0, 0, 0);
    rig_faults(&rig, A2XX_FETCH_OPCODE, ALL_LANES);
    insn.opcode = A2XX_FETCH_SAMPLE;
    texture.format = 48; /* format ETC1_RGBA */
    fetch(false);
    RIG_SAME(&rig, 5, 0, 0, 0, 0);
    rig_faults(&rig, A2XX_FETCH_FORMAT, ALL_LANES);
    texture.format = FMT_8;
    place(7, NAN, 0, 0);
    place(9, 0, INFINITY, 0);
    place(11, 0, 0, NAN); /* a 2D fetch does not read z */
    fetch(false);
    rig_faults(&rig, A2XX_FETCH_COORDINATE, 1 << 7 | 1 << 9);
    place(7, 0, 0, 0);
    place(9, 0, 0, 0);
    rig.constants[18] &= ~3U; /* clears the type, as Mesa does */
    rig_texture(&rig, &insn, false);
    rig_faults(&rig, NO_FAULT, 0);
    rig.unit.variant = TESS_A2XX_XENOS;
    insn.dimension = D2;
    rig_texture(&rig, &insn, false);
    rig_faults(&rig, A2XX_FETCH_TYPE, ALL_LANES);
    fetch(false);
    rig_faults(&rig, NO_FAULT, 0);
    insn.dimension = CUBE;
    fetch(false);
    rig_faults(&rig, A2XX_FETCH_DIMENSION, ALL_LANES);
    rig.unit.variant = TESS_A2XX_ADRENO;
    texture.width = 40;
    texture.pitch = 32;
    fetch(false);
    rig_faults(&rig, A2XX_FETCH_PITCH, ALL_LANES);
    rig_stop(&rig);
}

/* Only texels with a non-zero weight are read, so a weight of 0 causes no finding. */
TEST(test_unmapped)
{
    start(FMT_32_FLOAT, D1, 64, 1);
    texture.address = RIG_ADDRESS + RIG_BYTES - 4096;
    rig.memory.ranges[0].size = RIG_BYTES - 4096 + 20; /* only five texels are mapped */
    texture.mag = 1;
    const float value = 2;
    memcpy(rig.bytes + RIG_BYTES - 4096 + 16, &value, 4);
    place(0, 4.5F / 64, 0, 0);
    place(1, 4.75F / 64, 0, 0);
    place(2, 5.5F / 64, 0, 0);
    fetch(false);
    expect(0, 2, "the last");
    expect(1, 1.5F, "half in");
    expect(2, 0, "out");
    rig_faults(&rig, A2XX_FETCH_UNMAPPED, 6);
    assert_int_equal(rig.report.address, RIG_ADDRESS + RIG_BYTES - 4096 + 20);
    rig_stop(&rig);
}

/* Inactive lanes keep their data and do not read memory. Their coordinates still count in the
 * gradients of their quad. */
TEST(test_active)
{
    start(FMT_8, D2, 16, 16);
    texture.levels = 5;
    fill_levels(5, 16);
    quad(0, 4, 0);
    fetch(true);
    memset(rig.data, 0, sizeof rig.data);
    place(9, NAN, 0, 0);
    rig.report = (struct a2xx_fetch_report){0};
    a2xx_texture_fetch(&rig.unit, &insn, (const float(*)[A2XX_LANES])rig.coords, 1, true,
                       &rig.state, rig.data, &rig.report);
    expect(0, 20, "active");
    expect(1, 0, "not active");
    rig_faults(&rig, NO_FAULT, 0);
    rig_stop(&rig);
}
