/* SPDX-License-Identifier: MIT */
/* screen.h - the framebuffer: 32 bits per pixel, red in the lowest byte. */
#ifndef SCREEN_H
#define SCREEN_H

#include <stdbool.h>
#include <stdint.h>

struct screen {
    uint32_t width, height, pitch; /* pixels, rows, bytes per row */
    uint32_t bus;                  /* address for the GPU */
    volatile uint8_t *pixels;      /* address for the ARM */
};

/* Asks the firmware for a framebuffer with a number of pages, one below the other. The display
 * shows page 0. Returns false if there is none. */
bool screen_start(struct screen *screen, uint32_t width, uint32_t height, uint32_t pages);

/* Shows another page. */
void screen_show(const struct screen *screen, uint32_t page);

#endif
