/* SPDX-License-Identifier: MIT */
/* fork_hooks.h - hooks for forks.
 *
 * In:  fork().
 * Out: children with consistent data. */
#ifndef SHIM_COMMON_FORK_HOOKS_H
#define SHIM_COMMON_FORK_HOOKS_H

#include <stdbool.h>

/* Registers functions for fork(). `before` runs with the device's lock in the forking thread, and
 * may be NULL. `in_child` runs in the child; `whole` is false if another thread used the device
 * when the process forked, so that the device's data may be half changed. Called once, before
 * main(). */
void fork_hooks_install(void (*before)(void), void (*in_child)(bool whole));

#endif
