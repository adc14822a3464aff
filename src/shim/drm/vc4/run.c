/* SPDX-License-Identifier: MIT */
/* run.c - see run.h.
 *
 * In:  a job.
 * Out: register writes.
 *
 * Source: Linux, drivers/gpu/drm/vc4/vc4_gem.c (vc4_flush_caches, vc4_submit_next_bin_job,
 *         vc4_reset), vc4_irq.c, vc4_v3d.c (vc4_v3d_get_bin_slot, bin_bo_alloc).
 * Choices: like the kernel, this code clears the caches before each list. The binner's memory has
 *          16 MiB. When the binner has no memory left, it receives one slot of 512 KiB, as in the
 *          kernel. When all slots are used, the binner hangs. A job starts with one slot, and all
 *          other slots are free, because the previous job is finished. The kernel checks every 100
 *          ms if V3D makes progress. Here the model reports that V3D cannot make progress. */
#include "shim/drm/vc4/run.h"

#include <inttypes.h>
#include <stdio.h>

#include "shim/drm/vc4/capture.h"
#include "shim/drm/vc4/gpu.h"
#include "shim/drm/vc4/hang.h"

enum {
    L2CACTL_CLEAR = 1 << 2,
    CTNCS_RESET = 1 << 15,
};

/* caches of all slices: the instruction cache, the uniforms cache and both TMUs' caches */
#define SLCACTL_ALL UINT32_C(0x0f0f0f0f)

static void flush_caches(struct tess_vc4 *vc4)
{
    tess_vc4_write(vc4, V3D_L2CACTL, L2CACTL_CLEAR);
    tess_vc4_write(vc4, V3D_SLCACTL, SLCACTL_ALL);
}

static uint32_t take_interrupts(struct tess_vc4 *vc4)
{
    const uint32_t status = tess_vc4_read(vc4, V3D_INTCTL);
    tess_vc4_write(vc4, V3D_INTCTL, status);
    return status;
}

/* Gives the binner a slot. Returns false if all slots are used. */
static bool give_slot(struct tess_vc4 *vc4, const struct job *job, uint32_t slot)
{
    if (slot >= RUN_SLOTS)
        return false;
    tess_vc4_write(vc4, V3D_BPOA,
                   job->memories[JOB_BINNER]->memory.address + slot * RUN_SLOT_BYTES);
    tess_vc4_write(vc4, V3D_BPOS, RUN_SLOT_BYTES);
    return true;
}

/* Result of running a control list. */
enum outcome {
    DONE,  /* the list has raised its interrupt at the end */
    ENDED, /* V3D is idle, but the list has not raised its interrupt */
    HUNG,  /* V3D waits for ever, or the run takes too long */
};

static enum outcome run_list(struct tess_vc4 *vc4, const struct job *job, uint32_t done)
{
    uint32_t slot = 1, interrupts = 0;
    for (;;) {
        const enum tess_vc4_stop stop = gpu_run();
        interrupts |= take_interrupts(vc4);
        if (stop == TESS_VC4_IDLE)
            return interrupts & done ? DONE : ENDED;
        if (stop != TESS_VC4_STUCK || !(interrupts & V3D_INT_OUTOMEM) ||
            !give_slot(vc4, job, slot++))
            return HUNG;
        interrupts &= ~(uint32_t)V3D_INT_OUTOMEM;
    }
}

static enum outcome bin(struct tess_vc4 *vc4, const struct job *job)
{
    flush_caches(vc4);
    tess_vc4_write(vc4, V3D_BPOA, 0);
    tess_vc4_write(vc4, V3D_BPOS, 0);
    tess_vc4_write(vc4, V3D_CT0CA, job->bin_start);
    tess_vc4_write(vc4, V3D_CT0EA, job->bin_end);
    return run_list(vc4, job, V3D_INT_FLDONE);
}

static enum outcome render(struct tess_vc4 *vc4, const struct job *job)
{
    flush_caches(vc4);
    tess_vc4_write(vc4, V3D_CT1CA, job->render_start);
    tess_vc4_write(vc4, V3D_CT1EA, job->render_end);
    return run_list(vc4, job, V3D_INT_FRDONE);
}

/* Removes all state that could affect later jobs, as a power cycle does. */
static void reset(struct tess_vc4 *vc4)
{
    tess_vc4_write(vc4, V3D_CT0CS, CTNCS_RESET);
    tess_vc4_write(vc4, V3D_CT1CS, CTNCS_RESET);
    tess_vc4_stop_programs(vc4);
    tess_vc4_write(vc4, V3D_BPOA, 0);
    tess_vc4_write(vc4, V3D_BPOS, 0);
    take_interrupts(vc4);
}

static void tell(const struct job *job, bool is_binned, enum outcome outcome)
{
    const char *what = is_binned ? "rendered" : "binned";
    char text[128];
    snprintf(text, sizeof text,
             "job %" PRIu64 " %s is %s; V3D is reset, and the job counts as done", job->number,
             outcome == HUNG ? "hangs while it" : "ends before its last tile", what);
    gpu_report(&(struct tess_finding){
        .level = TESS_ERROR,
        .id = "drm-hang",
        .text = text,
        .hint = outcome == HUNG ? "see the previous findings to learn what V3D waits for"
                                : "see the previous findings; if there are none, the job has no "
                                  "tiles, because 256 columns or rows of tiles count as 0"});
}

bool run_job(const struct job *job)
{
    struct tess_vc4 *vc4 = gpu_get();
    if (!vc4)
        return false;
    capture_begin(job);
    enum outcome outcome = job->bin_start == job->bin_end ? DONE : bin(vc4, job);
    const bool is_binned = outcome == DONE;
    if (is_binned)
        outcome = render(vc4, job);
    if (outcome != DONE) {
        tess_vc4_report_stuck(vc4);
        tell(job, is_binned, outcome);
        hang_keep(job, is_binned);
    }
    capture_end(job);
    if (outcome != DONE)
        reset(vc4);
    return outcome == DONE;
}
