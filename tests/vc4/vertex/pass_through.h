/* SPDX-License-Identifier: MIT */
/* pass_through.h - the vertex and the coordinate shader of the article "Vertex and Coordinate
 * Shaders" (JayStation 2), which copy their input to their output, and the two streams of
 * vertices. The words are copied from that article. */
#ifndef TESTS_VC4_PASS_THROUGH_H
#define TESTS_VC4_PASS_THROUGH_H

#include <stdint.h>

/* Code of the vertex shader. Copies the words Xs Ys, Zs and 1/Wc. */
static const uint32_t article_vertex_shader[] = {
    0x009e7000, 0x100009e7, 0x1a341ac0, 0xe0020c67, 0x009e7000, 0x100009e7, 0x009e7000, 0x100009e7,
    0x009e7000, 0x100009e7, 0x15c27df7, 0x10020027, 0x15c27df7, 0x10020067, 0x15c27df7, 0x100200a7,
    0x17bc1ac0, 0xe0021c67, 0x15027df7, 0x10020c27, 0x15067df7, 0x10020c27, 0x150a7df7, 0x10020c27,
    0x009e7000, 0x500009e7, 0x009e7000, 0x300009e7, 0x009e7000, 0x100009e7, 0x009e7000, 0x100009e7,
};

/* Code of the coordinate shader. Copies the words Xc, Yc, Zc, Wc, Xs Ys, Zs and 1/Wc. */
static const uint32_t article_coordinate_shader[] = {
    0x009e7000, 0x100009e7, 0x1a741ac0, 0xe0020c67, 0x009e7000, 0x100009e7, 0x009e7000, 0x100009e7,
    0x009e7000, 0x100009e7, 0x15c27df7, 0x10020027, 0x15c27df7, 0x10020067, 0x15c27df7, 0x100200a7,
    0x15c27df7, 0x100200e7, 0x15c27df7, 0x10020127, 0x15c27df7, 0x10020167, 0x15c27df7, 0x100201a7,
    0x17bc1ac0, 0xe0021c67, 0x15027df7, 0x10020c27, 0x15067df7, 0x10020c27, 0x150a7df7, 0x10020c27,
    0x150e7df7, 0x10020c27, 0x15127df7, 0x10020c27, 0x15167df7, 0x10020c27, 0x151a7df7, 0x10020c27,
    0x009e7000, 0x500009e7, 0x009e7000, 0x300009e7, 0x009e7000, 0x100009e7, 0x009e7000, 0x100009e7,
};

#define ARTICLE_XY(x, y) ((uint32_t)(y)*16 << 16 | (uint32_t)(x)*16)
#define ARTICLE_1        0x3f800000 /* the bits of 1.0f */

/* Top, bottom left and bottom right vertex. The bottom right vertex is from the article's NV
 * triangle. */
static const uint32_t article_vertex_stream[3][3] = {
    {ARTICLE_XY(320, 32), ARTICLE_1, ARTICLE_1},
    {ARTICLE_XY(32, 448), ARTICLE_1, ARTICLE_1},
    {ARTICLE_XY(608, 448), ARTICLE_1, ARTICLE_1},
};

/* The second vertex has the words that the article prints as its coordinate shader's output:
 * 0xBF665C24, 0x3F5EDD42, 0, 1.0, 0x1C000200, then Zs and 1/Wc. The first vertex has Xc
 * 0.00156494522 and Yc -0.86638830897. The third mirrors the second. */
static const uint32_t article_coordinate_stream[3][7] = {
    {0x3acd1ed9, 0xbf5dcba0, ARTICLE_1, ARTICLE_1, ARTICLE_XY(320, 32), ARTICLE_1, ARTICLE_1},
    {0xbf665c24, 0x3f5edd42, 0, ARTICLE_1, 0x1c000200, ARTICLE_1, ARTICLE_1},
    {0x3f665c24, 0x3f5edd42, 0, ARTICLE_1, ARTICLE_XY(608, 448), ARTICLE_1, ARTICLE_1},
};

#endif
