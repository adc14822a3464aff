/* SPDX-License-Identifier: MIT */
/* raster.c - measures primitive setup, the rasteriser and the tile buffer on one core, without
 * shader programs. A frame has 1280 x 720 pixels and 10,000 triangles of about 90 pixels each. Each
 * tile is drawn with a depth test and one colour write per pixel, and stored. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/bits.h"
#include "vc4/raster/fep.h"
#include "vc4/tile/tlb.h"

enum {
    WIDTH = 1280,
    HEIGHT = 720,
    COLUMNS = 100,
    ROWS = 50, /* number of rows of cells, two triangles per cell */
    FRAMES = 20,
    FRAME_BYTES = WIDTH * 736 * 4, /* T-format pads the height to a multiple of 32 */
};

struct bench {
    struct fault_log log;
    struct bus bus;
    struct tlb tlb;
    struct tlb_ports tlb_ports;
    struct fep fep;
    struct fep_ports fep_ports;
    struct cl_state state;
    uint64_t batches;
};

/* Returns the processor time in seconds, which excludes the load of other processes. */
static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Accesses the tile buffer like a simple fragment shader. */
static void shade(void *user, const struct fep_batch *batch)
{
    struct bench *bench = user;
    struct tlb_fragment fragment;
    tlb_fragment_start(&fragment);
    fragment.depth_function = TLB_LE;
    fragment.depth_update = true;
    fragment.rev_flag = 0;
    memcpy(fragment.x, batch->x, sizeof fragment.x);
    memcpy(fragment.y, batch->y, sizeof fragment.y);
    memcpy(fragment.ms_flags, batch->ms_flags, sizeof fragment.ms_flags);
    tlb_write_z(&bench->tlb, &bench->tlb_ports, &fragment, &batch->z, ALL_LANES);
    tlb_write_colour(&bench->tlb, &bench->tlb_ports, &fragment, &batch->w, ALL_LANES, true);
    bench->batches++;
}

static struct vertex corner(uint32_t column, uint32_t row)
{
    return (struct vertex){.x = (int32_t)(column * WIDTH * 16 / COLUMNS),
                           .y = (int32_t)(row * HEIGHT * 16 / ROWS),
                           .z = (float)(column + row) / (COLUMNS + ROWS),
                           .inv_w = 1 + (float)row / ROWS,
                           .point_size = 1};
}

static void draw(struct bench *bench, const struct fep_window *window, struct vertex a,
                 struct vertex b, struct vertex c)
{
    static const struct shader_record record = {.varyings = 3};
    const struct vertex *const vertex[3] = {&a, &b, &c};
    struct pse_primitive primitive;
    if (pse_setup(&primitive, &bench->state, &record, PRIMITIVE_TRIANGLE, vertex))
        fep_draw(&bench->fep, &bench->fep_ports, &primitive, &bench->state, window);
}

/* Draws the cells that overlap a tile, as a tile list from a binner would. Returns the number of
 * triangles drawn. */
static uint64_t draw_tile(struct bench *bench, uint32_t tile_column, uint32_t tile_row)
{
    const uint32_t width = tlb_tile_width(&bench->tlb), height = tlb_tile_height(&bench->tlb);
    const struct fep_window window = {
        .left = (int32_t)(tile_column * width),
        .bottom = (int32_t)(tile_row * height),
        .right = (int32_t)((tile_column + 1) * width),
        .top = (int32_t)((tile_row + 1) * height),
        .multisample = tlb_samples(&bench->tlb) > 1,
    };
    uint64_t drawn = 0;
    tlb_tile_coordinates(&bench->tlb, &bench->tlb_ports,
                         (uint8_t[]){(uint8_t)tile_column, (uint8_t)tile_row});
    for (uint32_t row = tile_row * height * ROWS / HEIGHT;
         row < ROWS && row * HEIGHT < (tile_row + 1) * height * ROWS; row++)
        for (uint32_t column = tile_column * width * COLUMNS / WIDTH;
             column < COLUMNS && column * WIDTH < (tile_column + 1) * width * COLUMNS; column++) {
            struct vertex a = corner(column, row), b = corner(column + 1, row);
            struct vertex c = corner(column, row + 1), d = corner(column + 1, row + 1);
            draw(bench, &window, a, b, c);
            draw(bench, &window, c, b, d);
            drawn += 2;
        }
    fep_flush(&bench->fep, &bench->fep_ports);
    tlb_store(&bench->tlb, &bench->tlb_ports, 24, NULL);
    return drawn;
}

static void measure(struct bench *bench, const char *what, uint16_t flags)
{
    uint8_t frame[10] = {0}, clear[13] = {0};
    store_le16(frame + 4, WIDTH);
    store_le16(frame + 6, HEIGHT);
    store_le16(frame + 8, flags);
    store_le32(clear + 8, 0xffffff);
    tlb_reset(&bench->tlb);
    tlb_configure(&bench->tlb, &bench->tlb_ports, frame);
    tlb_clear_colours(&bench->tlb, clear);
    tlb_clear(&bench->tlb, &bench->tlb_ports, 0);
    bench->batches = bench->fep.quads = 0;
    uint32_t width = tlb_tile_width(&bench->tlb), height = tlb_tile_height(&bench->tlb);
    uint64_t drawn = 0;
    double start = now();
    for (unsigned i = 0; i < FRAMES; i++)
        for (uint32_t row = 0; row * height < HEIGHT; row++)
            for (uint32_t column = 0; column * width < WIDTH; column++)
                drawn += draw_tile(bench, column, row);
    double seconds = (now() - start) / FRAMES;
    printf("%-28s %6.2f ms a frame: %llu triangles in tiles, %llu quads, %llu batches\n", what,
           seconds * 1e3, (unsigned long long)(drawn / FRAMES),
           (unsigned long long)(bench->fep.quads / FRAMES),
           (unsigned long long)(bench->batches / FRAMES));
}

int main(void)
{
    struct bench *bench = aligned_alloc(64, (sizeof *bench + 63) / 64 * 64);
    if (!bench)
        return 1;
    memset(bench, 0, sizeof *bench);
    bench->bus.log = &bench->log;
    bench->tlb_ports = (struct tlb_ports){.bus = &bench->bus, .log = &bench->log};
    bench->fep_ports = (struct fep_ports){.shade = shade, .user = bench};
    if (bus_map(&bench->bus, 0, FRAME_BYTES, NULL) != TESS_OK)
        return 1;
    bench->state = (struct cl_state){.configuration = 3 | 1 << 6, .z_max = 1};
    measure(bench, "RGBA8888, raster", 1 << 2);
    measure(bench, "RGBA8888, T-format", 1 << 2 | 1 << 6);
    measure(bench, "565 dithered, raster", 0);
    measure(bench, "multisample, decimated", 1 << 0 | 1 << 2 | 1 << 4);
    bus_free(&bench->bus);
    free(bench);
    return 0;
}
