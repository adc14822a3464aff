/* SPDX-License-Identifier: MIT */
/* exit_hooks.c - see exit_hooks.h.
 *
 * In:  calls of _exit(), exec(), fork() and the like; signals that the program does not handle.
 * Out: calls of the shim's functions.
 *
 * Choices: a report at the end of the process needs memory and streams. A fatal signal may
 *          interrupt a thread that is using the same memory or streams. So a copy of the process
 *          writes the report, and the process kills the copy after PATIENCE. A signal handler may
 *          call _exit() while a thread uses the memory, too. _exit() then reports in the process
 *          itself, and a timer ends the process when it makes no progress for PATIENCE.
 * Left out: system calls that a program makes itself; SIGKILL; signals that the program resets to
 *           the default action later. */
#include "exit_hooks.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "device_lock.h"
#include "heap.h"
#include "lock.h"
#include "next.h"
#include "signal_mask.h"
#include "user.h"

enum {
    PATIENCE = 10, /* time limit of a report, in seconds */
    POLLS_A_SECOND = 100,
    STACK = 1 << 20,
};

static void (*at_end)(void), (*at_crash)(void);
/* Number of the process whose end is reported. A vfork() child does not change the number. 0 after
 * a fatal signal. */
static atomic_int owner;
static atomic_bool telling;

/* Runs the hook for the end of the process. If the calling thread is inside the shim, a copy of the
 * process runs the hook for crashes instead. */
static void end_process(void)
{
    const pid_t process = owner;
    if (!at_end || getpid() != process)
        return;
    if (lock_is_inside())
        exit_hooks_fatal();
    else
        at_end();
    owner = process;
}

__attribute__((destructor)) static void at_exit(void)
{
    end_process();
}

/* --- signals --- */

/* True if the process `copy` has ended. */
static bool has_ended(pid_t copy)
{
    int status;
    pid_t done = NEXT(waitpid)(copy, &status, WNOHANG);
    return done == copy || (done < 0 && errno != EINTR);
}

static void pause_shortly(void)
{
    const struct timespec pause = {.tv_nsec = 1000000000 / POLLS_A_SECOND};
    NEXT(nanosleep)(&pause, NULL);
}

static void wait_for(pid_t copy)
{
    for (int i = 0; i < PATIENCE * POLLS_A_SECOND; i++) {
        if (has_ended(copy))
            return;
        pause_shortly();
    }
    kill(copy, SIGKILL);
    NEXT(waitpid)(copy, NULL, 0);
}

/* Makes the copy end when the original process ends. Runs in the copy. */
static void stay_no_longer_than(pid_t process)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != process)
        NEXT(_exit)(1);
}

/* Writes the report. Runs in the copy, on a stack that the shim has mapped, because the program's
 * stack for signal handlers may be small. */
static void tell(void)
{
    device_in_copy();
    at_crash();
    NEXT(_exit)(0);
}

static void report_on_own_stack(void)
{
    ucontext_t context;
    void *stack = real_mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                            0);
    if (stack == MAP_FAILED || getcontext(&context) != 0)
        NEXT(_exit)(1);
    context.uc_stack = (stack_t){.ss_sp = stack, .ss_size = STACK};
    context.uc_link = NULL;
    makecontext(&context, tell, 0);
    setcontext(&context);
}

static void report_by_copy(pid_t process)
{
    pid_t copy = _Fork();
    if (copy == 0) {
        stay_no_longer_than(process);
        report_on_own_stack();
    }
    if (copy > 0)
        wait_for(copy);
}

/* If another thread calls this function while the copy writes the report, that thread waits for the
 * copy. */
void exit_hooks_fatal(void)
{
    const sigset_t blocked = blocked_signals();
    sigset_t before;
    const int error = errno;
    int process = getpid();
    pthread_sigmask(SIG_BLOCK, &blocked, &before);
    /* at_crash runs once for each process */
    if (at_crash && atomic_compare_exchange_strong(&owner, &process, 0)) {
        telling = true;
        report_by_copy(getpid());
        telling = false;
    }
    while (telling)
        pause_shortly();
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
}

/* Handler of a fatal signal. Restores the default action and raises the signal again, which kills
 * the process. A handler that the program installs later may call this function as the previous
 * handler. */
static void die(int number)
{
    struct sigaction action = {.sa_handler = SIG_DFL};
    exit_hooks_fatal();
    NEXT(sigaction)(number, &action, NULL);
    raise(number);
}

void exit_hooks_watch(int number)
{
    struct sigaction action = {.sa_handler = die}, now;
    sigfillset(&action.sa_mask);
    sigdelset(&action.sa_mask, SIGSEGV);
    if (NEXT(sigaction)(number, NULL, &now) == 0 && now.sa_handler == SIG_DFL)
        NEXT(sigaction)(number, &action, NULL);
}

/* Watches the fatal signals whose action is still the default. */
static void watch_signals(void)
{
    static const int fatal[] = {SIGABRT, SIGINT,  SIGTERM, SIGHUP,  SIGQUIT, SIGBUS, SIGFPE,
                                SIGILL,  SIGPIPE, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU};
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
        exit_hooks_watch(fatal[i]);
}

