/* SPDX-License-Identifier: MIT */
/* screen.c - asks the firmware for a framebuffer. */
#include "screen.h"

#include "board.h"
#include "mailbox.h"

bool screen_start(struct screen *screen, uint32_t width, uint32_t height, uint32_t pages)
{
    /* Each tag: its number, bytes of its values, 0, values. */
    /* clang-format off */
    static volatile uint32_t message[35] __attribute__((aligned(16))) = {
        sizeof message, 0,
        TAG_SET_PHYSICAL_SIZE, 8, 0, 0, 0,     /* values at 5 */
        TAG_SET_VIRTUAL_SIZE, 8, 0, 0, 0,      /* 10 */
        TAG_SET_DEPTH, 4, 0, 32,               /* 15 */
        TAG_SET_PIXEL_ORDER, 4, 0, 1,          /* 19: red first */
        TAG_SET_VIRTUAL_OFFSET, 8, 0, 0, 0,    /* 23 */
        TAG_ALLOCATE_FRAMEBUFFER, 8, 0, 16, 0, /* 28: alignment; then address and size */
        TAG_GET_PITCH, 4, 0, 0,                /* 33 */
        0,
    };
    /* clang-format on */
    message[5] = message[10] = width;
    message[6] = height;
    message[11] = height * pages;
    if (!mailbox_call(message) || !message[28])
        return false;
    *screen = (struct screen){
        .width = width,
        .height = height,
        .pitch = message[33],
        .bus = message[28],
        .pixels = arm_address(message[28]),
    };
    return true;
}

void screen_show(const struct screen *screen, uint32_t page)
{
    uint32_t offset[] = {0, page * screen->height};
    mailbox_tag(TAG_SET_VIRTUAL_OFFSET, offset, 2);
}
