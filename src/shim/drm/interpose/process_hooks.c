/* SPDX-License-Identifier: MIT */
/* process_hooks.c - hooks for the end of the process and for forks.
 *
 * In:  the end of the process, and forks.
 * Out: calls of the modules that have state to write or to reset. */
#include <signal.h>
#include <unistd.h>

#include "shim/common/exit_hooks.h"
#include "shim/drm/device/device.h"
#include "shim/drm/interpose/nodes.h"
#include "shim/drm/interpose/tree.h"

static void end(void)
{
    device_end();
    tree_remove(getpid());
}

/* Runs in the copy of a process that a signal kills. The copy is a child of that process. */
static void end_copy(void)
{
    device_end();
    tree_remove(getppid());
}

static void install(void)
{
    exit_hooks_install(end, end_copy);
    exit_hooks_watch(SIGSEGV);
}

static void in_child(bool whole)
{
    nodes_in_child();
    device_in_child(whole);
}

__attribute__((constructor)) static void register_hooks(void)
{
    device_at_begin(install);
    exit_hooks_watch_forks(NULL, in_child);
}
