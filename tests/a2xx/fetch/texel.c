/* SPDX-License-Identifier: MIT */
/* texel.c - tests decoding of compressed formats, one block at a time.
 *
 * Expected values were calculated by hand from EXT_texture_compression_s3tc and _rgtc,
 * AMD_compressed_ATC_texture, OES_compressed_ETC1_RGB8_texture, and, for the Xenos's own formats,
 * from xenia, src/xenia/gpu/shaders/pixel_formats.xesli. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <tessera/a2xx.h>

#include "../../register.h"
#include "a2xx/fetch/texel.h"
#include "base/etc1.h"

enum { ADRENO = TESS_A2XX_ADRENO, XENOS = TESS_A2XX_XENOS };

struct texel {
    const char *format;
    int variant;
    uint8_t block[16];
    unsigned x, y, signs;
    float wanted[4];
};

#define THIRD (1.0F / 3)

/* Blocks with the colours red and blue. Red 31 of 565 is 0xf800, and blue 31 is 0x001f. The row
 * 0xe4 has the codes 0, 1, 2, 3. */
#define RED_BLUE 0x00, 0xf8, 0x1f, 0x00, 0xe4, 0xe4, 0xe4, 0x1b
#define BLUE_RED 0x1f, 0x00, 0x00, 0xf8, 0xe4, 0xe4, 0xe4, 0xe4
/* Blocks with the end points 255 and 0. From the second texel on, the three-bit codes are 1 to
 * 7: 1 | 2 << 3 | 3 << 6 ... */
#define RAMP_DOWN 0xff, 0x00, 0x88, 0xc6, 0xfa, 0, 0, 0
#define RAMP_UP   0x00, 0xff, 0x88, 0xc6, 0xfa, 0, 0, 0

