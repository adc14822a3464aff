/* SPDX-License-Identifier: MIT */
/* gpu.c - see gpu.h.
 *
 * In:  options.
 * Out: the device; reports through shim/common/report.h.
 *
 * Choices: one lock protects the whole device. The kernel also runs one job at a time. A run
 *          depends only on the jobs before it. */
#include "shim/drm/vc4/gpu.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <time.h>

#include "shim/common/lock.h"
#include "shim/common/report.h"
#include "shim/drm/display/display.h"
#include "shim/drm/gem/bo_name.h"
#include "shim/drm/jobs/capture.h"
#include "shim/drm/options.h"

static struct {
    struct tess_vc4 *vc4;
    struct tess_vc4_options options;
    bool begun;  /* true if `options` has been filled in */
    bool failed; /* true if creating the device has failed */
} gpu;

/* --- the lock --- */

static struct lock lock;

/* Number of nested gpu_lock() calls of this thread. */
static __thread unsigned held __attribute__((tls_model("initial-exec")));
static __thread struct lock_before before_lock __attribute__((tls_model("initial-exec")));

void gpu_lock(void)
{
    struct lock_before before;
    /* `held` stays 0 while this thread waits. So a signal handler that runs meanwhile takes the
     * lock itself. */
    if (held == 0) {
        lock_take(&lock, &before);
        before_lock = before;
    }
    held++;
}

void gpu_unlock(void)
{
    if (--held == 0)
        lock_give(&lock, &before_lock);
}

void gpu_give_way(uint32_t nanoseconds)
{
    const struct timespec span = {.tv_nsec = (long)nanoseconds};
    int cancel;
    gpu_unlock();
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    nanosleep(&span, NULL);
    pthread_setcancelstate(cancel, NULL);
    gpu_lock();
}

/* --- the device --- */

static void begin(void)
{
    const struct options *options = options_get();
    gpu.options = (struct tess_vc4_options){
        .strict = options->strict,
        .sanitize = options->sanitize,
        .threads = options->threads,
        .draw_notes = options->sanitize ? TESS_VC4_NOTE_EMPTY_FRAMES : TESS_VC4_NOTE_NO_DRAWS,
    };
    report_begin(&(struct report_options){.json = options->json,
                                          .quiet = !options->sanitize,
                                          .stats = options->stats,
                                          .verdict = options->verdict,
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

void gpu_report(const struct tess_diag *diag)
{
    struct tess_diag told = *diag;
    if (!gpu_get())
        return;
    if (options_get()->strict && told.severity == TESS_WARNING)
        told.severity = TESS_ERROR;
    gpu.options.sink.report(gpu.options.sink.user, &told);
}

/* --- running --- */

/* Unblocks the signals that usually end a program, because a run may take long. A signal that the
 * program has blocked stays blocked. */
static void let_signals(sigset_t *before)
{
    static const int ending[] = {SIGINT, SIGTERM, SIGQUIT, SIGHUP, SIGALRM, SIGVTALRM, SIGPROF};
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
        if (sigismember(&before_lock.signals, ending[i]) == 0)
            sigaddset(&set, ending[i]);
    pthread_sigmask(SIG_UNBLOCK, &set, before);
}

enum tess_vc4_stop gpu_run(void)
{
    sigset_t before;
    let_signals(&before);
    enum tess_vc4_stop stop = tess_vc4_run(gpu.vc4);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return stop;
}

/* --- end of the process --- */

void gpu_end(void)
{
    gpu_lock();
    display_end();
    capture_finish();
    if (gpu.vc4)
        report_end();
    gpu_unlock();
}

void gpu_end_copy(void)
{
    held = 0;
    display_end();
    capture_finish();
    if (gpu.vc4)
        report_end();
}

/* --- fork() --- */

/* The caller forks with an idle device. The child has a copy of the device and the same buffer
 * objects. */
void gpu_before_fork(void)
{
    lock_begin_fork();
    gpu_lock();
    lock_close_gate();
    gpu_unlock();
}

void gpu_in_child(bool whole)
{
    if (!whole)
        /* The device was in the middle of a run, so the child creates a new one. */
        gpu.vc4 = NULL;
    if (gpu.vc4)
        report_child();
}
