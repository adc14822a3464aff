/* SPDX-License-Identifier: MIT */
/* texture_levels.c - tests levels of detail of textures: selection, gradients, minification,
 * anisotropic filters (see texture_rig.h). */
#include "../../register.h"
#include "texture_rig.h"

TEST(test_lod)
{
    start(FMT_8, D2, 16, 16);
    texture.levels = 5;
    fill_levels(5, 16);
    static const float steps[][2] = {
        /* clang-format off */
        /* clang-format off */
        {0.5F, 0.5F},
        {1,    0.5F},
        {1,    2},
        {4,    1},
        {0,    8},
        {16,   16},
        {64,   0},
        {0,    0},
        {2.7F, 0},
        {2.9F, 0},
        /* clang-format on */
        /* clang-format on */
    };
    static const float point[] = {0,  0,  10, 20, 30,
                                  40, 40, 0,  10, 20}; /* log2 2.7 = 1.43 and log2 2.9 = 1.54 */
    static const float lods[] = {-1, 0, 1, 2, 3, 4, 6, 0};
    for (unsigned i = 0; i < 10; i++)
        quad(4 * i, steps[i][0], steps[i][1]);
    fetch(true);
    for (unsigned i = 0; i < 40; i++)
        expect(i, point[i / 4], "point");
    insn.opcode = A2XX_FETCH_GET_COMP_TEX_LOD;
    insn.lod_bias = 16; /* lod_bias has no effect on this operation */
    fetch(true);
    for (unsigned i = 0; i < 32; i++)
        expect(i, lods[i / 4], "level of detail");
    insn.opcode = A2XX_FETCH_SAMPLE;
    fetch(true); /* the bias adds one level */
    expect(4, 10, "bias");
    expect(8, 20, "bias");
    texture.lod_bias = -48; /* the sum of biases is -1.5, so the level is -0.5 */
    texture.mip = 1;
    fetch(true);
    expect(8, 5, "linear: half of levels 0 and 1");
    expect(12, 15, "linear");
    expect(20, 35, "linear");
    texture.mip = 2;
    fetch(true);
    expect(20, 0, "base");
    insn.mip_filter = 1; /* the instruction's filter has precedence over the constant's */
    fetch(true);
    expect(20, 35, "linear by instruction");
    rig_stop(&rig);
}

TEST(test_levels)
{
    start(FMT_8, D2, 16, 16);
    texture.levels = 5;
    fill_levels(5, 16);
    texture.mip = 1;
    for (unsigned i = 0; i < 64; i += 4)
        quad(i, 4, 4); /* selects level 2 */
    insn.use_comp_lod = 0;
    fetch(true);
    expect(0, 0, "no computed level");
    insn.opcode = A2XX_FETCH_SET_TEX_LOD;
    for (unsigned i = 0; i < 64; i++)
        rig.coords[0][i] = (float)i / 8;
    rig_texture(&rig, &insn, true);
    expect(5, 7, "data are not touched");
    insn.opcode = A2XX_FETCH_SAMPLE;
    insn.use_reg_lod = 1;
    for (unsigned i = 0; i < 64; i += 4)
        quad(i, 4, 4);
    fetch(true);
    for (unsigned i = 0; i < 64; i++)
        expect(i, i < 32 ? (float)i * 1.25F : 40, "a register's level");
    insn.use_comp_lod = 1; /* the levels of both sources are added */
    fetch(true);
    for (unsigned i = 0; i < 16; i++)
        expect(i, 20 + (float)i * 1.25F, "both levels");
    assert_int_equal(tess_a2xx_texture_constant(&texture, &rig.constants[18]), TESS_OK);
    rig.constants[22] |= 1 << 2; /* sets the minimum level to 1 */
    insn.use_reg_lod = insn.use_comp_lod = 0;
    rig_texture(&rig, &insn, true);
    expect(0, 10, "least level");
    insn.opcode = A2XX_FETCH_GET_WEIGHTS;
    insn.use_reg_lod = 1;
    rig_texture(&rig, &insn, true);
    RIG_SAME(&rig, 11, 0, 0, 0, 0.375F); /* the level is 1.375 */
    rig_stop(&rig);
}

