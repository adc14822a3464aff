/* SPDX-License-Identifier: MIT */
/* gl-triangle - the triangle of nv-triangle with vertex and coordinate shaders (GL mode), as in the
 * article "Vertex and Coordinate Shaders". */
#include "list.h"
#include "shader.h"
#include "uart.h"
#include "v3d.h"

enum { WIDTH = 640, HEIGHT = 480 };

extern const uint32_t vertex_shader[], coordinate_shader[], fragment_shader[]; /* shaders.qasm */

/* What the vertex shader passes on: the vertex on the screen. */
struct screen_vertex {
    int16_t x, y; /* sixteenths of pixels */
    float z, inverse_w;
};

/* What the coordinate shader passes on: the vertex before the division by w as well. */
struct clip_vertex {
    float x, y, z, w;
    struct screen_vertex screen;
};

static const struct screen_vertex screen_vertices[3] = {
    {320 * 16, 32 * 16, 1, 1},
    {32 * 16, 448 * 16, 1, 1},
    {608 * 16, 448 * 16, 1, 1},
};

static struct clip_vertex clip_vertices[3];
static struct gl_shader shader;
static struct tiles tiles;
static uint8_t binning[256], rendering[2048];

static void fill_vertices(void)
{
    for (int i = 0; i < 3; i++)
        clip_vertices[i] = (struct clip_vertex){
            .x = screen_vertices[i].x / (WIDTH * 8.0f) - 1,
            .y = screen_vertices[i].y / (HEIGHT * 8.0f) - 1,
            .z = 1,
            .w = 1,
            .screen = screen_vertices[i],
        };
}

static void fill_shader(void)
{
    shader = (struct gl_shader){
        .flags = SHADER_SINGLE_THREADED | SHADER_CLIPPING,
        .code = bus_address(fragment_shader),
        .vertex = {.arrays = 1 << 0, .bytes = 12, .code = bus_address(vertex_shader)},
        .coordinate = {.arrays = 1 << 1, .bytes = 28, .code = bus_address(coordinate_shader)},
        .array =
            {
                {bus_address(screen_vertices), 12 - 1, 12, 0, 0},
                {bus_address(clip_vertices), 28 - 1, 28, 0, 0},
            },
    };
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
    fill_vertices();
    fill_shader();
    list_binning(&bin, &screen, &tiles,
                 &(struct drawing){
                     .configuration = CONFIG_FORWARD | CONFIG_REVERSE | CONFIG_DEPTH_ALWAYS,
                     .shader = &shader,
                     .arrays = 2,
                     .vertices = 3,
                 });
    list_rendering(&render, &screen, 0, &tiles, 0xff00ffff);
    v3d_draw(binning, bin.at, rendering, render.at);
    uart_text(v3d_wait() ? "gl-triangle: done\n" : "gl-triangle: the GPU does not end\n");
    return 0;
}
