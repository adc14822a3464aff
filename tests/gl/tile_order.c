/* SPDX-License-Identifier: MIT */
/* tile_order.c - tests MESA_tile_raster_order, with which one draw can copy a texture onto itself,
 * moved by some pixels.
 *
 * Expected: the extension's specification. With a fixed order of tiles, each pixel is read before
 * it is overwritten. A target of 256 x 256 pixels has 4 x 4 tiles on this hardware. */
#include "gl_test.h"

#ifndef GL_TILE_RASTER_ORDER_FIXED_MESA
#define GL_TILE_RASTER_ORDER_FIXED_MESA        0x8BB8
#define GL_TILE_RASTER_ORDER_INCREASING_X_MESA 0x8BB9
#define GL_TILE_RASTER_ORDER_INCREASING_Y_MESA 0x8BBA
#endif

enum { SIDE = 256 };

static struct {
    int x, y;
} moved;

static struct rgba place_picture(int x, int y)
{
    return RGBA(x, y, (x / 16 + y / 16) % 2 * 255, 255);
}

/* Returns the expected colour. A pixel whose source is outside of the target keeps its colour. */
static struct rgba moved_picture(int x, int y)
{
    int from_x = x - moved.x, from_y = y - moved.y;
    bool inside = from_x >= 0 && from_x < SIDE && from_y >= 0 && from_y < SIDE;
    return inside ? place_picture(from_x, from_y) : place_picture(x, y);
}

static void make_target(GLuint *texture)
{
    GLuint source = gl_texture_of(SIDE, SIDE, place_picture);
    gl_texture_target(texture, GL_RGBA, GL_UNSIGNED_BYTE, SIDE, SIDE);
    glBindTexture(GL_TEXTURE_2D, source);
    gl_program(gl_vertex_texture, gl_fragment_texture);
    gl_textured_quad(0, 0, GL_SIDE, GL_SIDE, 0, 0, 1, 1);
    glFinish();
    glBindTexture(GL_TEXTURE_2D, *texture);
}

static void set(GLenum name, bool on)
{
    if (on)
        glEnable(name);
    else
        glDisable(name);
}

/* One draw copies all pixels. Each tile must be read before it is overwritten. If the sources
 * are to the left or below, tiles must be drawn in decreasing order. */
static void check_move(int x, int y)
{
    GLuint texture;
    moved.x = x;
    moved.y = y;
    make_target(&texture);
    glEnable(GL_TILE_RASTER_ORDER_FIXED_MESA);
    set(GL_TILE_RASTER_ORDER_INCREASING_X_MESA, x <= 0);
    set(GL_TILE_RASTER_ORDER_INCREASING_Y_MESA, y <= 0);
    EXPECT_ERROR(GL_NO_ERROR);
    float left = (float)(x > 0 ? x : 0) / 4, right = (float)(x < 0 ? SIDE + x : SIDE) / 4;
    float low = (float)(y > 0 ? y : 0) / 4, high = (float)(y < 0 ? SIDE + y : SIDE) / 4;
    float s = (float)x / SIDE, t = (float)y / SIDE;
    gl_textured_quad(left, low, right, high, left / GL_SIDE - s, low / GL_SIDE - t,
                     right / GL_SIDE - s, high / GL_SIDE - t);
    EXPECT_PICTURE_OF(SIDE, SIDE, moved_picture, 0);
}

static void moves(void)
{
    static const int rows[][2] = {
        /* clang-format off */
        {16,  0},
        {-16, 0},
        {0,   16},
        {0,   -16},
        {64,  64},
        {-64, 64},
        {32,  -80},
        {-40, -24},
        {4,   0},
        /* clang-format on */
    };
    gl_need("GL_MESA_tile_raster_order");
    for (int i = 0; i < 9; i++)
        check_move(rows[i][0], rows[i][1]);
}

const struct gl_case gl_cases[] = {
    {"moves", moves, ON_FBO},
    {NULL, NULL, ON_BOTH},
};
