/* SPDX-License-Identifier: MIT */
/* draw.c - fuzz target: the plain rasteriser on any vertices. The first bytes are choices; then come positions, sizes and
 * indices. */
#include <stdlib.h>
#include <string.h>

#include <tessera/draw.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { WIDTH = 40, HEIGHT = 30, HEAD = 4, VERTEX_BYTES = 20, MOST = 32 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const float background[3];
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
    data += HEAD;
    size -= HEAD;
    for (; size >= VERTEX_BYTES && draw.vertex_count < MOST;
         size -= VERTEX_BYTES, data += VERTEX_BYTES) {
        struct tess_draw_vertex *vertex = &vertices[draw.vertex_count++];
        memcpy(vertex->position, data, sizeof vertex->position);
        memcpy(&vertex->point_size, data + sizeof vertex->position, sizeof vertex->point_size);
        memcpy(vertex->colour, data, sizeof vertex->colour);
    }
    for (size_t i = 0; i < MOST; i++)
        indices[i] = i < size ? data[i] : (uint32_t)i;
    if (tess_picture_draw(picture, &draw, (struct tess_sink){0}, &counts) != TESS_OK)
        abort();
    if (counts.pixels > (counts.primitives) * (uint64_t)WIDTH * HEIGHT * 4)
        abort();
    tess_picture_free(picture);
    return 0;
}
