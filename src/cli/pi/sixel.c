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

#include "cli/pi/palette.h"

enum { BAND = 6, SHORTEST_RUN = 4 };

struct sixel {
    FILE *stream;
    const struct palette *palette;
    uint32_t width, height;
    uint8_t *pixels; /* numbers of colours */
};

static unsigned percent(uint8_t value)
{
    return (value * 100U + 127) / 255;
}

static void write_colours(const struct sixel *sixel)
{
    for (unsigned i = 0; i < sixel->palette->count; i++) {
        const uint8_t *colour = sixel->palette->colours[i];
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
    bool used[PALETTE_COLOURS] = {false}, later = false;
    size_t end = (size_t)(y + BAND < sixel->height ? y + BAND : sixel->height) * sixel->width;
    for (size_t i = (size_t)y * sixel->width; i < end; i++)
        used[sixel->pixels[i]] = true;
    for (unsigned i = 0; i < sixel->palette->count; i++) {
        if (!used[i])
            continue;
        if (later)
            putc('$', sixel->stream); /* back to the left edge */
        write_plane(sixel, y, i);
        later = true;
    }
    putc('-', sixel->stream);
}

static void write_picture(const struct sixel *sixel)
{
    fputs("\033P0;1q\"1;1", sixel->stream);
    fprintf(sixel->stream, ";%u;%u", (unsigned)sixel->width, (unsigned)sixel->height);
    write_colours(sixel);
    for (uint32_t y = 0; y < sixel->height; y += BAND)
        write_band(sixel, y);
    fputs("\033\\", sixel->stream);
}

void sixel_write(FILE *stream, const struct picture *picture)
{
    size_t count = (size_t)picture->width * picture->height;
    struct palette *palette = malloc(sizeof *palette);
    struct sixel sixel = {stream, palette, picture->width, picture->height, malloc(count)};
    if (palette && sixel.pixels && palette_choose(palette, picture)) {
        for (size_t i = 0; i < count; i++)
            sixel.pixels[i] = (uint8_t)palette_find(palette, picture->rgba + 4 * i);
        write_picture(&sixel);
    }
    free(palette);
    free(sixel.pixels);
}
