/* SPDX-License-Identifier: MIT */
/* gpu.c - see gpu.h.
 *
 * In:  options.
 * Out: the device; reports through shim/common/report.h.
 *
 * Chosen: one lock for all, because the kernel, too, runs one job at a time, and a run depends on nothing but the
 *         jobs before. */
#include "gpu.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <time.h>

#include "bo_name.h"
#include "capture.h"
#include "display.h"
#include "options.h"
#include "shim/common/blocked.h"
#include "shim/common/report.h"

static struct {
    struct tess_vc4 *vc4;
    struct tess_sink sink;
    bool failed;         /* there can be no device */
    atomic_bool running; /* the model */
} gpu;

/* --- the lock --- */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sigset_t signals_before;
static int cancel_before; /* no request is a place where threads can be cancelled */

/* How often this thread has it. */
static __thread unsigned held __attribute__((tls_model("initial-exec")));

/* A signal's handler of the same thread may come before it has the lock, or when it has: never in between. */
void gpu_lock(void)
{
    int cancel;
    sigset_t before, blocked = blocked_signals();
    if (held > 0) {
        held++;
        return;
    }
    pthread_sigmask(SIG_BLOCK, &blocked, &before);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    pthread_mutex_lock(&mutex);
    signals_before = before;
    cancel_before = cancel;
    held = 1;
}

void gpu_unlock(void)
{
    const int cancel = cancel_before;
    sigset_t before = signals_before;
    if (--held > 0)
        return;
    pthread_mutex_unlock(&mutex);
    pthread_setcancelstate(cancel, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
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

static void renew_lock(void)
{
    mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    held = 0;
}

/* --- the device --- */

static bool make(void)
{
    const struct options *options = options_get();
    struct tess_vc4_options device = {
        .strict = options->strict,
        .sanitize = options->sanitize,
        .threads = options->threads,
    };
    report_begin(&(struct report_options){.json = options->json,
                                          .quiet = !options->sanitize,
                                          .stats = options->stats,
                                          .verdict = options->verdict,
                                          .place = bo_name_place},
                 &device);
    gpu.sink = device.sink;
    if (tess_vc4_create(&gpu.vc4, &device) != TESS_OK)
        return false;
    report_watch(gpu.vc4, NULL);
    return true;
}

struct tess_vc4 *gpu_get(void)
{
    if (gpu.vc4 || gpu.failed)
        return gpu.vc4;
    gpu.failed = !make();
    if (gpu.failed)
        fputs("tessera: error: there is no memory for the modelled GPU\n", stderr);
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
    gpu.sink.report(gpu.sink.user, &told);
}

/* --- running --- */

/* Runs may take long: what ends programs reaches them meanwhile, unless they have blocked it. */
static void let_signals(sigset_t *before)
{
    static const int ending[] = {SIGINT, SIGTERM, SIGQUIT, SIGHUP, SIGALRM, SIGVTALRM, SIGPROF};
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
        if (sigismember(&signals_before, ending[i]) == 0)
            sigaddset(&set, ending[i]);
    pthread_sigmask(SIG_UNBLOCK, &set, before);
}

enum tess_vc4_stop gpu_run(void)
{
    sigset_t before;
    atomic_store(&gpu.running, true);
    let_signals(&before);
    enum tess_vc4_stop stop = tess_vc4_run(gpu.vc4);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    atomic_store(&gpu.running, false);
    return stop;
}

bool gpu_is_running(void)
{
    return atomic_load(&gpu.running);
}

/* --- the end --- */

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
    renew_lock();
    display_end();
    capture_finish();
    if (gpu.vc4)
        report_end();
}

/* --- fork() --- */

/* The child gets a copy of the device as it is at rest, and the same buffer objects. */
void gpu_before_fork(void)
{
    gpu_lock();
    if (gpu.vc4 && !gpu_is_running())
        tess_vc4_rest(gpu.vc4);
}

void gpu_in_parent(void)
{
    gpu_unlock();
}

/* The lock belongs to a thread whose number is another one now; so the child makes a new one. */
void gpu_in_child(void)
{
    sigset_t before = signals_before;
    renew_lock();
    pthread_setcancelstate(cancel_before, NULL);
    if (gpu.vc4)
        report_child();
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}
