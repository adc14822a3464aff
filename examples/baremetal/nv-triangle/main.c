/* SPDX-License-Identifier: MIT */
/* nv-triangle - the first triangle: vertices are already on the screen (NV mode). The lists are in
 * lists.S, as in the article "First Triangle". */
#include "screen.h"
#include "uart.h"
#include "v3d.h"

extern uint8_t binning_list[], binning_list_end[], rendering_list[], rendering_list_end[];
extern uint8_t framebuffer_address[4]; /* in the rendering list, at an odd address */

int main(void)
{
    struct screen screen;
    uart_start();
    if (!v3d_start() || !screen_start(&screen, 640, 480, 1)) {
        uart_text("no 3D block, or no framebuffer\n");
        return 1;
    }
    for (int i = 0; i < 4; i++)
        framebuffer_address[i] = (uint8_t)(screen.bus >> 8 * i);
    v3d_draw(binning_list, binning_list_end, rendering_list, rendering_list_end);
    uart_text(v3d_wait() ? "nv-triangle: done\n" : "nv-triangle: the GPU does not end\n");
    return 0;
}
