/* SPDX-License-Identifier: MIT */
/* Tests of the status and error registers of manual section 10: the values that they have in
 * different states of the pipeline. The other registers are tested in device.c, cle.c and qps.c,
 * the performance counters in pctr.c. QPU words are hand-assembled from manual section 3, VPM
 * setups from section 7. */
#include "vc4/device/v3d.h"
#include "../../register.h"

#include "../rig.h"

enum { PROGRAM = 0x5000, DATA = 0x6000 };
enum { R0 = 32, VPM = 48, SETUP = 49, ADDRESS = 50 }; /* addresses for reading and writing */
enum { IN_A, IN_B };

static const uint64_t nop = UINT64_C(0x100009e7009e7000), end = UINT64_C(0x300009e7009e7000);

static uint64_t ldi(unsigned file, unsigned waddr, uint32_t value)
{
    return (UINT64_C(0xe0020027) | file << 12 | waddr << 6) << 32 | value;
}

/* Returns "or r0, r, r", which reads a register of either file. */
static uint64_t read_from(unsigned file, unsigned raddr)
{
    uint32_t operands = file == IN_A ? 0x15027d80 | raddr << 18 : 0x159c0fc0 | raddr << 12;
    return UINT64_C(0x10020827) << 32 | operands;
}

static uint64_t acquire(unsigned semaphore)
{
    return UINT64_C(0xe80009e7) << 32 | 16 | semaphore;
}

static void run_program(struct rig *rig, const uint64_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        store_le64(rig->memory + PROGRAM + 8 * i, words[i]);
    tess_vc4_write(rig->vc4, V3D_SRQPC, PROGRAM);
    tess_vc4_run(rig->vc4);
}

