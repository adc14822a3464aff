/* SPDX-License-Identifier: MIT */
/* lock.c - see lock.h.
 *
 * Out: futex() calls, which wait.
 *
 * Choices: the lock is a word and a futex. A lock of the C library is not usable: a thread would
 *          have to wait for it with signals blocked, because otherwise a handler might run between
 *          taking the lock and blocking signals. A process that was copied from another has a new
 *          generation. A word with an old generation counts as free.
 * Source: the manual page futex(2); U. Drepper, "Futexes are tricky" (2011), mutex 2. */
#include "lock.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "signal_mask.h"

/* Values of the lower bits of a word. The upper bits are the generation, a multiple of
 * GENERATION. */
enum { FREE, TAKEN, AWAITED, GENERATION = 4 };

/* States of the gate. While the gate is CLOSING or CLOSED, a thread that holds no lock has to wait
 * before it takes its first one. The shim's own threads wait only while the gate is CLOSED. If the
 * gate stays CLOSED for PATIENCE, waiting threads may pass one at a time. */
enum { OPEN, CLOSING, CLOSED };

/* Times in milliseconds. A thread that has passed the closed gate may take locks again during STAY.
 * The fork may be waiting for that thread, and a signal handler that runs often in the thread must
 * not wait each time. */
enum {
    PATIENCE = 300, /* time until the first thread may pass the closed gate */
    PAUSE = 100,    /* time between two threads that pass */
    STAY = 10,      /* time during which a thread that has passed may take locks again */
    LOOK = 20,      /* time between two checks by a waiting thread */
};

/* number of locks that this thread holds */
static __thread unsigned held __attribute__((tls_model("initial-exec")));

/* own: true in a thread of the shim. forks: true while this thread is forking. let_in: true if this
 * thread has passed the closed gate. let_in_until: time at which let_in expires, in
 * milliseconds. */
static __thread bool own __attribute__((tls_model("initial-exec")));
static __thread bool forks __attribute__((tls_model("initial-exec")));
static __thread bool let_in __attribute__((tls_model("initial-exec")));
static __thread unsigned let_in_until __attribute__((tls_model("initial-exec")));

static atomic_uint generation;

static struct {
    atomic_uint state;
    atomic_uint next;   /* time in milliseconds at which the next thread may pass */
    atomic_uint inside; /* number of threads that hold locks */
    atomic_uint forker; /* TAKEN while a thread is forking, otherwise FREE */
    /* 1 if the forking thread holds a lock because it forks in a signal handler, otherwise 0 */
    unsigned itself;
    struct lock_before before;
} gate;

/* --- stacks of the shim's threads --- */

/* lowest address of each registered stack, 0 after the last one */
static _Atomic uintptr_t known[LOCK_STACKS];
static _Atomic size_t known_size; /* size of each stack in bytes */

void lock_know_stack(const void *low, size_t size)
{
    atomic_store(&known_size, size);
    for (size_t i = 0; i < LOCK_STACKS; i++) {
        uintptr_t none = 0;
        if (atomic_compare_exchange_strong(&known[i], &none, (uintptr_t)low))
            return;
    }
}

static bool is_on_known_stack(void)
{
    const uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    for (size_t i = 0; i < LOCK_STACKS; i++) {
        const uintptr_t low = atomic_load_explicit(&known[i], memory_order_acquire);
        if (low == 0)
            return false;
        if (here >= low && here - low < atomic_load(&known_size))
            return true;
    }
    return false;
}

bool lock_is_inside(void)
{
    return held > 0 || own || is_on_known_stack();
}

bool lock_is_own_thread(void)
{
    return own;
}

void lock_mark_thread(void)
{
    own = true;
}

/* --- words --- */

static void wait_while(atomic_uint *word, unsigned value)
{
    static const struct timespec span = {.tv_nsec = LOOK * 1000000};
    const int error = errno;
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, &span, NULL, 0);
    errno = error;
}

static void wake(atomic_uint *word, int threads)
{
    const int error = errno;
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, threads, NULL, NULL, 0);
    errno = error;
}

static bool change(atomic_uint *word, unsigned from, unsigned to)
{
    return atomic_compare_exchange_strong(word, &from, to);
}

static unsigned milliseconds(void)
{
    struct timespec now;
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
    return (unsigned)now.tv_sec * 1000 + (unsigned)(now.tv_nsec / 1000000);
}

/* --- the lock's word --- */

static bool is_free(unsigned state)
{
    return state % GENERATION == FREE || state / GENERATION != generation / GENERATION;
}

static bool take_free(struct lock *lock)
{
    unsigned state = atomic_load_explicit(&lock->state, memory_order_relaxed);
    return is_free(state) && change(&lock->state, state, generation + TAKEN);
}

/* Takes the lock, or marks it as awaited. Returns true if the lock was free. */
static bool take_or_await(struct lock *lock)
{
    return is_free(atomic_exchange(&lock->state, generation + AWAITED));
}

static void give(struct lock *lock)
{
    if (atomic_exchange(&lock->state, generation + FREE) == generation + AWAITED)
        wake(&lock->state, 1);
}

