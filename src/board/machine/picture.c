/* SPDX-License-Identifier: MIT */
/* picture.c - the display's picture for callers.
 *
 * In:  the framebuffer.
 * Out: pixels, PNG files. */
#include "board/machine/machine.h"

#include <stdlib.h>
#include <string.h>

#include "base/image.h"
#include "board/pi/pi.h"

static void copy_row(const struct tess_pi *pi, const uint8_t *from, uint32_t width, uint8_t *rgb)
{
    const struct tess_pi_framebuffer *f = &pi->framebuffer;
    for (uint32_t x = 0; x < width; x++) {
        const uint8_t *p = from + (size_t)x * f->depth / 8;
        uint32_t pixel = f->depth == 8    ? pi->palette[p[0]]
                         : f->depth == 16 ? ((p[1] & 0xf8U) | (p[0] & 0x1fU) << 19 |
                                             (p[1] & 7U) << 13 | (p[0] & 0xe0U) << 5)
                                          : p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16;
        memcpy(rgb + (size_t)3 * x, &pixel, 3);
    }
}

enum tess_status tess_pi_machine_picture(const struct tess_pi_machine *machine, uint32_t *width,
                                         uint32_t *height, uint8_t **rgb)
{
    const struct tess_pi_framebuffer *f = &machine->pi->framebuffer;
    *rgb = NULL;
    *width = f->width;
    *height = f->height;
    const uint8_t *from = f->size ? tess_pi_machine_memory(machine, f->address & PI_ADDRESS, f->size)
                                  : NULL;
    if (!from)
        return TESS_OK;
    *rgb = malloc((size_t)*width * *height * 3);
    if (!*rgb)
        return TESS_NO_MEMORY;
    for (uint32_t y = 0; y < *height; y++)
        copy_row(machine->pi, from + (size_t)y * f->pitch, *width, *rgb + (size_t)y * *width * 3);
    return TESS_OK;
}

struct rows {
    const uint8_t *rgb;
    size_t bytes;
};

static void fill_row(void *user, uint32_t y, uint8_t *row)
{
    const struct rows *rows = user;
    memcpy(row, rows->rgb + y * rows->bytes, rows->bytes);
}

enum tess_status tess_pi_machine_png(const struct tess_pi_machine *machine, uint8_t **bytes,
                                     size_t *size)
{
    uint32_t width, height;
    uint8_t *rgb;
    struct buffer out = {0};
    *bytes = NULL;
    enum tess_status status = tess_pi_machine_picture(machine, &width, &height, &rgb);
    if (status != TESS_OK || !rgb)
        return status == TESS_OK ? TESS_INVALID : status;
    struct rows rows = {rgb, (size_t)width * 3};
    status = image_encode(&out, width, height, IMAGE_RGB, fill_row, &rows);
    free(rgb);
    *bytes = out.data;
    *size = out.size;
    return status;
}
