/* SPDX-License-Identifier: MIT */
/* display.h - the picture that the display shows: the visible part of the framebuffer. */
#ifndef BOARD_MACHINE_DISPLAY_H
#define BOARD_MACHINE_DISPLAY_H

#include <stdbool.h>
#include <stdint.h>

struct tess_pi;

/* Returns the host address of size bytes of RAM at a bus address, or NULL if a part of them is not
 * RAM. */
typedef uint8_t *display_ram(void *user, uint32_t bus, uint32_t size);

/* Stores the size of the picture in pixels. Returns false if no framebuffer is allocated, so that
 * the display shows nothing. */
bool display_size(const struct tess_pi *pi, uint32_t *width, uint32_t *height);

/* Stores row y of the picture in rgba: 4 bytes (red, green, blue, 255) for each pixel of the width
 * that display_size() has stored. Pixels outside of the framebuffer, and all pixels of a blanked
 * display, are black. */
void display_row(const struct tess_pi *pi, display_ram *ram, void *user, uint32_t y, uint8_t *rgba);

/* Stores all rows, from the top, in width * height * 4 bytes. */
void display_draw(const struct tess_pi *pi, display_ram *ram, void *user, uint8_t *rgba);

#endif
