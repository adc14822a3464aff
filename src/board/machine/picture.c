/* SPDX-License-Identifier: MIT */
/* picture.c - the display's picture for callers.
 *
 * In:  the framebuffer.
 * Out: pixels, PNG files. */
#include "board/machine/machine.h"

#include <stdlib.h>
#include <string.h>

#include "base/image.h"
#include "board/machine/display.h"

enum tess_status tess_pi_machine_picture(const struct tess_pi_machine *machine, uint32_t *width,
                                         uint32_t *height, uint8_t **rgba)
{
    *rgba = NULL;
    if (!display_size(machine->pi, width, height))
        return TESS_OK;
    *rgba = malloc((size_t)*width * *height * 4);
    if (!*rgba)
        return TESS_NO_MEMORY;
    display_draw(machine->pi, machine_ram, (void *)(uintptr_t)machine, *rgba);
    return TESS_OK;
}

struct rows {
    const uint8_t *rgba;
    uint32_t width;
};

static void fill_row(void *user, uint32_t y, uint8_t *row)
{
    const struct rows *rows = user;
    const uint8_t *from = rows->rgba + (size_t)4 * y * rows->width;
    for (uint32_t x = 0; x < rows->width; x++)
        memcpy(row + (size_t)3 * x, from + (size_t)4 * x, 3);
}

enum tess_status tess_pi_machine_png(const struct tess_pi_machine *machine, uint8_t **bytes,
                                     size_t *size)
{
    uint32_t width, height;
    uint8_t *rgba;
    struct buffer out = {0};
    *bytes = NULL;
    enum tess_status status = tess_pi_machine_picture(machine, &width, &height, &rgba);
    if (status != TESS_OK || !rgba)
        return status == TESS_OK ? TESS_INVALID : status;
    struct rows rows = {rgba, width};
    status = image_encode(&out, width, height, IMAGE_RGB, fill_row, &rows);
    free(rgba);
    *bytes = out.data;
    *size = out.size;
    return status;
}