#define RUN(rig, ...)                                 \
    run_program(rig, (const uint64_t[]){__VA_ARGS__}, \
                sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

static uint32_t reg(const struct rig *rig, uint32_t offset)
{
    return tess_vc4_read(rig->vc4, offset);
}

/* --- V3D_ERRSTAT, manual table 87 --- */

/* VPM setups of one horizontal word in row 5: bit 11 selects horizontal, bits 9:8 = 2 select 32
 * bits, and the stride is 1. */
enum { WRITE_ROW_5 = 0x1a05, READ_ROW_5 = 0x101a05 };

TEST(rows_that_are_not_reserved)
{
    for (unsigned writes = 0; writes < 2; writes++) {
        struct rig *rig = rig_new();
        tess_vc4_write(rig->vc4, V3D_VPMBASE, 2); /* reserves rows 0 to 7 */
        if (writes)
            RUN(rig, ldi(IN_B, SETUP, WRITE_ROW_5), ldi(IN_A, VPM, 1), end, nop, nop);
        else
            RUN(rig, ldi(IN_A, SETUP, READ_ROW_5), nop, nop, nop, read_from(IN_A, VPM), end, nop,
                nop);
        assert_int_equal(reg(rig, V3D_ERRSTAT), 0x1000);
        tess_vc4_write(rig->vc4, V3D_VPMBASE, 1); /* reserves rows 0 to 3 */
        tess_vc4_write(rig->vc4, V3D_SRQPC, PROGRAM);
        tess_vc4_run(rig->vc4);
        assert_int_equal(reg(rig, V3D_ERRSTAT), writes ? 0x1080 : 0x1040); /* VPMEWNA and VPMERNA */
        assert_string_equal(rig->rules[0], "vpm-reservation");
        rig_free(rig);
    }
}

/* The DMA stores two rows of 16 words, from row 62 or 63 on. The setup has 2 units, depth 16,
 * horizontal. */
TEST(dma_stores_beyond_the_last_row)
{
    for (uint32_t row = 62; row < 64; row++) {
        struct rig *rig = rig_new();
        RUN(rig, ldi(IN_B, SETUP, UINT32_C(0x80000000) | 2 << 23 | 16 << 16 | 1 << 14 | row << 7),
            ldi(IN_B, ADDRESS, DATA), read_from(IN_B, ADDRESS), end, nop, nop);
        assert_int_equal(reg(rig, V3D_ERRSTAT), row == 62 ? 0x1000 : 0x1400); /* the bit VDWE */
        rig_free(rig);
    }
}

/* VCDI shows the current state of the DMA. The program starts a load and then waits for a
 * semaphore that is never released. */
TEST(vcd_is_idle_or_not)
{
    struct rig *rig = rig_new();
    RUN(rig, ldi(IN_A, SETUP, UINT32_C(0x80000000) | 1 << 20 | 1 << 16 | 1 << 12),
        ldi(IN_A, ADDRESS, DATA), acquire(1), end, nop, nop);
    assert_int_equal(reg(rig, V3D_SRQCS) >> 16, 0);
    assert_int_equal(reg(rig, V3D_ERRSTAT), 0);
    rig_free(rig);
}

TEST(vpm_base_while_busy)
{
    struct rig *rig = rig_new();
    RUN(rig, acquire(1), end, nop, nop);
    tess_vc4_write(rig->vc4, V3D_VPMBASE, 3);
    assert_int_equal(reg(rig, V3D_VPMBASE), 0);
    assert_int_equal(reg(rig, V3D_ERRSTAT), 0x1001); /* the bit VPAEABB */
    assert_string_equal(rig->rules[0], "v3d-register-access");
    tess_vc4_write(rig->vc4, V3D_SRQCS, 0x10181); /* does not affect the error bits of the VPM */
    assert_int_equal(reg(rig, V3D_ERRSTAT), 0x1001);
    rig_free(rig);
}

/* Manual table 70: V3D_VPACNTL limits the VPM to (limit + 1) * 6 * 256 bytes. A row of the VPM
 * has 64 bytes. */
TEST(limits_of_the_allocator)
{
    struct v3d v3d = {.vpm_allocator = 2 << 3 | 7};
    assert_int_equal(v3d_vpm_limit(&v3d, 0), 0);
    v3d.vpm_allocator |= 1 << 12;
    assert_int_equal(v3d_vpm_limit(&v3d, 0), 3 * 6 * 256 / 64);
    assert_int_equal(v3d_vpm_limit(&v3d, 1), 8 * 6 * 256 / 64);
}

/* --- V3D_PCS, manual table 55 --- */

enum { BMACTIVE = 1, BMBUSY = 2, RMACTIVE = 4, RMBUSY = 8, BMOOM = 256 };

static uint32_t prepare_frame(struct rig *rig, uint32_t lists_size)
{
    rig_flat_shader(rig, RIG_WHITE);
    rig_shader_record(rig, 1, 12, 0);
    rig->at = RIG_VERTICES;
    rig_vertex(rig, 0, 0);
    rig_vertex(rig, 100, 0);
    rig_vertex(rig, 0, 100);
    rig_begin_bin(rig, lists_size, 4);
    rig_array(rig, 4, 3, 0);
    rig_u8(rig, 4);
    return rig->at;
}

TEST(the_pipelines_are_busy_or_active)
{
    struct rig *rig = rig_new();
    uint32_t bin_end = prepare_frame(rig, 4 * 32), render_end = rig_render_list(rig, 32);
    assert_int_equal(reg(rig, V3D_PCS), 0);
    rig_start(rig, 1, RIG_RENDER, render_end);
    assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_STUCK);
    assert_int_equal(reg(rig, V3D_PCS), 0); /* the renderer waits for the binner, so it has no
                                               data */
    rig_start(rig, 0, RIG_BIN, bin_end);
    assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_STUCK);
    assert_int_equal(reg(rig, V3D_PCS), BMOOM | BMACTIVE);
    tess_vc4_write(rig->vc4, V3D_BPOA, RIG_OVERSPILL);
    tess_vc4_write(rig->vc4, V3D_BPOS, 0x10000);
    assert_int_equal(reg(rig, V3D_PCS), BMBUSY | BMACTIVE);
    assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_IDLE);
    assert_int_equal(reg(rig, V3D_PCS), 0);
    rig_free(rig);
}

/* A fragment shader waits forever for a semaphore. The registers show that rendering is active
 * but stalled. */
