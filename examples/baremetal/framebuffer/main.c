/* SPDX-License-Identifier: MIT */
/* framebuffer - a picture that the ARM writes. Red grows to the right, green downwards. */
#include "board.h"
#include "screen.h"
#include "uart.h"

int main(void)
{
    struct screen screen;
    uart_start();
    if (!screen_start(&screen, 256, 256, 1)) {
        uart_text("no framebuffer\n");
        return 1;
    }
    for (uint32_t y = 0; y < screen.height; y++) {
        volatile uint32_t *row = (volatile uint32_t *)(screen.pixels + y * screen.pitch);
        for (uint32_t x = 0; x < screen.width; x++)
            row[x] = 0xff400000 | y << 8 | x;
    }
    uart_text("framebuffer at ");
    uart_hex(screen.bus);
    uart_text(": done\n");
    return 0;
}
