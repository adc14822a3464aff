/* SPDX-License-Identifier: MIT */
/* texture - a triangle with a texture of 64x64 texels in NV mode, as in the article "Texturing". */
#include "list.h"
#include "shader.h"
#include "uart.h"
#include "v3d.h"

enum { WIDTH = 640, HEIGHT = 480, TEXELS = 64 };

extern const uint32_t fragment_shader[]; /* shader.qasm */

static const struct vertex {
    int16_t x, y; /* sixteenths of pixels */
    float z, inverse_w;
    float s, t; /* varyings */
} vertices[3] = {
    {320 * 16, 32 * 16, 1, 1, 0.5f, 0},
    {32 * 16, 448 * 16, 1, 1, 0, 1},
    {608 * 16, 448 * 16, 1, 1, 1, 1},
};

static uint32_t texture[TEXELS][TEXELS] __attribute__((aligned(4096)));
static uint32_t uniforms[2] __attribute__((aligned(16)));
static struct nv_shader shader;
static struct tiles tiles;
static uint8_t binning[256], rendering[2048];

/* A texel contains its position, and a checker-board in blue. */
static void fill_texture(void)
{
    for (uint32_t y = 0; y < TEXELS; y++)
        for (uint32_t x = 0; x < TEXELS; x++)
            texture[y][x] = 0xff000000 | ((x ^ y) & 1 ? 0x40u : 0xc0u) << 16 | y * 2 << 8 | x * 2;
}

/* The texture's parameters: sections "Texture Config Parameter 0" and "1" of the guide. */
static void fill_uniforms(void)
{
    enum { RGBA32R = 16, NEAREST = 1, CLAMP = 1 };
    uniforms[0] = bus_address(texture) | (RGBA32R & 15) << 4;
    uniforms[1] = (uint32_t)RGBA32R >> 4 << 31 | TEXELS << 20 | TEXELS << 8 | NEAREST << 7 |
                  NEAREST << 4 | CLAMP << 2 | CLAMP;
}

int main(void)
{
    struct screen screen;
    struct list bin = {binning}, render = {rendering};
    uart_start();
    if (!v3d_start() || !screen_start(&screen, WIDTH, HEIGHT, 1)) {
        uart_text("no 3D block, or no framebuffer\n");
        return 1;
    }
    fill_texture();
    fill_uniforms();
    shader = (struct nv_shader){
        .flags = SHADER_SINGLE_THREADED,
        .stride = sizeof vertices[0],
        .varyings = 2,
        .code = bus_address(fragment_shader),
        .uniforms_address = bus_address(uniforms),
        .vertices = bus_address(vertices),
    };
    list_binning(&bin, &screen, &tiles,
                 &(struct drawing){
                     .configuration = CONFIG_FORWARD | CONFIG_REVERSE | CONFIG_DEPTH_ALWAYS,
                     .shader = &shader,
                     .vertices = 3,
                 });
    list_rendering(&render, &screen, 0, &tiles, 0xff00ffff);
    v3d_draw(binning, bin.at, rendering, render.at);
    uart_text(v3d_wait() ? "texture: done\n" : "texture: the GPU does not end\n");
    return 0;
}
