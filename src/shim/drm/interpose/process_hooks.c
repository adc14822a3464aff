/* SPDX-License-Identifier: MIT */
/* process_hooks.c - see process_hooks.h.
 *
 * In:  the end of the process, and forks.
 * Out: calls of the modules that have state to write or to reset. */
#include "shim/drm/interpose/process_hooks.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "shim/common/device_lock.h"
#include "shim/common/exit_hooks.h"
#include "shim/drm/display/display.h"
#include "shim/drm/interpose/nodes.h"
#include "shim/drm/interpose/tree.h"
#include "shim/drm/jobs/capture.h"
#include "shim/drm/vc4/gpu.h"
#include "shim/drm/vc4/submit.h"

static void end(void)
{
    gpu_end();
    tree_remove(getpid());
}

/* Runs in the copy of a process that a signal kills. The copy is a child of that process. */
static void end_copy(void)
{
    gpu_end();
    tree_remove(getppid());
}

static void install(void)
{
    exit_hooks_install(end, end_copy);
    exit_hooks_watch(SIGSEGV);
}

void process_hooks_install(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install);
}

static void in_child(bool whole)
{
    nodes_in_child();
    submit_in_child();
    capture_in_child();
    display_in_child();
    gpu_in_child(whole);
}

__attribute__((constructor)) static void watch_forks(void)
{
    device_watch_forks(NULL, in_child);
}
