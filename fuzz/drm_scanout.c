/* SPDX-License-Identifier: MIT */
/* drm_scanout.c - fuzz target: the display's compositor, src/shim/drm/display/scanout.c, with
 * planes and images of any kind. Each image is in an allocation of the size that the input gives,
 * so that sanitizers detect reads past the end of the image's memory. */
#include <stdlib.h>
#include <string.h>

#include "shim/drm/display/scanout.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { SIDE = 24, PLANES = 3, MOST_SIZE = 1 << 12, MOST_BYTES = 1 << 13 };

/* The rest of the input. Reads past the end of the input return zeros. */
struct input {
    const uint8_t *data;
    size_t size;
};

static uint32_t take(struct input *input, unsigned bytes)
{
    uint32_t value = 0;
    for (unsigned i = 0; i < bytes && input->size; i++, input->size--)
        value |= (uint32_t)*input->data++ << 8 * i;
    return value;
}

static const struct scanout_format *take_format(struct input *input)
{
    const struct scanout_format *format = scanout_format_at(take(input, 1) % 32);
    return format ? format : scanout_format_at(0);
}

static void take_image(struct input *input, struct scanout_image *image,
                       uint8_t *memory[SCANOUT_PARTS])
{
    image->format = take_format(input);
    image->tiled = image->format->tiled && take(input, 1) & 1;
    image->width = 1 + take(input, 2) % MOST_SIZE;
    image->height = 1 + take(input, 2) % MOST_SIZE;
    for (unsigned i = 0; i < image->format->parts; i++) {
        size_t size = take(input, 2) % MOST_BYTES;
        memory[i] = malloc(size ? size : 1);
        if (!memory[i])
            abort();
        memset(memory[i], (int)take(input, 1), size);
        image->parts[i].bytes = memory[i];
        image->parts[i].size = size;
        image->parts[i].pitch = take(input, 4);
    }
}

static void take_plane(struct input *input, struct scanout_plane *plane,
                       uint8_t *memory[SCANOUT_PARTS])
{
    take_image(input, &plane->image, memory);
    plane->source_x = take(input, 4);
    plane->source_y = take(input, 4);
    plane->source_width = take(input, 4);
    plane->source_height = take(input, 4);
    plane->x = (int32_t)take(input, 4);
    plane->y = (int32_t)take(input, 4);
    plane->width = take(input, 4);
    plane->height = take(input, 4);
    plane->alpha = (uint8_t)take(input, 1);
    plane->blend = (enum scanout_blend)(take(input, 1) % 3);
    plane->encoding = (enum scanout_encoding)(take(input, 1) % 3);
    uint32_t flags = take(input, 1);
    plane->mirror_x = flags & 1;
    plane->mirror_y = flags & 2;
    plane->full_range = flags & 4;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = {data, size};
    struct scanout_plane planes[PLANES] = {0};
    uint8_t *memory[PLANES][SCANOUT_PARTS] = {{NULL}};
    uint32_t pixels[SIDE * SIDE];
    for (unsigned i = 0; i < PLANES; i++)
        take_plane(&input, &planes[i], memory[i]);
    if (!scanout_compose(pixels, SIDE, SIDE, planes, PLANES))
        abort();
    for (unsigned i = 0; i < SIDE * SIDE; i++)
        if (pixels[i] >> 24)
            abort();
    for (unsigned i = 0; i < PLANES; i++)
        for (unsigned j = 0; j < SCANOUT_PARTS; j++)
            free(memory[i][j]);
    return 0;
}
