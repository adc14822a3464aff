/* SPDX-License-Identifier: MIT */
/* legacy.c - the mailbox channels that are older than property tags: power management (channel 0)
 * and the framebuffer (channel 1).
 *
 * In:  a mask of devices; the bus address of a structure.
 * Out: power states; the framebuffer, and the structure's pitch, address and size.
 *
 * Source: the firmware's wiki pages "Mailbox framebuffer interface" and "Mailboxes";
 *         chadderz121/csud, which switches USB on by channel 0.
 * Choices: a virtual size of 0 is the physical size. The answer of channel 1 after an error is 1,
 *          since only 0 is published. Tags and these channels change the same states. */
#include "board/pi/pi.h"

#include "base/bits.h"

enum {
    DEVICE_SHIFT = 4,
    DEVICES = 9,
    LARGEST = 4096,
    FAILED = 1 << 4,
};

/* The structure of channel 1, in words. */
enum { WIDTH, HEIGHT, VIRTUAL_WIDTH, VIRTUAL_HEIGHT, PITCH, DEPTH, X, Y, ADDRESS, SIZE, WORDS };

uint32_t pi_legacy_power(struct tess_pi *pi, uint32_t data)
{
    uint32_t on = 0;
    for (unsigned i = 0; i < DEVICES; i++) {
        pi->power[i] = data >> (DEVICE_SHIFT + i) & 1;
        on |= pi->power[i] << (DEVICE_SHIFT + i);
    }
    return on;
}

static bool is_possible(const struct tess_pi_framebuffer *f)
{
    bool depth = f->depth == 8 || f->depth == 16 || f->depth == 24 || f->depth == 32;
    return depth && f->width && f->height && f->width <= LARGEST && f->height <= LARGEST &&
           f->virtual_width <= LARGEST && f->virtual_height <= LARGEST;
}

uint32_t pi_legacy_framebuffer(struct tess_pi *pi, uint32_t data)
{
    uint8_t *words = tess_vc4_memory(pi->vc4, data, WORDS * 4);
    if (!words) {
        pi_fault(pi, PI_MAILBOX_BUFFER, data, "the structure of the framebuffer is not in memory");
        return FAILED;
    }
    struct tess_pi_framebuffer f = pi->framebuffer;
    f.width = load_le32(words + 4 * WIDTH);
    f.height = load_le32(words + 4 * HEIGHT);
    f.virtual_width = load_le32(words + 4 * VIRTUAL_WIDTH);
    f.virtual_height = load_le32(words + 4 * VIRTUAL_HEIGHT);
    f.virtual_width = f.virtual_width ? f.virtual_width : f.width;
    f.virtual_height = f.virtual_height ? f.virtual_height : f.height;
    f.depth = load_le32(words + 4 * DEPTH);
    f.offset_x = load_le32(words + 4 * X);
    f.offset_y = load_le32(words + 4 * Y);
    store_le32(words + 4 * ADDRESS, 0);
    if (!is_possible(&f) || f.offset_x >= f.virtual_width || f.offset_y >= f.virtual_height)
        return FAILED;
    pi_framebuffer_release(pi);
    f.address = f.size = 0;
    pi->framebuffer = f;
    pi_framebuffer_allocate(pi, 0);
    store_le32(words + 4 * PITCH, pi->framebuffer.pitch);
    store_le32(words + 4 * ADDRESS, pi->framebuffer.address);
    store_le32(words + 4 * SIZE, pi->framebuffer.size);
    return pi->framebuffer.address ? 0 : FAILED;
}