/* --- _exit() --- */

/* State of the timer that checks every second whether the process still makes progress. The timer
 * uses SIGTRAP, a signal that the device's lock does not block. */
static struct {
    int status;
    int idle;      /* number of seconds in a row without progress */
    uint64_t used; /* processor time of the process at the last check, in ns */
} watch;

static uint64_t processor_time(void)
{
    struct timespec time = {0};
    NEXT(clock_gettime)(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static void look(int number)
{
    enum { BUSY = 10000000 };
    (void)number;
    uint64_t now = processor_time();
    watch.idle = now - watch.used < BUSY ? watch.idle + 1 : 0;
    watch.used = now;
    if (watch.idle >= PATIENCE)
        NEXT(_exit)(watch.status);
}

static void stand_by(int status)
{
    struct sigaction action = {.sa_handler = look, .sa_flags = SA_RESTART};
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGTRAP};
    const struct itimerspec every = {{1, 0}, {1, 0}};
    timer_t timer;
    watch.status = status;
    if (NEXT(sigaction)(SIGTRAP, &action, NULL) == 0 &&
        timer_create(CLOCK_MONOTONIC, &event, &timer) == 0)
        timer_settime(timer, 0, &every, NULL);
}

SHOWN void _exit(int status)
{
    if (at_end && getpid() == owner) {
        stand_by(status);
        end_process();
    }
    NEXT(_exit)(status);
    __builtin_unreachable();
}

SHOWN void _Exit(int status)
{
    _exit(status);
}

/* --- forks --- */

static struct {
    void (*before)(void);
    void (*in_child)(bool whole);
} forks;

/* The forking thread waits for the device, so that the child has a copy of an idle device. */
static void before_fork(void)
{
    lock_begin_fork();
    device_lock();
    if (forks.before)
        forks.before();
    lock_close_gate();
    device_unlock();
}

static void in_child(void)
{
    const bool whole = lock_renew();
    if (!whole)
        heap_renew();
    if (owner)
        owner = getpid();
    telling = false;
    device_set_process();
    user_in_child();
    forks.in_child(whole);
    lock_end_fork();
}

void exit_hooks_watch_forks(void (*before)(void), void (*in_child_hook)(bool whole))
{
    forks.before = before;
    forks.in_child = in_child_hook;
    device_set_process();
    pthread_atfork(before_fork, lock_end_fork, in_child);
}

/* --- installation --- */

void exit_hooks_install(void (*end)(void), void (*crash)(void))
{
    at_end = end;
    at_crash = crash;
    owner = getpid();
    /* Look these functions up now, because a signal handler cannot look them up. */
    (void)NEXT(waitpid);
    (void)NEXT(nanosleep);
    (void)NEXT(_exit);
    (void)NEXT(sigaction);
    (void)processor_time();
    at_quick_exit(end_process);
    watch_signals();
}

/* --- exec() --- */

/* Defines a function that replaces the program of the process. */
#define EXEC(name, parameters, arguments) \
    SHOWN int name parameters             \
    {                                     \
        end_process();                    \
        return NEXT(name) arguments;      \
    }

EXEC(execve, (const char *path, char *const list[], char *const environment[]),
     (path, list, environment))
EXEC(execv, (const char *path, char *const list[]), (path, list))
EXEC(execvp, (const char *file, char *const list[]), (file, list))
EXEC(execvpe, (const char *file, char *const list[], char *const environment[]),
     (file, list, environment))
EXEC(fexecve, (int fd, char *const list[], char *const environment[]), (fd, list, environment))

/* Copies the arguments of execl(), execlp() or execle() into an array on the stack. A NULL argument
 * ends the list. The environment of execle() follows the NULL. */
#define COLLECT(first, arguments, list)                                         \
    size_t count = 1;                                                           \
    const char *volatile given = first; /* declared nonnull, but may be NULL */ \
    va_start(list, first);                                                      \
    while (given && va_arg(list, const char *))                                 \
        count++;                                                                \
    va_end(list);                                                               \
    char **arguments = __builtin_alloca((count + 1) * sizeof *arguments);       \
    va_start(list, first);                                                      \
    arguments[0] = (char *)(uintptr_t)first;                                    \
    for (size_t i = 1; i <= count; i++)                                         \
    arguments[i] = va_arg(list, char *)

SHOWN int execl(const char *path, const char *first, ...)
{
    va_list list;
    COLLECT(first, arguments, list);
    va_end(list);
    return execv(path, arguments);
}

SHOWN int execlp(const char *file, const char *first, ...)
{
    va_list list;
    COLLECT(first, arguments, list);
    va_end(list);
    return execvp(file, arguments);
}

SHOWN int execle(const char *path, const char *first, ...)
{
    va_list list;
    COLLECT(first, arguments, list);
    char *const *environment = va_arg(list, char *const *);
    va_end(list);
    return execve(path, arguments, environment);
}
