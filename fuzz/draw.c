/* SPDX-License-Identifier: MIT */
/* draw.c - fuzz target: the rasteriser of src/draw with any vertices, with and without a function
 * that shades pixels. The input's first four bytes are choices. The positions and sizes of vertices
 * follow, and then the indices. */
#include <stdlib.h>
#include <string.h>

#include <tessera/draw.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { WIDTH = 40, HEIGHT = 30, HEAD = 4, VERTEX_BYTES = 20, MOST = 32 };

/* State of shade(), whose results are the bytes of the input, repeated. */
struct program {
    const uint8_t *data;
    size_t size, at;
};

static uint8_t next(struct program *program)
{
    return program->size ? program->data[program->at++ % program->size] : 0;
}

static enum tess_status shade(void *user, const struct tess_draw_pixels *pixels)
{
    struct program *program = user;
    for (size_t i = 0; i < pixels->count; i++) {
        const struct tess_draw_pixel *pixel = &pixels->pixels[i];
        if (!pixel->helper && (pixel->x >= WIDTH || pixel->y >= HEIGHT))
            abort();
        memcpy(pixels->colours[i], pixels->varyings[i % 2][i], sizeof pixels->colours[i]);
        pixels->killed[i] = next(program) & 1;
        if (next(program) & 1)
            memcpy(&pixels->depths[i], pixels->varyings[1][i], sizeof pixels->depths[i]);
    }
    return next(program) == 0xff ? TESS_WRONG : TESS_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const float background[3];
    float varyings[MOST][2][4] = {0};
    struct tess_draw_vertex vertices[MOST] = {0};
    uint32_t indices[MOST];
    struct tess_draw_counts counts;
    struct tess_picture *picture;
    if (size < HEAD || tess_picture_create(WIDTH, HEIGHT, background, &picture) != TESS_OK)
        return 0;
    struct tess_draw draw = {
        .primitive = (enum tess_draw_primitive)(data[0] % 6),
        .cull = (enum tess_draw_cull)(data[1] % 3),
        .clip_space = data[2] & 1,
        .no_depth = data[2] & 2,
        .vertices = vertices,
        .indices = data[2] & 4 ? indices : NULL,
        .index_count = data[3] % MOST,
    };
    struct program program = {data, size, 0};
    if (data[2] & 8) {
        draw.shade = shade;
        draw.user = &program;
        draw.varyings = (const float(*)[4])varyings;
        draw.varying_count = 2;
    }
    data += HEAD;
    size -= HEAD;
    for (; size >= VERTEX_BYTES && draw.vertex_count < MOST;
         size -= VERTEX_BYTES, data += VERTEX_BYTES) {
        struct tess_draw_vertex *vertex = &vertices[draw.vertex_count++];
        memcpy(vertex->position, data, sizeof vertex->position);
        memcpy(&vertex->point_size, data + sizeof vertex->position, sizeof vertex->point_size);
        memcpy(vertex->colour, data, sizeof vertex->colour);
        memcpy(varyings[draw.vertex_count - 1], data, VERTEX_BYTES);
    }
    for (size_t i = 0; i < MOST; i++)
        indices[i] = i < size ? data[i] : (uint32_t)i;
    enum tess_status status = tess_picture_draw(picture, &draw, (struct tess_sink){0}, &counts);
    if (status != TESS_OK && !(draw.shade && status == TESS_WRONG))
        abort();
    if (counts.killed > counts.shaded || (draw.shade && counts.pixels > counts.shaded))
        abort();
    if (counts.pixels > (counts.primitives) * (uint64_t)WIDTH * HEIGHT * 4)
        abort();
    tess_picture_free(picture);
    return 0;
}
