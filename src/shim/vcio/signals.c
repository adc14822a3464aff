/* SPDX-License-Identifier: MIT */
/* signals.c - see signals.h.
 *
 * In:  the program's calls of sigaction(), signal(), sigprocmask() and the like, which are
 *      interposed here.
 * Out: the shim's handler stays installed, and SIGSEGV stays unblocked in all threads. The program
 *      sees its own handler and its own mask.
 *
 * Before signals_take(), these functions only keep SIGSEGV unblocked. Otherwise, if a thread
 * blocked all signals, its first access to a register later would kill the process.
 *
 * Left out: programs that use system calls directly; the masks of ppoll(), pselect() and
 *           sigsuspend(), which have an effect only on handlers that run during the call. */
#include "signals.h"

#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "shim/common/exit_hooks.h"
#include "shim/common/lock.h"
#include "shim/common/next.h"

typedef void (*signal_handler)(int);

static struct lock table_lock;
static bool taken;
/* the program's action for SIGSEGV; used after the shim has installed its handler */
static struct sigaction of_program;

/* True if the program has blocked SIGSEGV in this thread. */
static __thread bool blocked __attribute__((tls_model("initial-exec")));

/* True if signals_keep() keeps signals pending. A signal handler may read it at any time. */
static __thread volatile bool defers __attribute__((tls_model("initial-exec")));

int signals_mask(int how, const sigset_t *set, sigset_t *old)
{
    return NEXT(pthread_sigmask)(how, set, old);
}

/* Takes the lock of `of_program`. Blocks all signals while the lock is held, because a signal
 * handler in this thread could need the lock, too. */
static void lock(sigset_t *before)
{
    sigset_t all;

    sigfillset(&all);
    signals_mask(SIG_SETMASK, &all, before);
    lock_take_blocked(&table_lock);
}

static void unlock(const sigset_t *before)
{
    lock_give_blocked(&table_lock);
    signals_mask(SIG_SETMASK, before, NULL);
}