TEST(test_minified)
{
    start(FMT_8, D2, 16, 16);
    for (uint32_t x = 0; x < 16; x++)
        *texel(0, x, 0, 0) = (uint8_t)(16 * x);
    texture.mag = 1;
    for (unsigned i = 0; i < 8; i++)
        place(i, (i & 1 ? 1.0F : 0) / 16 * (i < 4 ? 1 : 2) + 2.0F / 16, 0, 0);
    fetch(true);
    expect(0, 24, "magnified: between 16 and 32");
    expect(4, 32, "minified: a point");
    rig_stop(&rig);
}

TEST(test_gradients)
{
    start(FMT_8, D2, 16, 16);
    texture.levels = 5;
    fill_levels(5, 16);
    insn.opcode = A2XX_FETCH_GET_GRADIENTS;
    static const float s[4] = {1, 3, 6, 100}, t[4] = {2, 2.5F, 1, 100};
    for (unsigned i = 0; i < 64; i++)
        place(i, s[i % 4], t[i % 4], 0);
    rig_texture(&rig, &insn, true);
    for (unsigned i = 0; i < 64; i++)
        RIG_SAME(&rig, i, 2, 5, 0.5F, -1); /* all lanes have the gradients of the quad */
    rig_texture(&rig, &insn, false);
    RIG_SAME(&rig, 1, 0, 0, 0, 0);
    for (unsigned i = 0; i < 64; i++)
        place(i, i < 32 ? 0.25F : 0, 0, 0);
    insn.opcode = A2XX_FETCH_SET_GRADIENTS_H;
    rig_texture(&rig, &insn, true);
    for (unsigned i = 0; i < 64; i++)
        place(i, 0, 0.125F, 0);
    insn.opcode = A2XX_FETCH_SET_GRADIENTS_V;
    rig_texture(&rig, &insn, true);
    insn.opcode = A2XX_FETCH_SAMPLE;
    insn.use_reg_gradients = 1;
    fetch(false);
    expect(0, 20, "4 texels to the right");
    expect(63, 10, "2 texels down");
    assert_int_equal(tess_a2xx_texture_constant(&texture, &rig.constants[18]), TESS_OK);
    rig.constants[22] |= 0x1eU << 22 | 2U << 27; /* multiplies the x gradient by 1/4 and y by 4 */
    rig_texture(&rig, &insn, false);
    expect(0, 30, "8 texels down");
    rig_stop(&rig);
}

/* The footprint is four texels to the right and one down. It is sampled twice along its width,
 * in level 1. */
TEST(test_anisotropic)
{
    start(FMT_8, D2, 16, 16);
    texture.levels = 5;
    fill_levels(5, 16);
    insn.aniso_filter = 2; /* the limit is 2 to 1 */
    quad(0, 4, 1);
    fetch(true);
    expect(0, 10, "2 samples");
    insn.aniso_filter = 5;
    fetch(true);
    expect(0, 0, "4 samples, of level 0");
    insn.aniso_filter = 0;
    fetch(true);
    expect(0, 20, "1 sample");
    /* EXT_texture_filter_anisotropic: the two samples are at i / 3 - 1/2 of the gradient. For a
     * gradient of 12 texels, they are at 6 - 2 and 6 + 2. */
    texture.levels = 1;
    for (uint32_t x = 0; x < 16; x++)
        *texel(0, x, 0, 0) = (uint8_t)x;
    insn.aniso_filter = 2;
    for (unsigned i = 0; i < 4; i++)
        place(i, (6.5F + (i & 1 ? 12 : 0)) / 16, i & 2 ? 1 / 16.0F : 0, 0);
    fetch(true);
    expect(0, 6, "the mean of 4 and 8");
    rig_stop(&rig);
}
