/* SPDX-License-Identifier: MIT */
/* texture_format.c - tests the texels of each format as a shader reads them: base formats, packed
 * types, BGRA, ETC1.
 *
 * Expected: OpenGL ES 2.0.25, 3.6.2, 3.7.1 (components), 3.8 and 2.1.2 (c bits: value / (2^c - 1)).
 * The ETC1 blocks were built by hand from OES_compressed_ETC1_RGB8_texture. */
#include "gl_test.h"

enum { SIDE = 8 };

/* Returns a component of the test texel (x, y). Neighbouring texels and components differ. */
static int component(int x, int y, int which, int bits)
{
    return (x * 37 + y * 91 + which * 53 + 11) % (1 << bits);
}

static int expanded(int value, int bits)
{
    return gl_byte((double)value / ((1 << bits) - 1));
}

static struct rgba (*texel)(int x, int y);

/* Each texel covers 8 x 8 pixels. */
static struct rgba texels_picture(int x, int y)
{
    return texel(x / 8, y / 8);
}

static void draw_and_expect(struct rgba (*expected)(int x, int y), int tolerance)
{
    gl_program(gl_vertex_texture, gl_fragment_texture);
    gl_textured_quad(0, 0, 64, 64, 0, 0, 1, 1);
    texel = expected;
    EXPECT_PICTURE(texels_picture, tolerance);
}

/* --- Bytes --- */

static void make_bytes(GLenum format, int components)
{
    uint8_t pixels[SIDE * SIDE * 4];
    for (int i = 0; i < SIDE * SIDE; i++)
        for (int c = 0; c < components; c++)
            pixels[i * components + c] = (uint8_t)component(i % SIDE, i / SIDE, c, 8);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    gl_texture(format, GL_UNSIGNED_BYTE, SIDE, SIDE, pixels);
}

static struct rgba rgba_texel(int x, int y)
{
    return RGBA(component(x, y, 0, 8), component(x, y, 1, 8), component(x, y, 2, 8),
                component(x, y, 3, 8));
}

static void rgba(void)
{
    make_bytes(GL_RGBA, 4);
    draw_and_expect(rgba_texel, 0);
}

static struct rgba rgb_texel(int x, int y)
{
    return RGBA(component(x, y, 0, 8), component(x, y, 1, 8), component(x, y, 2, 8), 255);
}

static void rgb(void)
{
    make_bytes(GL_RGB, 3);
    draw_and_expect(rgb_texel, 0);
}

static struct rgba luminance_texel(int x, int y)
{
    int l = component(x, y, 0, 8);
    return RGBA(l, l, l, 255);
}

static void luminance(void)
{
    make_bytes(GL_LUMINANCE, 1);
    draw_and_expect(luminance_texel, 0);
}

static struct rgba alpha_texel(int x, int y)
{
    return RGBA(0, 0, 0, component(x, y, 0, 8));
}

static void alpha(void)
{
    make_bytes(GL_ALPHA, 1);
    draw_and_expect(alpha_texel, 0);
}

static struct rgba luminance_alpha_texel(int x, int y)
{
    int l = component(x, y, 0, 8);
    return RGBA(l, l, l, component(x, y, 1, 8));
}

static void luminance_alpha(void)
{
    make_bytes(GL_LUMINANCE_ALPHA, 2);
    draw_and_expect(luminance_alpha_texel, 0);
}

static struct rgba bgra_texel(int x, int y)
{
    return RGBA(component(x, y, 2, 8), component(x, y, 1, 8), component(x, y, 0, 8),
                component(x, y, 3, 8));
}

static void bgra(void)
{
    gl_need("GL_EXT_texture_format_BGRA8888");
    make_bytes(GL_BGRA_EXT, 4);
    draw_and_expect(bgra_texel, 0);
}

/* --- Packed types: the first component is in the highest bits (3.6.2) --- */

static void make_packed(GLenum format, GLenum type, const int bits[4])
{
    uint16_t pixels[SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE; i++) {
        unsigned word = 0;
        for (int c = 0; c < 4; c++)
            word = word << bits[c] | (unsigned)component(i % SIDE, i / SIDE, c, bits[c]);
        pixels[i] = (uint16_t)word;
    }
    gl_texture(format, type, SIDE, SIDE, pixels);
}