/* --- the thread --- */

static void block(struct lock_before *before)
{
    const sigset_t blocked = blocked_signals();
    change_signal_mask(SIG_BLOCK, &blocked, &before->signals);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before->cancel);
}

static void restore(const struct lock_before *before)
{
    pthread_setcancelstate(before->cancel, NULL);
    /* A handler of faults needs exactly its mask again. */
    change_signal_mask(SIG_SETMASK, &before->signals, NULL);
}

/* Waits while *word is `value`. If `before` is not NULL, the thread waits with the program's signal
 * mask. A signal handler may then run, and may leave with longjmp(). */
static void wait_as_before(const struct lock_before *before, atomic_uint *word, unsigned value)
{
    struct lock_before same;
    if (before)
        restore(before);
    wait_while(word, value);
    if (before)
        block(&same);
}

static void await(struct lock *lock, const struct lock_before *before)
{
    if (!take_free(lock))
        while (!take_or_await(lock))
            wait_as_before(before, &lock->state, generation + AWAITED);
}

/* --- the gate --- */

static void leave(void)
{
    atomic_fetch_sub(&gate.inside, 1);
    if (gate.state == CLOSING)
        wake(&gate.inside, 1);
}

static bool is_past(unsigned time)
{
    return (int)(milliseconds() - time) >= 0;
}

static bool may_stay(void)
{
    let_in = let_in && gate.state == CLOSED && !is_past(let_in_until);
    return let_in;
}

/* Threads of the shim work for a thread that holds the device's lock. The forking thread waits for
 * that lock while the gate is CLOSING, so the shim's threads may pass. */
static bool may_pass(void)
{
    const unsigned state = gate.state;
    return state == OPEN || (own && state == CLOSING) || may_stay();
}

/* Counts the thread as inside, or returns false if the thread has to wait at the gate. The thread
 * raises the count before it reads the gate's state. So either the forking thread sees the new
 * count, or this thread sees that the gate is not open. The caller holds the lock that it is
 * taking. */
static bool enter(void)
{
    if (forks)
        return true;
    atomic_fetch_add(&gate.inside, 1);
    if (may_pass())
        return true;
    leave();
    return false;
}

/* Lets this thread pass if the time for the next thread has come and no other thread is faster. */
static void let_next(void)
{
    const unsigned next = gate.next;
    let_in = gate.state == CLOSED && !own && is_past(next) &&
             change(&gate.next, next, milliseconds() + PAUSE);
    let_in_until = milliseconds() + STAY;
}

static void wait_at_gate(const struct lock_before *before)
{
    for (unsigned state; (state = gate.state) != OPEN && !let_in;) {
        wait_as_before(before, &gate.state, state);
        let_next();
    }
}

/* Takes the thread's first lock. The thread does not hold the lock while it waits at the gate. */
static void take_first(struct lock *lock, const struct lock_before *before)
{
    await(lock, before);
    while (!enter()) {
        give(lock);
        wait_at_gate(before);
        await(lock, before);
    }
}

static void take(struct lock *lock, const struct lock_before *before)
{
    if (held > 0)
        await(lock, NULL);
    else
        take_first(lock, before);
    held++;
}

void lock_take(struct lock *lock, struct lock_before *before)
{
    before->kept = held > 0;
    if (!before->kept)
        block(before);
    take(lock, before);
}

void lock_give(struct lock *lock, const struct lock_before *before)
{
    lock_give_blocked(lock);
    if (!before->kept)
        restore(before);
}

void lock_take_blocked(struct lock *lock)
{
    take(lock, NULL);
}

void lock_give_blocked(struct lock *lock)
{
    held--;
    give(lock);
    if (held == 0 && !forks)
        leave();
}

/* --- forks --- */

void lock_begin_fork(void)
{
    struct lock_before before;
    block(&before);
    while (!change(&gate.forker, FREE, TAKEN))
        wait_while(&gate.forker, TAKEN);
    gate.before = before;
    gate.itself = held > 0;
    forks = true;
    /* If the gate stayed open, other threads could keep taking the device's lock ahead of this
     * thread. */
    gate.state = CLOSING;
}

/* A thread of the shim may enter between the last look at the count and the closing of the gate, so
 * the count is read again. */
void lock_close_gate(void)
{
    do {
        gate.state = CLOSING;
        for (unsigned inside; (inside = gate.inside) > gate.itself;)
            wait_while(&gate.inside, inside);
        gate.next = milliseconds() + PATIENCE;
        gate.state = CLOSED;
    } while (gate.inside > gate.itself);
}

void lock_end_fork(void)
{
    const struct lock_before before = gate.before;
    gate.state = OPEN;
    wake(&gate.state, INT32_MAX);
    forks = false;
    gate.forker = FREE;
    wake(&gate.forker, 1);
    restore(&before);
}

bool lock_renew(void)
{
    const bool whole = gate.inside <= gate.itself;
    generation += GENERATION;
    gate.state = OPEN;
    gate.inside = held > 0;
    let_in = false;
    return whole;
}
