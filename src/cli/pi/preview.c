/* SPDX-License-Identifier: MIT */
/* preview.c - see preview.h.
 *
 * In:  pictures.
 * Out: sixel graphics, or lines of the character U+2580 (upper half block), on standard output.
 *
 * Pictures are made smaller if they do not fit the terminal, and never larger. A pixel of a smaller
 * picture is the mean of the pixels that it covers.
 *
 * Source: ECMA-48 and ISO 8613-6 (colours of 24 bits). */
#include "cli/pi/preview.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/pi/sixel.h"
#include "cli/pi/terminal.h"

enum { PAUSE = 50 /* milliseconds between pictures */ };

static uint64_t milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

bool preview_take(const char *title, const char *value, enum preview_kind *kind)
{
    *kind = !value                         ? PREVIEW_AUTO
            : strcmp(value, "sixel") == 0  ? PREVIEW_SIXEL
            : strcmp(value, "blocks") == 0 ? PREVIEW_BLOCKS
                                           : PREVIEW_NONE;
    if (*kind != PREVIEW_NONE)
        return true;
    cli_usage_error(title, "invalid value '%s' for --preview; expected sixel or blocks", value);
    return false;
}

void preview_open(struct preview *preview, enum preview_kind kind)
{
    *preview = (struct preview){.kind = kind, .live = isatty(STDOUT_FILENO)};
    if (kind == PREVIEW_AUTO)
        preview->kind = terminal_has_sixel() ? PREVIEW_SIXEL : PREVIEW_BLOCKS;
}

/* --- a smaller picture --- */

/* Stores the mean of the pixels from (left, top) up to (right, bottom). */
static void average(const struct picture *from, uint32_t left, uint32_t right, uint32_t top,
                    uint32_t bottom, uint8_t *rgba)
{
    uint64_t sums[3] = {0}, count = (uint64_t)(right - left) * (bottom - top);
    for (uint32_t y = top; y < bottom; y++)
        for (uint32_t x = left; x < right; x++)
            for (unsigned i = 0; i < 3; i++)
                sums[i] += from->rgba[4 * ((size_t)y * from->width + x) + i];
    for (unsigned i = 0; i < 3; i++)
        rgba[i] = (uint8_t)((sums[i] + count / 2) / count);
    rgba[3] = 255;
}

static uint32_t edge(uint32_t number, uint32_t of, uint32_t length)
{
    return (uint32_t)((uint64_t)number * length / of);
}

/* Makes a picture that fits into a width and a height. rgba is NULL if the host is out of
 * memory. */
static struct picture fit(const struct picture *from, uint32_t width, uint32_t height)
{
    struct picture to = {from->width, from->height, NULL};
    if (to.width > width) {
        to.height = edge(width, to.width, to.height);
        to.width = width;
    }
    if (to.height > height) {
        to.width = edge(height, to.height, to.width);
        to.height = height;
    }
    to.width += !to.width;
    to.height += !to.height;
    to.rgba = malloc((size_t)to.width * to.height * 4);
    for (uint32_t y = 0; to.rgba && y < to.height; y++)
        for (uint32_t x = 0; x < to.width; x++)
            average(from, edge(x, to.width, from->width), edge(x + 1, to.width, from->width),
                    edge(y, to.height, from->height), edge(y + 1, to.height, from->height),
                    to.rgba + 4 * ((size_t)y * to.width + x));
    return to;
}

/* --- blocks --- */

/* Sets the colour of the upper half (38) or the lower half (48) of characters, if it changes. */
static void set_colour(unsigned which, const uint8_t *rgb, const uint8_t **latest)
{
    if (*latest && memcmp(*latest, rgb, 3) == 0)
        return;
    printf("\033[%u;2;%u;%u;%um", which, rgb[0], rgb[1], rgb[2]);
    *latest = rgb;
}

static void write_line(const struct picture *picture, uint32_t y)
{
    const uint8_t *upper = NULL, *lower = NULL;
    for (uint32_t x = 0; x < picture->width; x++) {
        const uint8_t *pixel = picture->rgba + 4 * ((size_t)y * picture->width + x);
        set_colour(38, pixel, &upper);
        if (y + 1 < picture->height)
            set_colour(48, pixel + 4 * (size_t)picture->width, &lower);
        fputs("\xe2\x96\x80", stdout);
    }
    fputs("\033[0m\n", stdout);
}

/* Returns the number of lines. */
static unsigned write_blocks(const struct picture *picture, struct terminal_size size)
{
    struct picture small = fit(picture, size.columns, 2 * (size.lines - (size.lines > 1)));
    for (uint32_t y = 0; small.rgba && y < small.height; y += 2)
        write_line(&small, y);
    unsigned rows = small.rgba ? (small.height + 1) / 2 : 0;
    free(small.rgba);
    return rows;
}

/* --- sixel --- */

/* Writes a picture below the other output. Returns the number of lines. Makes room first, because a
 * picture that scrolls the terminal moves the place to which the cursor returns. */
static unsigned write_sixel(const struct picture *picture, struct terminal_size size)
{
    unsigned lines = size.lines - (size.lines > 1);
    struct picture small = fit(picture, size.width, lines * size.cell_height);
    unsigned rows = (small.height + size.cell_height - 1) / size.cell_height;
    if (!small.rgba)
        return 0;
    for (unsigned i = 0; i < rows; i++)
        putchar('\n');
    printf("\033[%uA\0337", rows);
    sixel_write(stdout, &small);
    printf("\0338\033[%uB", rows);
    free(small.rgba);
    return rows;
}

/* --- places --- */

static void show(struct preview *preview, const struct picture *picture)
{
    struct terminal_size size = terminal_get_size();
    bool sixel = preview->kind == PREVIEW_SIXEL;
    if (preview->rows)
        printf("\033[%uA", preview->rows);
    preview->rows = sixel ? write_sixel(picture, size) : write_blocks(picture, size);
    preview->latest = milliseconds();
    preview->pending = false;
    fflush(stdout);
}

void preview_look(struct preview *preview, const struct picture *picture)
{
    preview->pending = true;
    if (preview->kind != PREVIEW_NONE && preview->live && picture->rgba &&
        milliseconds() >= preview->latest + PAUSE)
        show(preview, picture);
}

void preview_end(struct preview *preview, const struct picture *picture)
{
    if (preview->kind != PREVIEW_NONE && picture->rgba && preview->pending)
        show(preview, picture);
}

void preview_leave(struct preview *preview)
{
    preview->rows = 0;
}