static struct rgba rgb565_texel(int x, int y)
{
    return RGBA(expanded(component(x, y, 0, 5), 5), expanded(component(x, y, 1, 6), 6),
                expanded(component(x, y, 2, 5), 5), 255);
}

/* The tolerance is 1, because hardware may repeat the upper bits: (v << 3 | v >> 2) differs by
 * at most 1. */
static void rgb565(void)
{
    make_packed(GL_RGB, GL_UNSIGNED_SHORT_5_6_5, (int[]){5, 6, 5, 0});
    draw_and_expect(rgb565_texel, 1);
}

static struct rgba rgba4444_texel(int x, int y)
{
    return RGBA(17 * component(x, y, 0, 4), 17 * component(x, y, 1, 4), 17 * component(x, y, 2, 4),
                17 * component(x, y, 3, 4));
}

static void rgba4444(void)
{
    make_packed(GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4, (int[]){4, 4, 4, 4});
    draw_and_expect(rgba4444_texel, 0);
}

static struct rgba rgba5551_texel(int x, int y)
{
    return RGBA(expanded(component(x, y, 0, 5), 5), expanded(component(x, y, 1, 5), 5),
                expanded(component(x, y, 2, 5), 5), 255 * component(x, y, 3, 1));
}

static void rgba5551(void)
{
    make_packed(GL_RGBA, GL_UNSIGNED_SHORT_5_5_5_1, (int[]){5, 5, 5, 1});
    draw_and_expect(rgba5551_texel, 1);
}

/* --- ETC1 --- */

/* The blocks' arithmetic is as follows. Block 0 is individual and not flipped. Its left half is
 * 0xf, 0x8, 0x0 = 255, 136, 0 with table 0 (2, 8, -2, -8). Its right half is 0x1, 0x2, 0x3 = 17,
 * 34, 51 with table 7 (47, 183, -47, -183). Block 1 is differential and flipped. Its upper
 * (first) half is 16, 8, 31 = 132, 66, 255 with table 2 (9, 29, -9, -29). Its lower half adds
 * (-4, 3, -1): 12, 11, 30 = 99, 90, 247, with table 5 (24, 80, -24, -80). Texel (x, y) has bit 4
 * x + y of the two words. In both blocks the upper word has ones for odd x, and the lower word
 * for odd y. With the modifiers (a, b, -a, -b), texel (0, 0) adds a, (0, 1) b, (1, 0) -a, and
 * (1, 1) -b. */
#define ODD_COLUMNS 0xf0, 0xf0
#define ODD_ROWS    0xaa, 0xaa
static const uint8_t etc1_blocks[2][8] = {
    {0xf1, 0x82, 0x03, 0 << 5 | 7 << 2, ODD_COLUMNS, ODD_ROWS},
    {16 << 3 | 4, 8 << 3 | 3, 31 << 3 | 7, 2 << 5 | 5 << 2 | 2 | 1, ODD_COLUMNS, ODD_ROWS},
};
static const struct rgba etc1_bases[2][2] = {{{255, 136, 0, 255}, {17, 34, 51, 255}},
                                             {{132, 66, 255, 255}, {99, 90, 247, 255}}};
static const int etc1_modifiers[2][2][2] = {{{2, 8}, {47, 183}}, {{9, 29}, {24, 80}}};

static int clamp(int value)
{
    return value < 0 ? 0 : value > 255 ? 255 : value;
}

static struct rgba etc1_texel(int x, int y)
{
    int block = x / 4, half = block == 0 ? x / 2 % 2 : y / 2;
    struct rgba base = etc1_bases[block][half];
    int modifier = etc1_modifiers[block][half][y % 2] * (x % 2 ? -1 : 1);
    return RGBA(clamp(base.r + modifier), clamp(base.g + modifier), clamp(base.b + modifier), 255);
}

static struct rgba etc1_picture(int x, int y)
{
    return etc1_texel(x / 8, y / 16);
}

