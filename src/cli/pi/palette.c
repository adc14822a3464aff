/* SPDX-License-Identifier: MIT */
/* palette.c - see palette.h.
 *
 * In:  the pixels of a picture.
 * Out: up to 256 colours; the colour of each pixel.
 *
 * Colours are counted in bins of 5 bits for each component. The bins are one box at first. The box
 * whose longest side times its number of pixels is largest is cut in two halves of equal numbers,
 * again and again. Each box becomes the mean colour of its pixels.
 *
 * Source: P. Heckbert, "Color image quantization for frame buffer display", 1982 (median cut). */
#include "cli/pi/palette.h"

#include <stdlib.h>

enum { BITS = 5, LEVELS = 1 << BITS };

struct bin {
    uint32_t count;
    uint64_t sums[3]; /* of the pixels' components */
};

/* A range of bins, with both ends. */
struct box {
    uint8_t low[3], high[3];
};

static unsigned bin_of(const uint8_t *rgb)
{
    return (unsigned)(rgb[0] >> 3) << 2 * BITS | (unsigned)(rgb[1] >> 3) << BITS | rgb[2] >> 3;
}

unsigned palette_find(const struct palette *palette, const uint8_t *rgb)
{
    return palette->of_bin[bin_of(rgb)];
}

/* Calls `use` for each bin of a box. */
static void for_each(const struct box *box, void (*use)(void *user, unsigned bin), void *user)
{
    for (unsigned r = box->low[0]; r <= box->high[0]; r++)
        for (unsigned g = box->low[1]; g <= box->high[1]; g++)
            for (unsigned b = box->low[2]; b <= box->high[2]; b++)
                use(user, r << 2 * BITS | g << BITS | b);
}

/* What is known of a box: its number of pixels, its ends without empty bins. */
struct contents {
    const struct bin *bins;
    uint64_t count, sums[3];
    struct box tight;
    uint32_t levels[3][LEVELS]; /* number of pixels by level, for each component */
};

static void add_bin(void *user, unsigned number)
{
    struct contents *contents = user;
    const struct bin *bin = &contents->bins[number];
    if (!bin->count)
        return;
    contents->count += bin->count;
    for (unsigned i = 0; i < 3; i++) {
        uint8_t level = (uint8_t)(number >> (2 - i) * BITS & (LEVELS - 1));
        contents->sums[i] += bin->sums[i];
        contents->levels[i][level] += bin->count;
        if (level < contents->tight.low[i])
            contents->tight.low[i] = level;
        if (level > contents->tight.high[i])
            contents->tight.high[i] = level;
    }
}

static void look_into(const struct bin *bins, const struct box *box, struct contents *contents)
{
    *contents = (struct contents){.bins = bins,
                                  .tight = {.low = {LEVELS - 1, LEVELS - 1, LEVELS - 1}}};
    for_each(box, add_bin, contents);
}

static unsigned longest_side(const struct box *box)
{
    unsigned side = 0;
    for (unsigned i = 1; i < 3; i++)
        if (box->high[i] - box->low[i] > box->high[side] - box->low[side])
            side = i;
    return side;
}

/* Returns how much a cut of a box gains, 0 if it has one bin. */
static uint64_t gain(const struct contents *contents)
{
    unsigned side = longest_side(&contents->tight);
    return contents->count * (uint64_t)(contents->tight.high[side] - contents->tight.low[side]);
}

/* Cuts the box `contents` at the median of its longest side. */
static void cut(const struct contents *contents, struct box *first, struct box *second)
{
    unsigned side = longest_side(&contents->tight), at = contents->tight.low[side];
    uint64_t below = contents->levels[side][at];
    while (at + 1U < contents->tight.high[side] && below * 2 < contents->count)
        below += contents->levels[side][++at];
    *first = *second = contents->tight;
    first->high[side] = (uint8_t)at;
    second->low[side] = (uint8_t)(at + 1);
}

/* Cuts the bins into boxes. Returns their number. */
static unsigned make_boxes(const struct bin *bins, struct box *boxes)
{
    uint64_t gains[PALETTE_COLOURS];
    struct contents contents;
    unsigned count = 1, best = 0;
    boxes[0] = (struct box){.high = {LEVELS - 1, LEVELS - 1, LEVELS - 1}};
    look_into(bins, &boxes[0], &contents);
    gains[0] = gain(&contents);
    while (count < PALETTE_COLOURS && gains[best]) {
        look_into(bins, &boxes[best], &contents);
        cut(&contents, &boxes[best], &boxes[count]);
        look_into(bins, &boxes[best], &contents);
        gains[best] = gain(&contents);
        look_into(bins, &boxes[count], &contents);
        gains[count++] = gain(&contents);
        best = 0;
        for (unsigned i = 1; i < count; i++)
            best = gains[i] > gains[best] ? i : best;
    }
    return count;
}

/* Numbers the bins of a box. */
struct numbering {
    struct palette *palette;
    unsigned number;
};

static void number_bin(void *user, unsigned bin)
{
    const struct numbering *numbering = user;
    numbering->palette->of_bin[bin] = (uint8_t)numbering->number;
}

static void add_colour(struct palette *palette, const struct bin *bins, const struct box *box)
{
    struct contents contents;
    struct numbering numbering = {palette, palette->count};
    look_into(bins, box, &contents);
    for (unsigned i = 0; contents.count && i < 3; i++)
        palette->colours[palette->count][i] = (uint8_t)((contents.sums[i] + contents.count / 2) /
                                                        contents.count);
    for_each(box, number_bin, &numbering);
    palette->count++;
}

bool palette_choose(struct palette *palette, const struct picture *picture)
{
    struct box boxes[PALETTE_COLOURS];
    struct bin *bins = calloc(PALETTE_BINS, sizeof *bins);
    if (!bins)
        return false;
    for (size_t i = 0; i < (size_t)picture->width * picture->height; i++) {
        struct bin *bin = &bins[bin_of(picture->rgba + 4 * i)];
        bin->count++;
        for (unsigned k = 0; k < 3; k++)
            bin->sums[k] += picture->rgba[4 * i + k];
    }
    unsigned count = make_boxes(bins, boxes);
    palette->count = 0;
    for (unsigned i = 0; i < count; i++)
        add_colour(palette, bins, &boxes[i]);
    free(bins);
    return true;
}
