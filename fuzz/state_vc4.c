/* SPDX-License-Identifier: MIT */
/* state_vc4.c - fuzz target: saved states of the VideoCore IV with wrong bytes. A device refuses
 * them and stays unchanged, or restores them. Restored bytes must be saved again as the same bytes.
 * The device must survive everything that follows.
 *
 * Input: see state_damage.h. The first byte is the CHOICE_ bits; an offset has three bytes. */
#include <stdlib.h>
#include <string.h>

#include <tessera/isa.h>

#include "base/bits.h"
#include "frame.h"
#include "state_damage.h"

enum {
    CODE = 0x3000,
    CHOICE_SANITIZE = 1,
    CHOICE_PROFILE = 2,
    CHOICE_PROGRAMS = 4,
    CHOICE_FRAME = 8,
    CHOICE_RENDERING = 16, /* pauses only after binning */
};

static struct state_image save(const struct tess_vc4 *vc4)
{
    struct state_image image = image_of_size(tess_vc4_state_size(vc4));
    check(tess_vc4_save_state(vc4, image.bytes, image.size) == TESS_OK);
    return image;
}

static void restore(struct tess_vc4 *vc4, const uint8_t *data, size_t size)
{
    struct state_image before = save(vc4), damaged = save(vc4);
    image_damage(&damaged, data, size, 3);
    enum tess_status status = tess_vc4_restore_state(vc4, damaged.bytes, damaged.size);
    image_check_restored(status, before, damaged, save(vc4));
}

/* A user program that uses the TMU, the SFU, the VPM, DMA, a semaphore and the mutex. */
static const char source[] = ".include <vc4.qinc>\n"
                             ".org 0x3000\n"
                             "    mov ra0, unif\n"
                             "    mov r1, 30\n"
                             ":loop\n"
                             "    mov r2, elem_num\n"
                             "    shl r2, r2, 2\n"
                             "    add t0s, r2, ra0\n"
                             "    itof sfu_recip, r1\n"
                             "    sub.setf r1, r1, 1\n"
                             "    brr.anynz -, :loop\n"
                             "    nop; nop; ldtmu0\n"
                             "    mov r3, r4\n"
                             "    nop\n"
                             "    ldi vw_setup, vpm_setup(1, 1, h32(0))\n"
                             "    mov vpm, r3\n"
                             "    srel -, 3\n"
                             "    sacq -, 3\n"
                             "    mov -, mutex_acq\n"
                             "    ldi vw_setup, vdw_setup_0(1, 16, dma_h32(0, 0))\n"
                             "    ldi vw_setup, vdw_setup_1(0)\n"
                             "    mov vw_addr, ra0\n"
                             "    mov -, vw_wait\n"
                             "    mov mutex_rel, 0\n"
                             "    nop; nop; thrend\n"
                             "    nop\n"
                             "    nop\n";

static void start_programs(struct tess_vc4 *vc4)
{
    static uint8_t *code;
    static size_t size;
    if (!code)
        code = frame_assemble(source, &size);
    memcpy(tess_vc4_memory(vc4, CODE, (uint32_t)size), code, size);
    store_le32(tess_vc4_memory(vc4, FRAME_UNIFORMS + 0x80, 4), FRAME_TEXTURE);
    for (unsigned i = 0; i < 3; i++) {
        tess_vc4_write(vc4, V3D_SRQUA, FRAME_UNIFORMS + 0x80);
        tess_vc4_write(vc4, V3D_SRQPC, CODE);
    }
}

static void start_frame(struct tess_vc4 *vc4, const struct frame_lists *lists)
{
    tess_vc4_write(vc4, V3D_CT0CA, FRAME_BIN_LIST);
    tess_vc4_write(vc4, V3D_CT0EA, lists->bin_end);
    tess_vc4_write(vc4, V3D_CT1CA, FRAME_RENDER_LIST);
    tess_vc4_write(vc4, V3D_CT1EA, lists->render_end);
}

static void start(struct tess_vc4 *vc4, const struct frame_lists *lists, uint8_t choices)
{
    if (choices & CHOICE_FRAME)
        start_frame(vc4, lists);
    if (choices & CHOICE_PROGRAMS)
        start_programs(vc4);
}

/* Lets the host do what it can do with a paused device. */
static void use(struct tess_vc4 *vc4, const struct frame_lists *lists)
{
    struct tess_vc4_stats stats;
    struct tess_vc4_hot *rows;
    size_t count;
    for (uint32_t offset = 0; offset < 0x1000; offset += 4)
        tess_vc4_read(vc4, offset);
    tess_vc4_get_stats(vc4, &stats);
    check(tess_vc4_get_hot(vc4, &rows, &count) == TESS_OK);
    tess_free(rows);
    tess_vc4_set_step_limit(vc4, 0);
    if (tess_vc4_run(vc4) != TESS_VC4_IDLE)
        tess_vc4_report_stuck(vc4);
    start(vc4, lists, CHOICE_FRAME | CHOICE_PROGRAMS);
    tess_vc4_run(vc4);
    tess_vc4_report_stuck(vc4);
    tess_vc4_stop_programs(vc4);
    start_frame(vc4, lists);
    tess_vc4_run(vc4);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned findings = 0;
    struct frame_lists lists;
    if (size < STATE_INPUT)
        return 0;
    const struct tess_vc4_options options = {
        .machine.sink = {count_finding, &findings},
        .machine.max_instructions = 300,
        .max_records = 300,
        .machine.sanitize = data[0] & CHOICE_SANITIZE,
        .profile = data[0] & CHOICE_PROFILE,
    };
    struct tess_vc4 *vc4 = frame_device(&options, &lists);
    if (!vc4)
        return 0;
    start(vc4, &lists, data[0]);
    tess_vc4_set_step_limit(vc4, 1u + data[1] % 64 + (data[0] & CHOICE_RENDERING ? 24u : 0u));
    tess_vc4_run(vc4);
    restore(vc4, data, size);
    use(vc4, &lists);
    tess_vc4_destroy(vc4);
    return 0;
}
