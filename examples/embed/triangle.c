/* SPDX-License-Identifier: MIT */
/* Embedding Tessera: a program that owns memory, starts both control-list threads of a VideoCore IV through
 * its registers, and shows the picture. Draws a white triangle on yellow as a PPM file on standard output.
 *
 *   cc triangle.c $(pkg-config --cflags --libs tessera) -o triangle && ./triangle > triangle.ppm */
#include <stdio.h>
#include <string.h>
#include <tessera/vc4.h>

enum { BIN = 0x0, RENDER = 0x100, RECORD = 0x800, VERTICES = 0x810, SHADER = 0x840, STATE = 0x1000,
       LISTS = 0x2000, FRAME = 0x10000, WIDTH = 640, HEIGHT = 480, SIZE = FRAME + WIDTH * HEIGHT * 4 };
static unsigned char memory[SIZE];

/* Tile Binning Mode, Start, Increment Semaphore, Clip Window, Configuration, Viewport, NV Shader, Draw 3, Flush. */
static const unsigned char bin[] = {
    112, 0, 0x20, 0, 0, 0, 0x20, 0, 0, 0, 0x10, 0, 0, 10, 8, 4, 6, 7, 102, 0, 0, 0, 0, 0x80, 2, 0xe0, 1,
    96, 3, 0, 0, 103, 0, 0, 0, 0, 65, 0, 8, 0, 0, 33, 4, 3, 0, 0, 0, 0, 0, 0, 0, 4};
/* Wait on Semaphore, Clear Colors, Tile Rendering Mode, Tile Coordinates, Store (none). */
static const unsigned char head[] = {8, 114, 255, 255, 0, 255, 255, 255, 0, 255, 0, 0, 0, 0, 0, 113, 0, 0, 1,
    0, 0x80, 2, 0xe0, 1, 4, 0, 115, 0, 0, 28, 0, 0, 0, 0, 0, 0};
static const unsigned char record[16] = {1, 12, 0, 0, SHADER & 255, SHADER >> 8, [12] = VERTICES & 255, VERTICES >> 8};
static const struct { short x, y; float z, inv_w; } vertices[] = {
    {320 * 16, 32 * 16, 1, 1}, {32 * 16, 448 * 16, 1, 1}, {608 * 16, 448 * 16, 1, 1}};
static const unsigned shader[] = { /* nop; nop; ldi tlbc, white; scoreboard unlock; program end; nop; nop */
    0x009e7000, 0x100009e7, 0x009e7000, 0x100009e7, 0xffffffff, 0xe0020ba7, 0x009e7000, 0x500009e7,
    0x009e7000, 0x300009e7, 0x009e7000, 0x100009e7, 0x009e7000, 0x100009e7};

int main(void)
{
    memcpy(memory + BIN, bin, sizeof bin);
    memcpy(memory + RENDER, head, sizeof head);
    memcpy(memory + RECORD, record, sizeof record);
    memcpy(memory + VERTICES, vertices, sizeof vertices);
    memcpy(memory + SHADER, shader, sizeof shader);
    unsigned end = RENDER + sizeof head;
    for (unsigned tile = 0; tile < 80; tile++, end += 9) { /* Tile Coordinates, Sub-list, Store [and end] */
        unsigned list = LISTS + tile * 32;
        memcpy(memory + end, (unsigned char[]){115, tile % 10, tile / 10, 17, list & 255, list >> 8, 0, 0,
                                               tile == 79 ? 25 : 24}, 9);
    }

    struct tess_vc4 *gpu;
    if (tess_vc4_create(&gpu, NULL) != TESS_OK || tess_vc4_map(gpu, 0, SIZE, memory) != TESS_OK)
        return 2;
    tess_vc4_write(gpu, V3D_CT0CA, BIN);
    tess_vc4_write(gpu, V3D_CT0EA, BIN + sizeof bin);
    tess_vc4_write(gpu, V3D_CT1CA, RENDER);
    tess_vc4_write(gpu, V3D_CT1EA, end);
    if (tess_vc4_run(gpu) != TESS_VC4_IDLE || tess_vc4_read(gpu, V3D_RFC) != 1)
        return 1;
    printf("P6 %d %d 255\n", WIDTH, HEIGHT);
    for (unsigned pixel = 0; pixel < WIDTH * HEIGHT; pixel++)
        fwrite(memory + FRAME + 4 * pixel, 3, 1, stdout);
    tess_vc4_destroy(gpu);
    return 0;
}