static void etc1(void)
{
    gl_need("GL_OES_compressed_ETC1_RGB8_texture");
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glCompressedTexImage2D(GL_TEXTURE_2D, 0, GL_ETC1_RGB8_OES, 8, 4, 0, sizeof(etc1_blocks),
                           etc1_blocks);
    gl_program(gl_vertex_texture, gl_fragment_texture);
    gl_textured_quad(0, 0, 64, 64, 0, 0, 1, 1);
    EXPECT_PICTURE(etc1_picture, 0);
}

/* --- Sizes: all tilings of the hardware --- */

/* Widths and heights around the limits of tiles and microtiles. A microtile has 4 x 4 texels of
 * 32 bits, 8 x 4 of 16, or 8 x 8 of 8. */
static const struct {
    int width, height;
} sides[] = {
    /* clang-format off */
    {1,  1},
    {2,  3},
    {3,  4},
    {4,  4},
    {5,  9},
    {7,  4},
    {7,  8},
    {8,  4},
    {8,  8},
    {9,  5},
    {9,  7},
    {16, 16},
    {17, 31},
    {31, 33},
    {32, 32},
    {32, 33},
    {33, 31},
    {33, 32},
    {63, 5},
    {5,  63},
    {64, 17},
    {17, 64},
    {64, 64},
    /* clang-format on */
};

/* For each size, makes a texture and draws it with one texel per pixel. */
static void check_sizes(void make(int width, int height), gl_picture *picture)
{
    gl_program(gl_vertex_texture, gl_fragment_texture);
    for (size_t i = 0; i < sizeof(sides) / sizeof(*sides); i++) {
        int width = sides[i].width, height = sides[i].height;
        make(width, height);
        gl_textured_quad(0, 0, (float)width, (float)height, 0, 0, 1, 1);
        EXPECT_PICTURE_OF(width, height, picture, 0);
    }
}

static struct rgba numbered_picture(int x, int y)
{
    return RGBA(x & 255, y & 255, (x ^ y) & 255, 255 - (x & 15));
}

static void make_texels(int width, int height)
{
    gl_texture_of(width, height, numbered_picture);
}

static void sizes(void)
{
    check_sizes(make_texels, numbered_picture);
}

static struct rgba bytes_picture(int x, int y)
{
    int l = (x * 3 + y * 64) & 255;
    return RGBA(l, l, l, 255);
}

static void make_byte_texels(int width, int height)
{
    static uint8_t pixels[64 * 64];
    for (int k = 0; k < width * height; k++)
        pixels[k] = (uint8_t)bytes_picture(k % width, k / width).r;
    gl_texture(GL_LUMINANCE, GL_UNSIGNED_BYTE, width, height, pixels);
}

static void byte_sizes(void)
{
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    check_sizes(make_byte_texels, bytes_picture);
}

static struct rgba words_picture(int x, int y)
{
    return RGBA(17 * (x & 15), 17 * (y & 15), 17 * (x >> 4), 17 * (y >> 4));
}

static void make_word_texels(int width, int height)
{
    static uint16_t pixels[64 * 64];
    for (int k = 0; k < width * height; k++) {
        int x = k % width, y = k / width;
        pixels[k] = (uint16_t)((x & 15) << 12 | (y & 15) << 8 | (x >> 4) << 4 | y >> 4);
    }
    gl_texture(GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4, width, height, pixels);
}

static void word_sizes(void)
{
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    check_sizes(make_word_texels, words_picture);
}

const struct gl_case gl_cases[] = {
    /* clang-format off */
    /* clang-format off */
    {"rgba",            rgba,            ON_BOTH},
    {"rgb",             rgb,             ON_FBO},
    {"luminance",       luminance,       ON_FBO},
    {"alpha",           alpha,           ON_FBO},
    {"luminance_alpha", luminance_alpha, ON_FBO},
    {"bgra",            bgra,            ON_FBO},
    {"rgb565",          rgb565,          ON_FBO},
    {"rgba4444",        rgba4444,        ON_FBO},
    {"rgba5551",        rgba5551,        ON_FBO},
    {"etc1",            etc1,            ON_FBO},
    {"sizes",           sizes,           ON_FBO},
    {"byte_sizes",      byte_sizes,      ON_FBO},
    {"word_sizes",      word_sizes,      ON_FBO},
    {NULL,              NULL,            ON_BOTH},
    /* clang-format on */
    /* clang-format on */
};