TEST(a_hung_shader_stalls_rendering)
{
    struct rig *rig = rig_new();
    uint32_t bin_end = prepare_frame(rig, RIG_LISTS_SIZE);
    store_le64(rig->memory + RIG_SHADER, acquire(1));
    assert_int_equal(reg(rig, 0xf08), 0); /* the register V3D_FDBGB */
    assert_int_equal(rig_frame(rig, bin_end, 32), TESS_VC4_STUCK);
    assert_int_equal(reg(rig, V3D_PCS), RMACTIVE);
    assert_int_equal(reg(rig, 0xf08), 1 << 26); /* the bit RAST_BUSY */
    tess_vc4_write(rig->vc4, V3D_CT1CS, 1 << 15);
    assert_int_equal(reg(rig, V3D_PCS), 0);
    assert_int_equal(reg(rig, 0xf08), 0);
    rig_free(rig);
}

/* --- interrupts, manual tables 75 to 77 --- */

/* The host supplies overspill memory before the binner needs it. The binner uses the memory and
 * continues. */
TEST(overspill_in_advance)
{
    struct rig *rig = rig_new();
    uint32_t bin_end = prepare_frame(rig, 4 * 32);
    tess_vc4_write(rig->vc4, V3D_BPOA, RIG_OVERSPILL);
    tess_vc4_write(rig->vc4, V3D_BPOS, 0x10000);
    assert_int_equal(rig_frame(rig, bin_end, 32), TESS_VC4_IDLE);
    assert_int_equal(reg(rig, V3D_INTCTL), V3D_INT_SPILLUSE | V3D_INT_FLDONE | V3D_INT_FRDONE);
    assert_int_equal(reg(rig, V3D_BPOS), 0);
    assert_in_range(reg(rig, V3D_BPCA), RIG_OVERSPILL, RIG_OVERSPILL + 0x10000);
    tess_vc4_write(rig->vc4, V3D_INTCTL, V3D_INT_FLDONE);
    assert_int_equal(reg(rig, V3D_INTCTL), V3D_INT_SPILLUSE | V3D_INT_FRDONE);
    rig_free(rig);
}

/* The interrupt line is active if an interrupt is both latched and enabled, in either order of
 * the two events. */
TEST(the_line_follows_enables)
{
    struct rig *rig = rig_new();
    uint32_t bin_end = prepare_frame(rig, RIG_LISTS_SIZE);
    tess_vc4_write(rig->vc4, V3D_INTENA, V3D_INT_OUTOMEM | V3D_INT_SPILLUSE);
    assert_int_equal(rig_frame(rig, bin_end, 32), TESS_VC4_IDLE);
    assert_false(tess_vc4_interrupt_level(rig->vc4));
    assert_int_equal(rig->interrupts, 0);
    tess_vc4_write(rig->vc4, V3D_INTENA, V3D_INT_FRDONE);
    assert_true(tess_vc4_interrupt_level(rig->vc4));
    assert_int_equal(rig->interrupts, 1);
    tess_vc4_write(rig->vc4, V3D_INTDIS, V3D_INT_FRDONE);
    assert_false(tess_vc4_interrupt_level(rig->vc4));
    tess_vc4_write(rig->vc4, V3D_INTENA, V3D_INT_FRDONE | V3D_INT_FLDONE);
    tess_vc4_write(rig->vc4, V3D_INTCTL, V3D_INT_FRDONE);
    assert_true(tess_vc4_interrupt_level(rig->vc4));
    tess_vc4_write(rig->vc4, V3D_INTCTL, V3D_INT_FLDONE);
    assert_false(tess_vc4_interrupt_level(rig->vc4));
    assert_int_equal(rig->errors, 0);
    rig_free(rig);
}

/* After the host supplies memory, INT_OUTOMEM is still latched, and can now be cleared. */
TEST(out_of_memory_is_latched)
{
    struct rig *rig = rig_new();
    uint32_t bin_end = prepare_frame(rig, 4 * 32);
    rig_start(rig, 0, RIG_BIN, bin_end);
    assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_STUCK);
    tess_vc4_write(rig->vc4, V3D_INTENA, V3D_INT_OUTOMEM);
    tess_vc4_write(rig->vc4, V3D_INTCTL, V3D_INT_OUTOMEM);
    assert_true(tess_vc4_interrupt_level(rig->vc4));
    tess_vc4_write(rig->vc4, V3D_BPOA, RIG_OVERSPILL);
    tess_vc4_write(rig->vc4, V3D_BPOS, 0x10000);
    assert_int_equal(reg(rig, V3D_PCS) & BMOOM, 0);
    tess_vc4_write(rig->vc4, V3D_INTCTL, V3D_INT_OUTOMEM);
    assert_int_equal(reg(rig, V3D_INTCTL), 0);
    assert_false(tess_vc4_interrupt_level(rig->vc4));
    assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_IDLE);
    assert_int_equal(reg(rig, V3D_INTCTL), V3D_INT_SPILLUSE | V3D_INT_FLDONE);
    rig_free(rig);
}

