/* SPDX-License-Identifier: MIT */
/* mailbox.c - fuzz target: the modelled Raspberry Pi, with any property buffer and any series of
 * peripheral accesses. The input's first byte is the number of bytes that describe the accesses.
 * These bytes follow. The rest of the input is the property buffer, which is at bus address
 * BUFFER. */
#include <tessera/pi.h>

#include "frame.h"

enum { BUFFER = 0x1000, CHANNEL_PROPERTY = 8, MOST_ACCESS_BYTES = 160 };

/* Offsets of registers with effects, in addition to the input's offsets. */
static const uint32_t offsets[] = {
    TESS_PI_MAIL_READ,       TESS_PI_MAIL_STATUS,     TESS_PI_MAIL_WRITE, TESS_PI_V3D + V3D_CT0CA,
    TESS_PI_V3D + V3D_CT0EA, TESS_PI_V3D + V3D_SRQPC, TESS_PI_V3D,        TESS_PI_V3D + 0xffc};

enum { OFFSETS = sizeof offsets / sizeof offsets[0] };

static void access_peripheral(struct tess_pi *pi, struct input *input)
{
    uint32_t kind = input_bits(input, 1);
    uint32_t offset = kind & 8 ? input_bits(input, 3) : offsets[kind % OFFSETS];
    if (kind & 0x10)
        (void)tess_pi_read(pi, offset);
    else
        tess_pi_write(pi, offset, kind & 0x20 ? input_bits(input, 4) : BUFFER | CHANNEL_PROPERTY);
}

static void use(struct tess_pi *pi, struct tess_vc4 *vc4, struct input input)
{
    struct tess_pi_framebuffer framebuffer;
    size_t access_bytes = input_bits(&input, 1) % MOST_ACCESS_BYTES;
    struct input accesses = {.at = input_bytes(&input, &access_bytes)};
    accesses.left = access_bytes;
    size_t size = FRAME_MEMORY - BUFFER;
    const uint8_t *buffer = input_bytes(&input, &size);
    if (size)
        memcpy(tess_vc4_memory(vc4, BUFFER, (uint32_t)size), buffer, size);
    tess_pi_write(pi, TESS_PI_MAIL_WRITE, BUFFER | CHANNEL_PROPERTY);
    while (accesses.left > 0)
        access_peripheral(pi, &accesses);
    tess_pi_get_framebuffer(pi, &framebuffer);
    if (framebuffer.address && !tess_vc4_memory(vc4, framebuffer.address, framebuffer.size))
        __builtin_trap(); /* the framebuffer must be mapped */
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct tess_vc4_options options = {.machine.max_instructions = 300,
                                                    .max_records = 300};
    static const struct tess_pi_options pi_options = {.arm_size = 1 << 20, .vc_size = 4 << 20};
    struct frame_lists lists;
    struct tess_pi *pi;
    struct tess_vc4 *vc4 = size ? frame_device(&options, &lists) : NULL;
    if (!vc4)
        return 0;
    if (tess_pi_create(&pi, vc4, &pi_options) == TESS_OK) {
        use(pi, vc4, (struct input){data, size});
        tess_pi_destroy(pi);
    }
    tess_vc4_destroy(vc4);
    return 0;
}
