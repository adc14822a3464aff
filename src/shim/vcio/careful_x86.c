/* SPDX-License-Identifier: MIT */
/* careful_x86.c - see careful_x86.h; also cpu_catch() of cpu.h.
 *
 * In:  addresses in the program.
 * Out: words, or false.
 *
 * Choices: a bad address faults in plain_copy(), and cpu_catch() continues at the end of that
 *          function. A system call that checks addresses takes as long as a fault of the program.
 *          SIGSEGV is unblocked from the first copy of a sequence to its end. If the signal is sent
 *          then, it is sent again and blocked, so that the program's handler runs after the
 *          shim's. */
#include "careful_x86.h"

#include <signal.h>
#include <stdint.h>

#include "context_x86.h"
#include "cpu.h"
#include "plain_x86.h"
#include "shim/common/signal_mask.h"
#include "signals.h"

/* True if plain_copy() may access memory, because SIGSEGV is unblocked. */
static __thread volatile bool permitted __attribute__((tls_model("initial-exec")));

static void mask(int how)
{
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGSEGV);
    change_signal_mask(how, &set, NULL);
}

static void begin(struct careful *careful)
{
    careful->open = true;
    careful->permitted_before = permitted;
    careful->deferred_before = signals_defer(true);
    permitted = true;
    mask(SIG_UNBLOCK);
}

bool careful_copy(struct careful *careful, void *to, const void *from, size_t size)
{
    if (!careful->open)
        begin(careful);
    return plain_copy(to, from, size, &permitted);
}

void careful_end(struct careful *careful)
{
    if (!careful->open)
        return;
    mask(SIG_BLOCK);
    signals_defer(careful->deferred_before);
    permitted = careful->permitted_before;
}

bool cpu_catch(int number, siginfo_t *info, ucontext_t *context)
{
    uintptr_t *ip = context_gpr(context, CONTEXT_IP);
    const bool in_copy = *ip >= (uintptr_t)plain_copy_start && *ip < (uintptr_t)plain_copy_end;

    /* A fault has a code above 0. */
    if (info->si_code > 0 ? !in_copy : !signals_keep(number, info, context))
        return false;
    if (info->si_code <= 0)
        permitted = false;
    if (in_copy)
        *ip = (uintptr_t)plain_copy_failed;
    return true;
}
