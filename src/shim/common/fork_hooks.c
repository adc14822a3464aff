/* SPDX-License-Identifier: MIT */
/* fork_hooks.c - see fork_hooks.h. */
#include "fork_hooks.h"

#include <pthread.h>

#include "device_lock.h"
#include "heap.h"
#include "lock.h"
#include "user.h"

static struct {
    void (*before)(void);
    void (*in_child)(bool whole);
} hooks;

/* The forking thread waits for the device, so that the child has a copy of an idle device. */
static void before_fork(void)
{
    lock_begin_fork();
    device_lock();
    if (hooks.before)
        hooks.before();
    lock_close_gate();
    device_unlock();
}

static void in_child(void)
{
    const bool whole = lock_renew();
    if (!whole)
        heap_renew();
    device_set_process();
    user_in_child();
    hooks.in_child(whole);
    lock_end_fork();
}

void fork_hooks_install(void (*before)(void), void (*in_child_hook)(bool whole))
{
    hooks.before = before;
    hooks.in_child = in_child_hook;
    device_set_process();
    pthread_atfork(before_fork, lock_end_fork, in_child);
}
