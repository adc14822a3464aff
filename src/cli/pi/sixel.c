/* SPDX-License-Identifier: MIT */
/* sixel.c - see sixel.h.
 *
 * In:  a picture.
 * Out: a control sequence: colours, then bands of six rows, each once for every colour in it.
 *
 * Source: "VT330/VT340 Programmer Reference Manual", volume 2, chapter 14. */
#include "cli/pi/sixel.h"

#include <stdbool.h>
#include <stdlib.h>

enum { COLOURS = 256, BAND = 6, RED = 6, GREEN = 7, BLUE = 6, SHORTEST_RUN = 4 };

struct sixel {
    FILE *stream;
    uint32_t width, height;
    uint8_t *pixels; /* numbers of colours */
    uint8_t colours[COLOURS][3];
    unsigned count;
};

static uint8_t level(unsigned number, unsigned levels)
{
    return (uint8_t)(number * 255 / (levels - 1));
}

/* Returns the nearest of `levels` levels. */
static unsigned nearest(uint8_t value, unsigned levels)
{
    return (value * (levels - 1) + 127) / 255;
}

/* Returns the number of a colour, which is added if there is room; COLOURS if there is none. */
static unsigned find_colour(struct sixel *sixel, const uint8_t *rgb, unsigned guess)
{
    for (unsigned i = 0; i <= sixel->count; i++) {
        unsigned at = i == 0 ? guess : i - 1;
        const uint8_t *colour = sixel->colours[at];
        if (at < sixel->count && colour[0] == rgb[0] && colour[1] == rgb[1] && colour[2] == rgb[2])
            return at;
    }
    if (sixel->count == COLOURS)
        return COLOURS;
    for (unsigned i = 0; i < 3; i++)
        sixel->colours[sixel->count][i] = rgb[i];
    return sixel->count++;
}

/* Numbers the picture's own colours. Returns false if there are too many. */
static bool use_own_colours(struct sixel *sixel, const uint8_t *rgba)
{
    unsigned number = 0;
    for (size_t i = 0; i < (size_t)sixel->width * sixel->height; i++) {
        number = find_colour(sixel, rgba + 4 * i, number);
        if (number == COLOURS)
            return false;
        sixel->pixels[i] = (uint8_t)number;
    }
    return true;
}

/* Rounds to 6 levels of red and blue, and 7 of green, to which eyes are most sensitive. */
static void use_fixed_colours(struct sixel *sixel, const uint8_t *rgba)
{
    sixel->count = RED * GREEN * BLUE;
    for (unsigned i = 0; i < sixel->count; i++) {
        sixel->colours[i][0] = level(i / (GREEN * BLUE), RED);
        sixel->colours[i][1] = level(i / BLUE % GREEN, GREEN);
        sixel->colours[i][2] = level(i % BLUE, BLUE);
    }
    for (size_t i = 0; i < (size_t)sixel->width * sixel->height; i++)
        sixel->pixels[i] = (uint8_t)((nearest(rgba[4 * i], RED) * GREEN +
                                      nearest(rgba[4 * i + 1], GREEN)) * BLUE +
                                     nearest(rgba[4 * i + 2], BLUE));
}

static unsigned percent(uint8_t value)
{
    return (value * 100U + 127) / 255;
}

static void write_colours(const struct sixel *sixel)
{
    for (unsigned i = 0; i < sixel->count; i++) {
        const uint8_t *colour = sixel->colours[i];
        fprintf(sixel->stream, "#%u;2;%u;%u;%u", i, percent(colour[0]), percent(colour[1]),
                percent(colour[2]));
    }
}

static void write_run(FILE *stream, int sixel, unsigned length)
{
    if (length >= SHORTEST_RUN)
        fprintf(stream, "!%u%c", length, sixel);
    for (unsigned i = 0; length < SHORTEST_RUN && i < length; i++)
        putc(sixel, stream);
}

/* Returns the character for the pixels of a colour in a column of a band. */
static int column(const struct sixel *sixel, uint32_t x, uint32_t y, unsigned colour)
{
    int bits = 0;
    for (uint32_t i = 0; i < BAND && y + i < sixel->height; i++)
        bits |= (sixel->pixels[(size_t)(y + i) * sixel->width + x] == colour) << i;
    return '?' + bits;
}

/* Writes the pixels of a colour in a band, without the empty columns at the end. */
static void write_plane(const struct sixel *sixel, uint32_t y, unsigned colour)
{
    int latest = '?';
    unsigned length = 0;
    fprintf(sixel->stream, "#%u", colour);
    for (uint32_t x = 0; x < sixel->width; x++) {
        int next = column(sixel, x, y, colour);
        if (next != latest) {
            write_run(sixel->stream, latest, length);
            length = 0;
        }
        latest = next;
        length++;
    }
    if (latest != '?')
        write_run(sixel->stream, latest, length);
}

static void write_band(const struct sixel *sixel, uint32_t y)
{
    bool used[COLOURS] = {false}, later = false;
    size_t end = (size_t)(y + BAND < sixel->height ? y + BAND : sixel->height) * sixel->width;
    for (size_t i = (size_t)y * sixel->width; i < end; i++)
        used[sixel->pixels[i]] = true;
    for (unsigned i = 0; i < sixel->count; i++) {
        if (!used[i])
            continue;
        if (later)
            putc('$', sixel->stream); /* back to the left edge */
        write_plane(sixel, y, i);
        later = true;
    }
    putc('-', sixel->stream);
}

void sixel_write(FILE *stream, const struct picture *picture)
{
    struct sixel sixel = {.stream = stream, .width = picture->width, .height = picture->height};
    sixel.pixels = malloc((size_t)sixel.width * sixel.height);
    if (!sixel.pixels)
        return;
    if (!use_own_colours(&sixel, picture->rgba))
        use_fixed_colours(&sixel, picture->rgba);
    fprintf(stream, "\033P0;1q\"1;1;%u;%u", (unsigned)sixel.width, (unsigned)sixel.height);
    write_colours(&sixel);
    for (uint32_t y = 0; y < sixel.height; y += BAND)
        write_band(&sixel, y);
    fputs("\033\\", stream);
    free(sixel.pixels);
}
