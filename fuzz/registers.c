/* SPDX-License-Identifier: MIT */
/* registers.c - fuzz target: any series of V3D register accesses and runs, on a device whose memory
 * contains a valid frame. The interrupt callback performs the next accesses of the same series. */
#include "frame.h"

enum { OPERATIONS = 64 };

struct host {
    struct tess_vc4 *vc4;
    struct input input;
    struct frame_lists lists;
    unsigned left; /* remaining operations */
};

/* Writes the registers that start the valid frame. */
static void start_frame(struct host *host)
{
    tess_vc4_write(host->vc4, V3D_CT0CA, FRAME_BIN_LIST);
    tess_vc4_write(host->vc4, V3D_CT0EA, host->lists.bin_end);
    tess_vc4_write(host->vc4, V3D_CT1CA, FRAME_RENDER_LIST);
    tess_vc4_write(host->vc4, V3D_CT1EA, host->lists.render_end);
}

/* Reads or writes a register. An interrupt handler may perform no other operation. */
static void access_register(struct host *host, uint32_t kind)
{
    static const uint32_t places[] = {FRAME_BIN_LIST, FRAME_RENDER_LIST, FRAME_SHADER,
                                      FRAME_UNIFORMS, FRAME_TILE_LISTS,  FRAME_MEMORY};
    uint32_t offset = input_bits(&host->input, 2) & (kind & 0x40 ? 0xffff : 0xffc);
    if (kind & 1) {
        (void)tess_vc4_read(host->vc4, offset);
        return;
    }
    uint32_t value = input_bits(&host->input, kind & 2 ? 4 : 1);
    if (kind & 4)
        value = places[value % (sizeof places / sizeof places[0])];
    tess_vc4_write(host->vc4, offset, value);
}

static bool may_go_on(struct host *host)
{
    if (host->left == 0 || host->input.left == 0)
        return false;
    host->left--;
    return true;
}

static void interrupt(void *user, bool level)
{
    struct host *host = user;
    (void)level;
    if (host->vc4 && may_go_on(host))
        access_register(host, input_bits(&host->input, 1));
}

static void operate(struct host *host)
{
    uint32_t kind = input_bits(&host->input, 1);
    switch (kind >> 3 & 7) {
    case 0: tess_vc4_run(host->vc4); break;
    case 1: start_frame(host); break;
    case 2: tess_vc4_report_stuck(host->vc4); break;
    default: access_register(host, kind); break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct host host = {.input = {data, size}, .left = OPERATIONS};
    const struct tess_vc4_options options = {.interrupt = interrupt,
                                             .interrupt_user = &host,
                                             .machine.max_instructions = 300,
                                             .max_records = 300};
    struct tess_vc4_stats stats;
    host.vc4 = frame_device(&options, &host.lists);
    if (!host.vc4)
        return 0;
    while (may_go_on(&host))
        operate(&host);
    tess_vc4_run(host.vc4);
    tess_vc4_get_stats(host.vc4, &stats);
    tess_vc4_destroy(host.vc4);
    return 0;
}
