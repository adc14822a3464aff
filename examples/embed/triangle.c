/* SPDX-License-Identifier: MIT */
/* Embedding Tessera: this program owns a memory, starts the two control-list threads of a VideoCore
 * IV through its registers, as a driver does, and writes the picture to standard output: a white
 * triangle on yellow.
 *
 *   cc triangle.c $(pkg-config --cflags --libs tessera) -o triangle && ./triangle > triangle.ppm */
#include <stdio.h>
#include <string.h>
#include <tessera/vc4.h>

/* Bus addresses of all data. Memory begins at bus address 0. */
enum {
    BINNING = 0x0,
    RENDERING = 0x100,
    RECORD = 0x800,
    VERTICES = 0x810,
    SHADER = 0x840,
    TILE_STATE = 0x1000,
    TILE_LISTS = 0x3000,
    FRAME = 0x10000,
};
enum { WIDTH = 640, HEIGHT = 480, COLUMNS = 10, ROWS = 8 }; /* pixels; tiles of 64 x 64 pixels */

static uint8_t memory[FRAME + WIDTH * HEIGHT * 4];

/* clang-format off */
#define HALF(x) (x) & 255, (x) >> 8 & 255
#define WORD(x) HALF(x), (x) >> 16 & 255, (x) >> 24 & 255

static const uint8_t binning[] = {
    /* Tile Binning Mode Configuration */
    112, WORD(TILE_LISTS), WORD(0x4000), WORD(TILE_STATE), COLUMNS, ROWS, 4,
    6,                                          /* Start Tile Binning */
    7,                                          /* Increment Semaphore, when the flush is done */
    102, HALF(0), HALF(0), HALF(WIDTH), HALF(HEIGHT), /* Clip Window */
    96, 3, 0, 0,                                /* Configuration Bits: draw front and back faces */
    103, HALF(0), HALF(0),                      /* Viewport Offset */
    65, WORD(RECORD),                           /* NV Shader State */
    /* Vertex Array Primitives: triangles, 3 vertices from 0 */
    33, 4, WORD(3), WORD(0),
    4,                                          /* Flush */
};
static const uint8_t rendering[] = {
    8,                                          /* Wait on Semaphore */
    114, WORD(0xff00ffff), WORD(0xff00ffff), WORD(0), 0, /* Clear Colors: yellow */
    /* Tile Rendering Mode Configuration: RGBA8888 */
    113, WORD(FRAME), HALF(WIDTH), HALF(HEIGHT), HALF(4),
    /* Tile Coordinates, Store nothing: a store clears the tile */
    115, 0, 0, 28, HALF(0), WORD(0),
};
static const uint8_t record[] = {1, 12, 0, 0, WORD(SHADER), WORD(0), WORD(VERTICES)};
static const struct {
    int16_t x, y; /* 1/16 pixel */
    float z, one_over_w;
} vertices[] = {{320 * 16, 32 * 16, 1, 1}, {32 * 16, 448 * 16, 1, 1}, {608 * 16, 448 * 16, 1, 1}};
static const uint64_t shader[] = {
    0x100009e7009e7000, 0x100009e7009e7000,     /* nop; nop */
    0xe0020ba7ffffffff,                         /* ldi tlbc, 0xffffffff: every pixel is white */
    0x500009e7009e7000,                         /* sbdone: unlock the scoreboard */
    0x300009e7009e7000, 0x100009e7009e7000, 0x100009e7009e7000, /* thrend; nop; nop */
};
/* clang-format on */

/* Adds the records that render one tile: Tile Coordinates, Branch to Sub-list (which the binner
 * wrote), Store. The last store ends the frame. Returns the address of the next record. */
static uint32_t add_tile(uint32_t at, uint8_t column, uint8_t row)
{
    uint32_t list = TILE_LISTS + (row * COLUMNS + column) * 32u;
    bool last = column == COLUMNS - 1 && row == ROWS - 1;
    const uint8_t records[] = {115, column, row, 17, WORD(list), last ? 25 : 24};
    memcpy(memory + at, records, sizeof records);
    return at + sizeof records;
}

static uint32_t fill_memory(void)
{
    memcpy(memory + BINNING, binning, sizeof binning);
    memcpy(memory + RENDERING, rendering, sizeof rendering);
    memcpy(memory + RECORD, record, sizeof record);
    memcpy(memory + VERTICES, vertices, sizeof vertices);
    memcpy(memory + SHADER, shader, sizeof shader);
    uint32_t end = RENDERING + sizeof rendering;
    for (uint8_t row = 0; row < ROWS; row++)
        for (uint8_t column = 0; column < COLUMNS; column++)
            end = add_tile(end, column, row);
    return end;
}

static void report(void *user, const struct tess_finding *diag)
{
    (void)user;
    fprintf(stderr, "%s [%s]\n", diag->text, diag->id);
}

int main(void)
{
    uint32_t rendering_end = fill_memory();

    struct tess_vc4_options options = {.machine = {.sink = {report, NULL}}};
    struct tess_vc4 *gpu;
    if (tess_vc4_create(&gpu, &options) != TESS_OK ||
        tess_vc4_map(gpu, 0, sizeof memory, memory) != TESS_OK)
        return 2;
    tess_vc4_write(gpu, V3D_CT0CA, BINNING);
    tess_vc4_write(gpu, V3D_CT0EA, BINNING + sizeof binning); /* starts the binning thread */
    tess_vc4_write(gpu, V3D_CT1CA, RENDERING);
    tess_vc4_write(gpu, V3D_CT1EA, rendering_end); /* starts the rendering thread */
    if (tess_vc4_run(gpu) != TESS_VC4_IDLE)
        tess_vc4_report_stuck(gpu);
    bool good = tess_vc4_read(gpu, V3D_RFC) == 1; /* frames rendered */
    tess_vc4_destroy(gpu);

    printf("P6 %d %d 255\n", WIDTH, HEIGHT);
    for (int pixel = 0; pixel < WIDTH * HEIGHT; pixel++)
        fwrite(memory + FRAME + 4 * pixel, 3, 1, stdout);
    return good ? 0 : 1;
}
