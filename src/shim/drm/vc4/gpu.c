/* SPDX-License-Identifier: MIT */
/* gpu.c - see gpu.h.
 *
 * In:  options.
 * Out: the device; reports through shim/common/report.h.
 *
 * Choices: a run depends only on the jobs before it. */
#include "shim/drm/vc4/gpu.h"

#include <signal.h>
#include <stdio.h>

#include "base/diag.h"
#include "shim/common/device_lock.h"
#include "shim/common/report.h"
#include "shim/common/signal_mask.h"
#include "shim/drm/gem/bo.h"
#include "shim/drm/options.h"

static struct {
    struct tess_vc4 *vc4;
    struct tess_vc4_options options;
    bool begun;  /* true if `options` has been filled in */
    bool failed; /* true if creating the device has failed */
} gpu;

/* --- the device --- */

static void begin(void)
{
    const struct settings *settings = &options_get()->common;
    gpu.options.draw_notes = settings->sanitize ? TESS_VC4_NOTE_EMPTY_FRAMES
                                                : TESS_VC4_NOTE_NO_DRAWS;
    report_begin(&(struct report_options){.settings = settings,
                                          .quiet = !settings->sanitize,
                                          .place = bo_name_place},
                 &gpu.options);
    gpu.begun = true;
}

static bool make(void)
{
    if (!gpu.begun)
        begin();
    if (tess_vc4_create(&gpu.vc4, &gpu.options) != TESS_OK)
        return false;
    report_watch(gpu.vc4, NULL);
    return true;
}

struct tess_vc4 *gpu_get(void)
{
    if (gpu.failed)
        return NULL;
    if (gpu.vc4)
        return gpu.vc4;
    gpu.failed = !make();
    if (gpu.failed)
        fputs("tessera: error: not enough memory for the modelled GPU\n", stderr);
    return gpu.vc4;
}

struct tess_vc4 *gpu_there(void)
{
    return gpu.vc4;
}

void gpu_report(const struct tess_finding *finding)
{
    struct tess_finding shown = *finding;
    if (!gpu_get())
        return;
    shown.level = diag_level(shown.level, options_get()->common.strict);
    gpu.options.machine.sink.report(gpu.options.machine.sink.user, &shown);
}

/* --- running --- */

enum tess_vc4_stop gpu_run(void)
{
    sigset_t before;
    device_let_signals(0, &before);
    enum tess_vc4_stop stop = tess_vc4_run(gpu.vc4);
    change_signal_mask(SIG_SETMASK, &before, NULL);
    return stop;
}

/* --- end of the process --- */

void gpu_end(void)
{
    if (gpu.vc4)
        report_end();
}

/* --- fork() --- */

void gpu_in_child(bool whole)
{
    if (!whole)
        /* The device was in the middle of a run, so the child creates a new one. */
        gpu.vc4 = NULL;
    if (gpu.vc4)
        report_child();
}
