/* SPDX-License-Identifier: MIT */
/* pi.h - the Raspberry Pi's property mailbox and framebuffer around a VideoCore IV. */
#ifndef TESSERA_PI_H
#define TESSERA_PI_H

#include <tessera/tessera.h>
#include <tessera/vc4.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Peripherals, byte offsets from the peripheral base (bus 0x7e000000; ARM 0x20000000 on a Pi 0 or 1,
 * 0x3f000000 on a Pi 2 or 3). */
enum {
    TESS_PI_MAILBOX = 0x00b880,
    TESS_PI_MAIL_READ = TESS_PI_MAILBOX + 0x00,
    TESS_PI_MAIL_STATUS = TESS_PI_MAILBOX + 0x18, /* bit 31 full, bit 30 empty */
    TESS_PI_MAIL_WRITE = TESS_PI_MAILBOX + 0x20,
    TESS_PI_V3D = 0xc00000,
};

struct tess_pi;

/* Zero every member that you do not care about. */
struct tess_pi_options {
    struct tess_sink sink;
    uint32_t arm_size; /* bytes of ARM memory from address 0, default 448 MiB */
    uint32_t vc_size;  /* bytes of VideoCore memory above it, default 64 MiB; the framebuffer and
                          "allocate memory" come from here */
    uint32_t revision; /* board revision code, default 0x9000c1 (Pi Zero W) */
    uint32_t alias; /* top two address bits that the firmware puts on the framebuffer's bus address,
                          default 0xc0000000; a Pi 1 with L2 cache gives 0x40000000 */
};

/* Puts a Pi's peripherals in front of a device. The caller maps ARM memory itself; the firmware's own
 * allocations are mapped into the device when programs ask for them. vc4 must outlive the result.
 * Errors: TESS_INVALID, TESS_NO_MEMORY. Release with tess_pi_destroy(). */
TESS_API enum tess_status tess_pi_create(struct tess_pi **out, struct tess_vc4 *vc4,
                                         const struct tess_pi_options *options);

/* Unmaps the firmware's allocations and releases the rest. NULL is allowed. */
TESS_API void tess_pi_destroy(struct tess_pi *pi);

/* Reads and writes a 32-bit peripheral register; offset is in bytes from the peripheral base. Modelled are
 * mailbox 0 (reads as above; TESS_PI_MAIL_WRITE with a 16-byte-aligned buffer address and channel 8 carries out
 * the buffer's property tags at once and queues the reply for TESS_PI_MAIL_READ) and the V3D registers at
 * TESS_PI_V3D, which read 0xdeadbeef until a program switches the QPUs on. Anything else is a finding. */
TESS_API uint32_t tess_pi_read(struct tess_pi *pi, uint32_t offset);
TESS_API void tess_pi_write(struct tess_pi *pi, uint32_t offset, uint32_t value);

/* What the display would show now. */
struct tess_pi_framebuffer {
    uint32_t address; /* bus address; 0 while none is allocated */
    uint32_t size;    /* bytes */
    uint32_t width, height, virtual_width, virtual_height;
    uint32_t depth;       /* bits per pixel */
    uint32_t pixel_order; /* 0 BGR, 1 RGB */
    uint32_t pitch;       /* bytes per row */
    uint32_t offset_x, offset_y;
};
TESS_API void tess_pi_get_framebuffer(const struct tess_pi *pi,
                                      struct tess_pi_framebuffer *framebuffer);

/* Whether a program has switched V3D on (mailbox tag 0x30012, or a power domain call). */
TESS_API bool tess_pi_v3d_enabled(const struct tess_pi *pi);

#ifdef __cplusplus
}
#endif

#endif