/* clang-format off */
static const struct texel texels[] = {
    {"DXT1", ADRENO, {RED_BLUE}, 0, 0, 0, {1, 0, 0, 1}},
    {"DXT1", ADRENO, {RED_BLUE}, 1, 0, 0, {0, 0, 1, 1}},
    {"DXT1", ADRENO, {RED_BLUE}, 2, 0, 0, {2 * THIRD, 0, THIRD, 1}},
    {"DXT1", ADRENO, {RED_BLUE}, 3, 2, 0, {THIRD, 0, 2 * THIRD, 1}},
    {"DXT1", ADRENO, {RED_BLUE}, 0, 3, 0, {THIRD, 0, 2 * THIRD, 1}},
    /* the smaller end point is first, so there are three colours */
    {"DXT1", ADRENO, {BLUE_RED}, 2, 0, 0, {0.5F, 0, 0.5F, 1}},
    {"DXT1", ADRENO, {BLUE_RED}, 3, 0, 0, {0, 0, 0, 0}},
    {"DXT1", ADRENO, {0xe0, 0x07, 0, 0, 0, 0, 0, 0}, 0, 0, 0, {0, 1, 0, 1}},
    {"DXT1_AS_16_16_16_16", XENOS, {RED_BLUE}, 1, 0, 0, {0, 0, 1, 1}},
    {"DXT2_3", ADRENO, {0x50, 0xf3, 0, 0, 0, 0, 0, 0, RED_BLUE}, 1, 0, 0, {0, 0, 1, 5 / 15.0F}},
    {"DXT2_3", ADRENO, {0x50, 0xf3, 0, 0, 0, 0, 0, 0, RED_BLUE}, 2, 0, 0,
     {2 * THIRD, 0, THIRD, 0.2F}},
    {"DXT2_3", ADRENO, {0, 0, 0, 0, 0, 0, 0, 0xa0, BLUE_RED}, 3, 3, 0,
     {2 * THIRD, 0, THIRD, 10 / 15.0F}},
    {"DXT2_3_AS_16_16_16_16", XENOS, {0x50, 0, 0, 0, 0, 0, 0, 0, RED_BLUE}, 1, 0, 0,
     {0, 0, 1, 5 / 15.0F}},
    {"DXT4_5", ADRENO, {RAMP_DOWN, RED_BLUE}, 0, 0, 0, {1, 0, 0, 1}},
    {"DXT4_5", ADRENO, {RAMP_DOWN, RED_BLUE}, 2, 0, 0, {2 * THIRD, 0, THIRD, 6 / 7.0F}},
    {"DXT4_5_AS_16_16_16_16", XENOS, {RAMP_DOWN, RED_BLUE}, 1, 0, 0, {0, 0, 1, 0}},
    {"DXT3A", ADRENO, {0x50, 0xf3, 0, 0, 0, 0, 0, 0}, 3, 0, 0, {1, 1, 1, 1}},
    {"DXT3A", ADRENO, {0x50, 0xf3, 0, 0, 0, 0, 0, 0}, 2, 0, 0, {0.2F, 0.2F, 0.2F, 0.2F}},
    {"DXT3A_AS_1_1_1_1", XENOS, {0x8a, 0, 0, 0, 0, 0, 0, 0}, 0, 0, 0, {1, 0, 1, 0}},
    {"DXT3A_AS_1_1_1_1", XENOS, {0x8a, 0, 0, 0, 0, 0, 0, 0}, 1, 0, 0, {1, 0, 0, 0}},
    {"DXT5A", ADRENO, {RAMP_DOWN}, 1, 0, 0, {0, 0, 0, 0}},
    {"DXT5A", ADRENO, {RAMP_DOWN}, 3, 0, 0, {5 / 7.0F, 5 / 7.0F, 5 / 7.0F, 5 / 7.0F}},
    {"DXT5A", ADRENO, {RAMP_DOWN}, 3, 1, 0, {1 / 7.0F, 1 / 7.0F, 1 / 7.0F, 1 / 7.0F}},
    {"DXT5A", ADRENO, {RAMP_UP}, 2, 0, 0, {0.2F, 0.2F, 0.2F, 0.2F}},
    {"DXT5A", ADRENO, {RAMP_UP}, 2, 1, 0, {0, 0, 0, 0}},
    {"DXT5A", ADRENO, {RAMP_UP}, 3, 1, 0, {1, 1, 1, 1}},
    /* The signed end points 0x40 and 0xc0 are 64 and -64. */
    {"DXT5A", ADRENO, {0x40, 0xc0, 0x88, 0xc6, 0xfa}, 1, 0, 15,
     {-64 / 127.0F, -64 / 127.0F, -64 / 127.0F, -64 / 127.0F}},
    {"DXT5A", ADRENO, {0x40, 0xc0, 0x88, 0xc6, 0xfa}, 2, 0, 15,
     {320 / 889.0F, 320 / 889.0F, 320 / 889.0F, 320 / 889.0F}},
    {"DXT5A", ADRENO, {0x80, 0x7f, 0x88, 0xc6, 0xfa}, 2, 1, 15, {-1, -1, -1, -1}},
    {"DXN", ADRENO, {RAMP_DOWN, RAMP_UP}, 3, 0, 0, {5 / 7.0F, 0.4F, 0.4F, 0.4F}},
    {"DXN", ADRENO, {RAMP_DOWN, 0x80, 0x7f, 0, 0, 0, 0, 0, 0}, 0, 0, 2, {1, -1, -1, -1}},
    /* The end points are (1, 0.2) and (0, 1), with the first component in the upper byte. */
    {"CTX1", ADRENO, {51, 255, 255, 0, 0xe4, 0, 0, 0}, 0, 0, 0, {1, 0.2F, 0.2F, 0.2F}},
    {"CTX1", ADRENO, {51, 255, 255, 0, 0xe4, 0, 0, 0}, 1, 0, 0, {0, 1, 1, 1}},
    {"CTX1", ADRENO, {51, 255, 255, 0, 0xe4, 0, 0, 0}, 2, 0, 0,
     {2 * THIRD, 357 / 765.0F, 357 / 765.0F, 357 / 765.0F}},
    /* The end points have the formats 555 and 565. Each is red or blue. The highest bit of the
     * first end point selects the other set of colours. */
    {"ATI_TC_555_565_RGB", ADRENO, {0x00, 0x7c, 0x1f, 0x00, 0xe4, 0, 0, 0}, 0, 0, 0, {1, 0, 0, 1}},
    {"ATI_TC_555_565_RGB", ADRENO, {0x00, 0x7c, 0x1f, 0x00, 0xe4, 0, 0, 0}, 1, 0, 0,
     {2 * THIRD, 0, THIRD, 1}},
    {"ATI_TC_555_565_RGB", ADRENO, {0x00, 0x7c, 0x1f, 0x00, 0xe4, 0, 0, 0}, 3, 0, 0, {0, 0, 1, 1}},
    {"ATI_TC_555_565_RGB", ADRENO, {0x00, 0xfc, 0x00, 0xf8, 0xe4, 0, 0, 0}, 0, 0, 0, {0, 0, 0, 1}},
    {"ATI_TC_555_565_RGB", ADRENO, {0x00, 0xfc, 0x00, 0xf8, 0xe4, 0, 0, 0}, 1, 0, 0,
     {0.75F, 0, 0, 1}},
    {"ATI_TC_555_565_RGB", ADRENO, {0x1f, 0x80, 0x00, 0xf8, 0xe4, 0, 0, 0}, 1, 0, 0, {0, 0, 1, 1}},
    {"ATI_TC_555_565_RGB", ADRENO, {0x1f, 0x80, 0x00, 0xf8, 0xe4, 0, 0, 0}, 2, 0, 0, {0, 0, 1, 1}},
    {"ATI_TC_RGB", ADRENO, {0x00, 0x7c, 0x1f, 0x00, 0xe4, 0, 0, 0}, 3, 0, 0, {0, 0, 1, 1}},
    {"ATI_TC_555_565_RGBA", ADRENO, {0x50, 0, 0, 0, 0, 0, 0, 0, 0x00, 0x7c, 0x1f, 0x00, 0xe4}, 1, 0,
     0, {2 * THIRD, 0, THIRD, THIRD}},
    {"ATI_TC_RGBA", ADRENO, {0x50, 0, 0, 0, 0, 0, 0, 0, 0x00, 0x7c, 0x1f, 0x00, 0xe4}, 1, 0, 0,
     {2 * THIRD, 0, THIRD, THIRD}},
    {"ATI_TC_555_565_RGBA_INTERP", ADRENO, {RAMP_DOWN, 0x00, 0x7c, 0x1f, 0x00, 0xe4}, 3, 0, 0,
     {0, 0, 1, 5 / 7.0F}},
    {"ATI_TC_RGBA_INTERP", ADRENO, {RAMP_DOWN, 0x00, 0x7c, 0x1f, 0x00, 0xe4}, 3, 0, 0,
     {0, 0, 1, 5 / 7.0F}},
    /* Individual mode stores 4 bits per half and component: 8 and 15, 0 and 4, 1 and 0. Table 0
     * adds or subtracts 2 or 8. Texel 0 has the code for +2. Texel 1, which is (0, 1), has the
     * code for -8. */
    {"ETC1_RGB", ADRENO, {0x8f, 0x04, 0x10, 0x00, 0x00, 0x02, 0x00, 0x02}, 0, 0, 0,
     {138 / 255.0F, 2 / 255.0F, 19 / 255.0F, 1}},
    {"ETC1_RGB", ADRENO, {0x8f, 0x04, 0x10, 0x00, 0x00, 0x02, 0x00, 0x02}, 0, 1, 0,
     {128 / 255.0F, 0, 9 / 255.0F, 1}},
    {"ETC1_RGB", ADRENO, {0x8f, 0x04, 0x10, 0x00, 0x00, 0x02, 0x00, 0x02}, 2, 0, 0,
     {1, 70 / 255.0F, 2 / 255.0F, 1}},
    /* The bytes are Y0, Cb, Y1, Cr, or Cb, Y0, Cr, Y1. The result is Cr, Y, Cb, Cb. */
    {"Cr_Y1_Cb_Y0", ADRENO, {51, 102, 153, 204}, 0, 0, 0, {0.8F, 0.2F, 0.4F, 0.4F}},
    {"Cr_Y1_Cb_Y0", ADRENO, {51, 102, 153, 204}, 1, 0, 0, {0.8F, 0.6F, 0.4F, 0.4F}},
    {"Y1_Cr_Y0_Cb", ADRENO, {102, 51, 204, 153}, 1, 0, 0, {0.8F, 0.6F, 0.4F, 0.4F}},
    {"Cr_Y1_Cb_Y0_REP", XENOS, {51, 102, 153, 204}, 1, 0, 0, {0.8F, 0.6F, 0.4F, 0.4F}},
    {"Y1_Cr_Y0_Cb_REP", XENOS, {102, 51, 204, 153}, 0, 0, 0, {0.8F, 0.2F, 0.4F, 0.4F}},
    /* numbers are 8-bit two's complement */
    {"Y1_Cr_Y0_Cb_REP", XENOS, {129, 51, 127, 153}, 0, 0, 13, {1, 0.2F, -1, -1}},
};
/* clang-format on */

