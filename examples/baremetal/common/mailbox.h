/* SPDX-License-Identifier: MIT */
/* mailbox.h - requests to the firmware. */
#ifndef MAILBOX_H
#define MAILBOX_H

#include <stdbool.h>
#include <stdint.h>

/* Tags of the property channel (raspberrypi/firmware, wiki page "Mailbox property interface"). */
enum {
    TAG_EXECUTE_QPU = 0x30011,
    TAG_ENABLE_QPU = 0x30012,
    TAG_ALLOCATE_FRAMEBUFFER = 0x40001,
    TAG_GET_PITCH = 0x40008,
    TAG_SET_PHYSICAL_SIZE = 0x48003,
    TAG_SET_VIRTUAL_SIZE = 0x48004,
    TAG_SET_DEPTH = 0x48005,
    TAG_SET_PIXEL_ORDER = 0x48006,
    TAG_SET_VIRTUAL_OFFSET = 0x48009,
};

/* Sends a buffer of tags, and waits until the firmware has answered in the same buffer. The buffer
 * begins at a multiple of 16. Returns false if the firmware has not understood it. */
bool mailbox_call(volatile uint32_t *buffer);

/* Sends a single tag with up to 8 words, which the answer replaces. */
bool mailbox_tag(uint32_t tag, uint32_t *words, uint32_t count);

#endif
