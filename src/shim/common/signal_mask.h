/* SPDX-License-Identifier: MIT */
/* signal_mask.h - changes the calling thread's signal mask by the system call.
 *
 * Source: the manual page sigprocmask(2). */
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

#endif
