/* SPDX-License-Identifier: MIT */
/* framebuffer.c - the framebuffer that the firmware allocates for the display.
 *
 * In:  the sizes and the depth that programs have set.
 * Out: the framebuffer's memory, address and pitch.
 *
 * Source: the firmware's wiki page "Mailbox property interface" (github raspberrypi/firmware), the
 *         JayStation articles. Blue comes first until a program or config.txt sets the order: the
 *         firmware gives Linux bcm2708_fb.fbswap=1, its default framebuffer_swap=1, and
 *         bcm2708_fb.c, which sets no order, then has blue in the first byte.
 * Left out: display output, which is in board/machine/display.c.
 * Choices: an alignment that is not a power of two counts as none. Cores of
 *          Bigenvesim/PacmanAnimation send one buffer again, in which the framebuffer's address has
 *          replaced the alignment. A changed size or depth takes effect with the next allocation.
 *          Alpha is ignored until a program sets another mode, because programs that set none write
 *          0 or 0xff as alpha and are visible. */
#include "board/pi/pi.h"

#include <string.h>

enum { PITCH_ALIGN = 32, MAX_PITCH = 1 << 20 };

void pi_framebuffer_reset(struct tess_pi *pi)
{
    /* The defaults are the firmware's settings for its console on a board without a display. */
    const struct tess_pi_display *display = &pi->options.display;
    uint32_t width = display->width ? display->width : 640;
    uint32_t height = display->height ? display->height : 480;
    pi->framebuffer = (struct tess_pi_framebuffer){.width = width,
                                                   .height = height,
                                                   .virtual_width = width,
                                                   .virtual_height = height,
                                                   .depth = display->depth ? display->depth : 32,
                                                   .pixel_order = display->rgb};
    pi->alpha_mode = display->alpha ? PI_ALPHA_TRANSPARENCY : PI_ALPHA_IGNORED;
    memcpy(pi->overscan, display->overscan, sizeof pi->overscan);
    for (uint32_t i = 0; i < PI_PALETTE; i++)
        pi->palette[i] = 0xff000000 | i * 0x010101;
}

void pi_framebuffer_release(struct tess_pi *pi)
{
    uint32_t address = pi->framebuffer.address & PI_ADDRESS;
    for (uint32_t handle = 1; address && handle <= PI_BLOCKS; handle++) {
        const struct pi_block *block = pi_block(pi, handle);
        if (block && block->address == address)
            tess_pi_release(pi, handle);
    }
    pi->framebuffer.address = pi->framebuffer.size = 0;
}

uint32_t pi_framebuffer_pitch(const struct tess_pi_framebuffer *framebuffer)
{
    uint64_t bytes = ((uint64_t)framebuffer->virtual_width * framebuffer->depth + 7) / 8;
    bytes = (bytes + PITCH_ALIGN - 1) / PITCH_ALIGN * PITCH_ALIGN;
    return bytes > MAX_PITCH ? 0 : (uint32_t)bytes;
}

void pi_framebuffer_allocate(struct tess_pi *pi, uint32_t alignment)
{
    struct tess_pi_framebuffer *framebuffer = &pi->framebuffer;
    pi_framebuffer_release(pi);
    if (alignment & (alignment - 1))
        alignment = 0;
    framebuffer->pitch = pi_framebuffer_pitch(framebuffer);
    uint64_t size = (uint64_t)framebuffer->pitch * framebuffer->virtual_height;
    if (size == 0 || size > pi->options.vc_size)
        return;
    const struct pi_block *block = pi_block(
        pi, tess_pi_allocate(pi, (uint32_t)size, alignment, PI_MEMORY_ZERO));
    if (!block)
        return;
    framebuffer->address = block->address | pi->options.alias;
    framebuffer->size = (uint32_t)size;
}
