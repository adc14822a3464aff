/* SPDX-License-Identifier: MIT */
/* a2xx_fetch.c - measures the A2xx's fetch units on one core, in millions of fetches per second,
 * summed over lanes. */
#include <stdio.h>
#include <stdlib.h>

#include <tessera/a2xx.h>

#include "a2xx/fetch/fetch.h"
#include "rate.h"

enum { ADDRESS = 0x100000, SIZE = 256, BYTES = 1 << 21, TIMES = 4000, TRIES = 5 };

static const struct {
    const char *name;
    const char *format; /* format of a texture, or NULL for vertices of four floats */
    uint32_t filter, mip;
    bool tiled;
} cases[] = {
    {"vertices, 32_32_32_32_FLOAT", NULL, 0, 0, false},
    {"8_8_8_8, point", "8_8_8_8", 0, 2, false},
    {"8_8_8_8, bilinear", "8_8_8_8", 1, 2, false},
    {"8_8_8_8, bilinear, tiled", "8_8_8_8", 1, 2, true},
    {"8_8_8_8, trilinear", "8_8_8_8", 1, 1, false},
    {"DXT1, bilinear", "DXT1", 1, 2, false},
    {"ETC1_RGB, bilinear", "ETC1_RGB", 1, 2, false},
};

static uint32_t constants[TESS_A2XX_FETCH_WORDS];
static float coords[3][A2XX_LANES], data[4][A2XX_LANES];

static void set_constant(size_t number)
{
    struct tess_a2xx_texture texture = {.address = ADDRESS,
                                        .mip_address = ADDRESS + BYTES / 2,
                                        .width = SIZE,
                                        .height = SIZE,
                                        .dimension = 1,
                                        .levels = cases[number].mip == 2 ? 1 : 9,
                                        .tiled = cases[number].tiled,
                                        .mag = cases[number].filter,
                                        .min = cases[number].filter,
                                        .mip = cases[number].mip};
    if (!cases[number].format)
        tess_a2xx_vertex_constant(ADDRESS, BYTES, constants);
    else if (!tess_a2xx_format_find(cases[number].format, TESS_A2XX_ADRENO, &texture.format) ||
             tess_a2xx_texture_constant(&texture, constants) != TESS_OK)
        abort();
}

static void fetch(size_t number, const struct a2xx_fetch_unit *unit)
{
    static struct a2xx_texture_state state;
    struct a2xx_fetch_report report = {0};
    const struct a2xx_vertex vertex = {.format = 38, .stride = 16};
    const struct a2xx_texture sample = {.opcode = A2XX_FETCH_SAMPLE,
                                        .mag_filter = 3,
                                        .min_filter = 3,
                                        .mip_filter = 3,
                                        .use_comp_lod = 1};
    if (cases[number].format)
        a2xx_texture_fetch(unit, &sample, (const float(*)[A2XX_LANES])coords, UINT64_MAX, true,
                           &state, data, &report);
    else
        a2xx_vertex_fetch(unit, &vertex, &vertex, coords[2], UINT64_MAX, data, &report);
}

int main(void)
{
    struct a2xx_memory memory = {0};
    struct a2xx_fetch_unit unit = {TESS_A2XX_ADRENO, constants, &memory};
    uint8_t *bytes = calloc(BYTES, 1);
    if (!bytes || a2xx_memory_map(&memory, ADDRESS, bytes, BYTES, false) != TESS_OK)
        return 1;
    /* The lanes are the pixels of an 8 x 8 square in quads. Neighbours are three texels apart. */
    for (unsigned i = 0; i < A2XX_LANES; i++) {
        coords[0][i] = (float)(3 * (i / 4 % 4 * 2 + i % 2)) / SIZE + 0.1F;
        coords[1][i] = (float)(3 * (i / 16 * 2 + i / 2 % 2)) / SIZE + 0.3F;
        coords[2][i] = (float)i;
    }
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double best = 1e9;
        set_constant(i);
        for (unsigned try = 0; try < TRIES; try++) {
            double start = rate_now();
            for (unsigned n = 0; n < TIMES; n++)
                fetch(i, &unit);
            double seconds = rate_now() - start;
            best = seconds < best ? seconds : best;
        }
        printf("%-32s %6.1f million fetches a second\n", cases[i].name,
               TIMES * A2XX_LANES / best * 1e-6);
    }
    a2xx_memory_free(&memory);
    free(bytes);
    return 0;
}
