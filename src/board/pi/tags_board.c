/* SPDX-License-Identifier: MIT */
/* tags_board.c - tags about the board: its model, memory, command line and one-time programmable
 * memory.
 *
 * In:  requests; the constants of struct tess_pi_board.
 * Out: replies.
 *
 * Source: see tags.def.
 * Choices: the serial number is 0. The MAC address is the first address of the Raspberry Pi
 *          Foundation's range. */
#include <stdio.h>
#include <string.h>

#include "base/bits.h"
#include "board/pi/pi.h"
#include "board/pi/tags.h"

bool tag_firmware_revision(struct tess_pi *pi, struct tag_value *v)
{
    (void)pi;
    v->word[0] = 0x5f6a1f34; /* time of a build in September 2020, in seconds since 1970 */
    return true;
}

bool tag_board_model(struct tess_pi *pi, struct tag_value *v)
{
    (void)pi;
    v->word[0] = 0;
    return true;
}

bool tag_board_revision(struct tess_pi *pi, struct tag_value *v)
{
    v->word[0] = pi->options.revision;
    return true;
}

bool tag_mac_address(struct tess_pi *pi, struct tag_value *v)
{
    (void)pi;
    v->word[0] = 0x00eb27b8; /* b8:27:eb:00:00:00 */
    v->word[1] = 0;
    return true;
}

bool tag_board_serial(struct tess_pi *pi, struct tag_value *v)
{
    (void)pi;
    v->word[0] = v->word[1] = 0;
    return true;
}

bool tag_arm_memory(struct tess_pi *pi, struct tag_value *v)
{
    v->word[0] = 0;
    v->word[1] = pi->options.arm_size;
    return true;
}

bool tag_vc_memory(struct tess_pi *pi, struct tag_value *v)
{
    v->word[0] = pi->options.arm_size;
    v->word[1] = pi->options.vc_size;
    return true;
}

enum { DMA_CHANNELS = 0x7f35 }; /* mask of the DMA channels that the ARM may use */

bool tag_dma_channels(struct tess_pi *pi, struct tag_value *v)
{
    (void)pi;
    v->word[0] = DMA_CHANNELS;
    return true;
}

void pi_set_kernel_line(struct tess_pi *pi, const char *text)
{
    size_t length = strlen(text);
    memset(pi->kernel_line, 0, sizeof pi->kernel_line);
    memcpy(pi->kernel_line, text,
           length < sizeof pi->kernel_line ? length : sizeof pi->kernel_line);
}

bool tag_command_line(struct tess_pi *pi, struct tag_value *v)
{
    char text[4 * TAG_WORDS] = {0};
    int length = snprintf(text, sizeof text,
                          "dma.dmachans=0x%x bcm2708_fb.fbwidth=%u bcm2708_fb.fbheight=%u "
                          "bcm2708.boardrev=0x%x bcm2708.serial=0x0 vc_mem.mem_base=0x%08x "
                          "vc_mem.mem_size=0x%08x %.*s",
                          DMA_CHANNELS, pi->framebuffer.width, pi->framebuffer.height,
                          pi->options.revision, pi->options.arm_size,
                          pi->options.arm_size + pi->options.vc_size, (int)sizeof pi->kernel_line,
                          pi->kernel_line[0]
                              ? (const char *)pi->kernel_line
                              : "console=tty1 root=/dev/mmcblk0p2 rootfstype=ext4 rootwait");
    for (unsigned i = 0; i < TAG_WORDS; i++)
        v->word[i] = load_le32((const uint8_t *)text + 4 * i);
    v->reply = (uint32_t)length;
    return true;
}

/* Checks a request for the customer's rows of one-time programmable memory. The request contains
 * the first row, the number of rows, and (to set them) the rows. Sets the length of the reply.
 * Returns false if the rows do not exist. */
static bool otp_rows(struct tag_value *v)
{
    bool good = v->word[0] < PI_OTP && v->word[1] <= PI_OTP - v->word[0];
    v->reply = good ? 8 + 4 * v->word[1] : 8;
    return good;
}

bool tag_get_otp(struct tess_pi *pi, struct tag_value *v)
{
    if (otp_rows(v))
        memcpy(&v->word[2], &pi->otp[v->word[0]], 4 * v->word[1]);
    return true;
}

/* Sets bits of rows. Bits of one-time programmable memory cannot be cleared. */
bool tag_set_otp(struct tess_pi *pi, struct tag_value *v)
{
    bool good = otp_rows(v);
    for (uint32_t i = 0; good && i < v->word[1]; i++)
        pi->otp[v->word[0] + i] |= v->word[2 + i];
    return tag_get_otp(pi, v);
}