TEST(test_texels)
{
    for (size_t i = 0; i < sizeof texels / sizeof *texels; i++) {
        const struct texel *row = &texels[i];
        uint32_t code;
        float got[4];
        assert_true(
            tess_a2xx_format_find(row->format, (enum tess_a2xx_variant)row->variant, &code));
        const struct a2xx_format *format = &a2xx_formats[row->variant][code];
        assert_true(a2xx_texel_is_known(format));
        a2xx_texel(format, row->block, row->x, row->y, row->signs, got);
        for (unsigned c = 0; c < 4; c++)
            if (!(fabsf(got[c] - row->wanted[c]) <
                  1e-6F)) /* the blend may be rounded in another order */
                fail_msg("row %zu, %s, component %u: %.9g, not %.9g", i, row->format, c,
                         (double)got[c], (double)row->wanted[c]);
    }
}

TEST(test_all)
{
    for (int variant = ADRENO; variant <= XENOS; variant++)
        for (uint32_t code = 0; code < 64; code++) {
            const struct a2xx_format *format = &a2xx_formats[variant][code];
            bool met = !a2xx_texel_is_known(format);
            for (size_t i = 0; !met && i < sizeof texels / sizeof *texels; i++)
                met = strcmp(texels[i].format, format->name) == 0;
            if (!met)
                fail_msg("%s is not tested", format->name);
        }
}

/* Compares the decoder of one texel with the decoder of a whole block, for random blocks. */
TEST(etc1_texels_equal_block)
{
    uint64_t bits = UINT64_C(88172645463325252);
    for (unsigned i = 0; i < 100000; i++) {
        uint32_t block[16];
        bits ^= bits << 13;
        bits ^= bits >> 7;
        bits ^= bits << 17;
        etc1_decode(bits, block);
        for (uint32_t n = 0; n < 16; n++)
            assert_int_equal(etc1_texel(bits, n % 4, n / 4), block[n]);
    }
}