bool signals_take(void (*handler)(int, siginfo_t *, void *))
{
    struct sigaction action = {.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
    sigset_t before;

    action.sa_sigaction = handler;
    sigfillset(&action.sa_mask);
    lock(&before);
    if (!taken)
        taken = !NEXT(sigaction)(SIGSEGV, &action, &of_program);
    unlock(&before);
    return taken;
}

/* Returns the program's action for SIGSEGV. If the action has SA_RESETHAND, resets it to the
 * default. */
static struct sigaction deliver(void)
{
    struct sigaction action;
    sigset_t before;

    lock(&before);
    action = of_program;
    if (action.sa_flags & (int)SA_RESETHAND)
        of_program.sa_handler = SIG_DFL;
    unlock(&before);
    return action;
}

/* Sends the signal to this thread again. */
static void send_again(int number, siginfo_t *info)
{
    syscall(SYS_rt_tgsigqueueinfo, getpid(), syscall(SYS_gettid), number, info);
}

bool signals_defer(bool deferred)
{
    const bool before = defers;
    defers = deferred;
    return before;
}

bool signals_keep(int number, siginfo_t *info, void *context)
{
    if (!defers)
        return false;
    sigaddset(&((ucontext_t *)context)->uc_sigmask, SIGSEGV);
    send_again(number, info);
    return true;
}

/* Restores the default action. A fault recurs when the handler returns. A signal that was sent is
 * sent again. */
static void die(int number, siginfo_t *info)
{
    struct sigaction action = {.sa_handler = SIG_DFL};

    exit_hooks_fatal();
    sigemptyset(&action.sa_mask);
    NEXT(sigaction)(number, &action, NULL);
    if (info->si_code <= 0)
        send_again(number, info);
}

/* Calls the program's handler with the signal mask that the system would set. That handler may
 * never return (longjmp). If it returns, the system restores the mask from *context. */
static void call(const struct sigaction *action, int number, siginfo_t *info, ucontext_t *context)
{
    sigset_t mask = action->sa_mask;

    sigorset(&mask, &mask, &context->uc_sigmask);
    sigdelset(&mask, SIGSEGV);
    signals_mask(SIG_SETMASK, &mask, NULL);
    if (action->sa_flags & SA_SIGINFO)
        action->sa_sigaction(number, info, context);
    else
        action->sa_handler(number);
    sigdelset(&context->uc_sigmask, SIGSEGV);
}

void signals_pass(int number, siginfo_t *info, void *context)
{
    struct sigaction action = deliver();
    bool fault = info->si_code > 0;

    if (action.sa_handler == SIG_IGN && !fault)
        return;
    /* If the program ignores or blocks SIGSEGV, a fault still ends the process, as on the
     * system. */
    if (action.sa_handler == SIG_IGN || action.sa_handler == SIG_DFL || (fault && blocked))
        die(number, info);
    else
        call(&action, number, info, context);
}

/* Carries out the program's sigaction() for SIGSEGV. Changes and returns the program's action, not
 * the shim's. */
static int share(const struct sigaction *action, struct sigaction *old)
{
    struct sigaction told;
    sigset_t before;

    lock(&before);
    told = of_program;
    if (action)
        of_program = *action;
    unlock(&before);
    if (old)
        *old = told;
    return 0;
}

/* show() converts the system's signal mask to the mask that the program expects. hide() converts in
 * the other direction. While the shim's handler runs, the system's mask contains SIGSEGV. */
static void show(sigset_t *set)
{
    if (blocked)
        sigaddset(set, SIGSEGV);
    else
        sigdelset(set, SIGSEGV);
}

static const sigset_t *hide(const sigset_t *set, sigset_t *copy)
{
    if (!set)
        return NULL;
    *copy = *set;
    sigdelset(copy, SIGSEGV);
    return copy;
}

SHOWN int sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
    struct sigaction copy;

    if (number == SIGSEGV && taken)
        return share(action, old);
    if (!action)
        return NEXT(sigaction)(number, NULL, old);
    copy = *action;
    sigdelset(&copy.sa_mask, SIGSEGV);
    return NEXT(sigaction)(number, &copy, old);
}

/* Carries out signal() and related functions for SIGSEGV. */
static signal_handler set_handler(signal_handler wanted, int flags)
{
    struct sigaction action = {.sa_handler = wanted, .sa_flags = flags}, old;

    sigemptyset(&action.sa_mask);
    share(&action, &old);
    return old.sa_handler;
}

SHOWN signal_handler signal(int number, signal_handler wanted)
{
    return number == SIGSEGV && taken ? set_handler(wanted, SA_RESTART)
                                      : NEXT(signal)(number, wanted);
}

/* Functions of older versions of POSIX. No header declares them any more. */
signal_handler bsd_signal(int number, signal_handler wanted);
signal_handler __sysv_signal(int number, signal_handler wanted);

SHOWN signal_handler bsd_signal(int number, signal_handler wanted)
{
    return signal(number, wanted);
}

SHOWN signal_handler sysv_signal(int number, signal_handler wanted)
{
    return number == SIGSEGV && taken ? set_handler(wanted, (int)(SA_RESETHAND | SA_NODEFER))
                                      : NEXT(sysv_signal)(number, wanted);
}

SHOWN signal_handler __sysv_signal(int number, signal_handler wanted)
{
    return sysv_signal(number, wanted);
}

SHOWN int pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
    sigset_t copy;
    int error = signals_mask(how, hide(set, &copy), old);

    if (error)
        return error;
    if (old)
        show(old);
    if (set && how == SIG_SETMASK)
        blocked = sigismember(set, SIGSEGV) == 1;
    else if (set && sigismember(set, SIGSEGV) == 1)
        blocked = how == SIG_BLOCK;
    return 0;
}

SHOWN int sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
    int error = pthread_sigmask(how, set, old);

    if (!error)
        return 0;
    errno = error;
    return -1;
}
