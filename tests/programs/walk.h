/* SPDX-License-Identifier: MIT */
/* walk.h - finds the positions of pixels in memory by a walk through an image in the order of
 * manual section 11. Each step of the walk goes to the next address. The walk shares no
 * arithmetic with the model. */
#ifndef TESTS_PROGRAMS_WALK_H
#define TESTS_PROGRAMS_WALK_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { WALK_MAX = 512, WALK_RASTER = 0, WALK_T = 1, WALK_LT = 2 };

struct walk {
    unsigned microtile_width, microtile_height; /* in pixels */
    unsigned next;                              /* index of the next pixel in memory order */
    uint32_t at[WALK_MAX][WALK_MAX];            /* [y][x]: index of the pixel in memory */
};

static inline void walk_microtile(struct walk *walk, unsigned x, unsigned y)
{
    for (unsigned row = y; row < y + walk->microtile_height; row++)
        for (unsigned column = x; column < x + walk->microtile_width; column++) {
            assert(row < WALK_MAX && column < WALK_MAX);
            walk->at[row][column] = walk->next++;
        }
}

/* Walks through columns x rows microtiles in raster order. */
static inline void walk_block(struct walk *walk, unsigned x, unsigned y, unsigned columns,
                              unsigned rows)
{
    for (unsigned row = 0; row < rows; row++)
        for (unsigned column = 0; column < columns; column++)
            walk_microtile(walk, x + column * walk->microtile_width,
                           y + row * walk->microtile_height);
}

/* Walks through four subtiles of 4 x 4 microtiles: "clockwise from lower left" in even rows of
 * tiles, "from upper right" in odd rows, with row 0 at the bottom. */
static inline void walk_tile(struct walk *walk, unsigned x, unsigned y, bool odd)
{
    static const struct {
        unsigned x, y;
    } even_order[4] = {{0, 0}, {0, 1}, {1, 1}, {1, 0}},
      odd_order[4] = {{1, 1}, {1, 0}, {0, 0}, {0, 1}};
    for (unsigned i = 0; i < 4; i++) {
        unsigned right = odd ? odd_order[i].x : even_order[i].x;
        unsigned up = odd ? odd_order[i].y : even_order[i].y;
        walk_block(walk, x + right * 4 * walk->microtile_width, y + up * 4 * walk->microtile_height,
                   4, 4);
    }
}

/* Walks through an image with pixels of 8, 16 or 32 bits. A microtile has 8 x 8, 8 x 4 or 4 x 4
 * of these pixels. */
static inline void walk_image(struct walk *walk, unsigned layout, unsigned bytes, unsigned width,
                              unsigned height)
{
    walk->microtile_width = bytes == 4 ? 4 : 8;
    walk->microtile_height = bytes == 1 ? 8 : 4;
    walk->next = 0;
    unsigned mw = walk->microtile_width, mh = walk->microtile_height;
    if (layout == WALK_LT)
        walk_block(walk, 0, 0, (width + mw - 1) / mw, (height + mh - 1) / mh);
    if (layout == WALK_RASTER)
        for (unsigned y = 0; y < height; y++)
            for (unsigned x = 0; x < (width * bytes + 15) / 16 * 16 / bytes; x++)
                walk->at[y][x] = walk->next++;
    if (layout != WALK_T)
        return;
    unsigned columns = (width + 8 * mw - 1) / (8 * mw), rows = (height + 8 * mh - 1) / (8 * mh);
    for (unsigned row = 0; row < rows; row++)
        for (unsigned i = 0; i < columns; i++) {
            unsigned column = row & 1 ? columns - 1 - i : i;
            walk_tile(walk, column * 8 * mw, row * 8 * mh, row & 1);
        }
}

#endif