/* Frame and flush counters have 8 bits. Writing bit 0 clears a counter, and other bits have no
 * effect (tables 56 and 57). */
TEST(frames_are_counted_modulo_256)
{
    struct rig *rig = rig_new();
    uint32_t bin_end = prepare_frame(rig, RIG_LISTS_SIZE);
    for (unsigned i = 0; i < 258; i++)
        assert_int_equal(rig_frame(rig, bin_end, 32), TESS_VC4_IDLE);
    assert_int_equal(reg(rig, V3D_BFC), 2);
    assert_int_equal(reg(rig, V3D_RFC), 2);
    tess_vc4_write(rig->vc4, V3D_BFC, 0xfe);
    assert_int_equal(reg(rig, V3D_BFC), 2);
    tess_vc4_write(rig->vc4, V3D_BFC, 1);
    assert_int_equal(reg(rig, V3D_BFC), 0);
    assert_int_equal(reg(rig, V3D_RFC), 2);
    rig_free(rig);
}

/* --- the user program queue, manual tables 65 and 68 --- */

/* After an overflow, requests are counted and ignored until the error is cleared, even if the queue
 * has room. */
TEST(a_full_queue_stays_in_error)
{
    struct rig *rig = rig_new();
    store_le64(rig->memory + PROGRAM, end);
    store_le64(rig->memory + PROGRAM + 8, nop);
    store_le64(rig->memory + PROGRAM + 16, nop);
    for (unsigned i = 0; i < 17; i++)
        tess_vc4_write(rig->vc4, V3D_SRQPC, PROGRAM);
    tess_vc4_run(rig->vc4);
    tess_vc4_write(rig->vc4, V3D_SRQPC, PROGRAM);
    assert_int_equal(reg(rig, V3D_SRQCS), 16 << 16 | 18 << 8 | 1 << 7);
    tess_vc4_write(rig->vc4, V3D_SRQCS, 1 << 7);
    tess_vc4_write(rig->vc4, V3D_SRQPC, PROGRAM);
    assert_int_equal(reg(rig, V3D_SRQCS), 16 << 16 | 19 << 8 | 1);
    tess_vc4_write(rig->vc4, V3D_SRQCS, 1 << 8);
    assert_int_equal(reg(rig, V3D_SRQCS), 16 << 16 | 1);
    tess_vc4_write(rig->vc4, V3D_SRQCS, 1);
    assert_int_equal(reg(rig, V3D_SRQCS), 16 << 16);
    rig_free(rig);
}

/* --- V3D_CTnCS while the pipelines wait, manual table 49 --- */

TEST(threads_that_wait)
{
    struct rig *rig = rig_new();
    uint32_t render_end = rig_render_list(rig, 32);
    rig_start(rig, 1, RIG_RENDER, render_end);
    assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_STUCK);
    assert_int_equal(reg(rig, V3D_CT1CS), 0x30); /* the thread is running, but stalled */
    tess_vc4_write(rig->vc4, V3D_CT1CS, 0x20);
    assert_int_equal(reg(rig, V3D_CT1CS), 0x10); /* the thread is stopped at a user halt */
    tess_vc4_write(rig->vc4, V3D_CT1EA, render_end - 1);
    assert_int_equal(reg(rig, V3D_CT1CS), 0x10); /* writing an end address does not restart the
                                                    thread */
    tess_vc4_write(rig->vc4, V3D_CT1CA, RIG_RENDER);
    assert_int_equal(reg(rig, V3D_CT1CS), 0); /* writing a new address does */
    rig_free(rig);
}
