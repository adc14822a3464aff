/* SPDX-License-Identifier: MIT */
/* display.c - see display.h.
 *
 * In:  the framebuffer's settings, its palette and its pixels in RAM.
 * Out: rows of RGBA pixels.
 *
 * Source: the firmware's wiki page "Mailbox property interface"; Linux' bcm2708_fb.c
 *         (raspberrypi/linux) for the positions of colours: 16 bits have red on top in either
 *         order, in 24 and 32 bits the order RGB has red in the first byte.
 * Modelled: depths 8, 16, 24 and 32, both orders, palette, offsets in a virtual screen, alpha on
 *           black, blanking.
 * Left out: overscan, scaling to the modes of a monitor, the cursor. */
#include "board/machine/display.h"

#include "base/bits.h"
#include "board/pi/pi.h"

enum { RGBA = 4, OPAQUE = 255 };

bool display_size(const struct tess_pi *pi, uint32_t *width, uint32_t *height)
{
    *width = pi->framebuffer.width;
    *height = pi->framebuffer.height;
    return pi->framebuffer.address != 0 && *width && *height;
}

static void put(uint8_t *rgba, uint32_t red, uint32_t green, uint32_t blue)
{
    rgba[0] = (uint8_t)red;
    rgba[1] = (uint8_t)green;
    rgba[2] = (uint8_t)blue;
    rgba[3] = OPAQUE;
}

static void convert_palette(const struct tess_pi *pi, const uint8_t *pixel, uint8_t *rgba)
{
    uint32_t colour = pi->palette[*pixel];
    put(rgba, colour, colour >> 8, colour >> 16);
}

/* Repeats the top bits of a colour of 5 or 6 bits below it. */
static void convert_16(const uint8_t *pixel, uint8_t *rgba)
{
    uint32_t value = load_le16(pixel);
    uint32_t red = value >> 11, green = value >> 5 & 63, blue = value & 31;
    put(rgba, red << 3 | red >> 2, green << 2 | green >> 4, blue << 3 | blue >> 2);
}

static void convert_24(const struct tess_pi *pi, const uint8_t *pixel, uint8_t *rgba)
{
    unsigned red = pi->framebuffer.pixel_order ? 0 : 2;
    put(rgba, pixel[red], pixel[1], pixel[2 - red]);
}

static void convert_32(const struct tess_pi *pi, const uint8_t *pixel, uint8_t *rgba)
{
    convert_24(pi, pixel, rgba);
    if (pi->alpha_mode == PI_ALPHA_IGNORED)
        return;
    uint32_t alpha = pi->alpha_mode == PI_ALPHA_OPACITY ? pixel[3] : OPAQUE - pixel[3];
    for (unsigned i = 0; i < 3; i++)
        rgba[i] = (uint8_t)((rgba[i] * alpha + OPAQUE / 2) / OPAQUE);
}

static void convert(const struct tess_pi *pi, const uint8_t *pixel, uint8_t *rgba)
{
    switch (pi->framebuffer.depth) {
    case 8: convert_palette(pi, pixel, rgba); break;
    case 16: convert_16(pixel, rgba); break;
    case 24: convert_24(pi, pixel, rgba); break;
    default: convert_32(pi, pixel, rgba); break;
    }
}

/* Returns the number of pixels of a row from an offset to the end of the framebuffer's row. */
static uint32_t pixels_in_row(const struct tess_pi_framebuffer *f, uint32_t bytes)
{
    uint32_t pitch = f->pitch / bytes;
    uint32_t row = f->virtual_width < pitch ? f->virtual_width : pitch;
    uint32_t left = row > f->offset_x ? row - f->offset_x : 0;
    return left < f->width ? left : f->width;
}

void display_row(const struct tess_pi *pi, display_ram *ram, void *user, uint32_t y, uint8_t *rgba)
{
    const struct tess_pi_framebuffer *f = &pi->framebuffer;
    for (uint32_t x = 0; x < f->width; x++)
        put(rgba + (size_t)x * RGBA, 0, 0, 0);
    uint32_t bytes = f->depth / 8;
    if (pi->blanked || f->address == 0 || bytes == 0)
        return;
    uint64_t start = ((uint64_t)f->offset_y + y) * f->pitch + (uint64_t)f->offset_x * bytes;
    uint32_t count = pixels_in_row(f, bytes);
    if (count == 0 || start + (uint64_t)count * bytes > f->size)
        return;
    const uint8_t *from = ram(user, f->address + (uint32_t)start, count * bytes);
    for (uint32_t x = 0; from && x < count; x++)
        convert(pi, from + (size_t)x * bytes, rgba + (size_t)x * RGBA);
}

void display_draw(const struct tess_pi *pi, display_ram *ram, void *user, uint8_t *rgba)
{
    uint32_t width, height;
    display_size(pi, &width, &height);
    for (uint32_t y = 0; y < height; y++)
        display_row(pi, ram, user, y, rgba + (size_t)y * width * RGBA);
}
