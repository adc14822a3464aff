/* SPDX-License-Identifier: MIT */
/* signal_mask.h - changes the calling thread's signal mask by the system call, and the signals that
 * a shim blocks.
 *
 * Source: the manual pages sigprocmask(2), signal(7) and pthread_sigmask(3): the effect of blocking
 *         a signal that the thread's own instruction raises is undefined. */
#ifndef SHIM_COMMON_SIGNAL_MASK_H
#define SHIM_COMMON_SIGNAL_MASK_H

#include <signal.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Like pthread_sigmask(), which a shim interposes, and faster. */
static inline void change_signal_mask(int how, const sigset_t *set, sigset_t *old)
{
    enum { KERNEL_SET = 8 }; /* size of the kernel's signal set, in bytes */
    syscall(SYS_rt_sigprocmask, how, set, old, (size_t)KERNEL_SET);
}

/* Returns the signals that a shim blocks while it holds a lock, because their handlers might need
 * the lock: all except those that a thread's own instructions raise. */
static inline sigset_t blocked_signals(void)
{
    static const int own[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT};
    sigset_t set;
    sigfillset(&set);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        sigdelset(&set, own[i]);
    return set;
}

#endif
