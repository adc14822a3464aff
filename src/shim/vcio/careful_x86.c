/* SPDX-License-Identifier: MIT */
/* careful_x86.c - see careful_x86.h; also cpu_catch() of cpu.h.
 *
 * In:  addresses in the program.
 * Out: a word, or false.
 *
 * Choices: a bad address faults in plain_copy(), and cpu_catch() continues at the end of that
 *          function. A system call that checks addresses takes as long as a fault of the program.
 *          SIGSEGV is unblocked only during the copy. If the signal is sent then, cpu_catch() sends
 *          it again and blocks it, so that the program's handler runs after the shim's. */
#include "careful_x86.h"

#include <signal.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "context_x86.h"
#include "cpu.h"
#include "plain_x86.h"

enum { KERNEL_SET = 8 }; /* size of the kernel's signal set, in bytes */

/* True while a fault in plain_copy() is expected. */
static __thread volatile bool copying __attribute__((tls_model("initial-exec")));

/* Uses the system call, which takes less time than the C library's function. */
static void mask(int how)
{
    const uint64_t set = UINT64_C(1) << (SIGSEGV - 1);

    syscall(SYS_rt_sigprocmask, how, &set, NULL, (size_t)KERNEL_SET);
}

bool careful_copy(void *to, const void *from, size_t size)
{
    bool done;

    copying = true;
    mask(SIG_UNBLOCK);
    done = plain_copy(to, from, size, &copying);
    mask(SIG_BLOCK);
    copying = false;
    return done;
}

bool cpu_catch(int number, siginfo_t *info, ucontext_t *context)
{
    uintptr_t *ip = context_gpr(context, CONTEXT_IP);

    if (!copying)
        return false;
    copying = false;
    if (*ip >= (uintptr_t)plain_copy_start && *ip < (uintptr_t)plain_copy_end)
        *ip = (uintptr_t)plain_copy_failed;
    if (info->si_code <= 0) {
        sigaddset(&context->uc_sigmask, SIGSEGV);
        syscall(SYS_rt_tgsigqueueinfo, getpid(), syscall(SYS_gettid), number, info);
    }
    return true;
}
