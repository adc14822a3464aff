/* SPDX-License-Identifier: MIT */
/* threads.c - pthread_create() and pthread_join() for the shim's code only. The threads of the
 * model and of the shim are marked as the shim's own, so that the C library carries out their calls
 * (interpose.h). The names are hidden: the program keeps its own functions.
 *
 * In:  calls from the shim's code.
 * Out: threads that are marked (lock.h), on registered stacks.
 *
 * Choices: a new thread cannot mark itself early enough. Before the thread's first function is
 *          called, a sanitizer's runtime and the C library already run in the thread and read the
 *          clock. So each thread has a registered stack: all code on a registered stack
 *          counts as the shim's code. The real function is the program's first definition of that
 *          name (RTLD_DEFAULT), because a sanitizer has to see all threads. */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "lock.h"
#include "next.h"

#define HIDDEN __attribute__((visibility("hidden")))

enum {
    /* number of stacks; when all are in use, a new thread is marked, but runs on a stack of the
     * C library */
    STACKS = LOCK_STACKS,
    STACK_BYTES = sizeof(void *) == 4 ? 1 << 20 : 8 << 20,
    GUARD_BYTES = 1 << 16,
};

/* Stacks of threads. A stack stays mapped, so that a later thread can use it. */
static struct stack {
    _Atomic uintptr_t low; /* lowest address above the guard, or 0 if not mapped */
    atomic_bool used;
    pthread_t thread; /* thread that uses the stack while `used` is true */
} stacks[STACKS];

typedef int create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                   void *argument);
typedef int join(pthread_t thread, void **result);

struct beginning {
    void *(*run)(void *argument);
    void *argument;
};

/* --- stacks --- */

static bool map(struct stack *stack)
{
    char *start = real_mmap(NULL, GUARD_BYTES + STACK_BYTES, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if ((void *)start == MAP_FAILED)
        return false;
    mprotect(start, GUARD_BYTES, PROT_NONE);
    atomic_store(&stack->low, (uintptr_t)start + GUARD_BYTES);
    lock_know_stack(start + GUARD_BYTES, STACK_BYTES);
    return true;
}

/* Returns a stack that no thread uses, or NULL if all are in use or there is no memory. */
static struct stack *take_stack(void)
{
    for (size_t i = 0; i < STACKS; i++) {
        bool used = false;
        if (!atomic_compare_exchange_strong(&stacks[i].used, &used, true))
            continue;
        if (atomic_load(&stacks[i].low) != 0 || map(&stacks[i]))
            return &stacks[i];
        atomic_store(&stacks[i].used, false);
        return NULL;
    }
    return NULL;
}

static void free_stack_of(pthread_t thread)
{
    for (size_t i = 0; i < STACKS; i++)
        if (atomic_load(&stacks[i].used) && pthread_equal(stacks[i].thread, thread)) {
            atomic_store(&stacks[i].used, false);
            return;
        }
}

/* Frees the stacks of the parent's threads, which do not exist in the child. The stack on which the
 * child runs stays in use. */
static void in_child(void)
{
    const uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    for (size_t i = 0; i < STACKS; i++) {
        const uintptr_t low = atomic_load(&stacks[i].low);
        if (low == 0 || here < low || here - low >= STACK_BYTES)
            atomic_store(&stacks[i].used, false);
    }
}

__attribute__((constructor)) static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, in_child);
}

/* --- threads --- */

static void *begin(void *given)
{
    const struct beginning beginning = *(struct beginning *)given;
    lock_mark_thread();
    free(given);
    return beginning.run(beginning.argument);
}

static int create_on(create *real, struct stack *stack, pthread_t *thread,
                     struct beginning *beginning)
{
    pthread_attr_t attributes;
    int error = pthread_attr_init(&attributes);
    if (error)
        return error;
    error = pthread_attr_setstack(&attributes, (void *)atomic_load(&stack->low), STACK_BYTES);
    if (!error)
        error = real(&stack->thread, &attributes, begin, beginning);
    pthread_attr_destroy(&attributes);
    if (error)
        atomic_store(&stack->used, false);
    else
        *thread = stack->thread;
    return error;
}

HIDDEN int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attributes,
                          void *(*run)(void *), void *restrict argument)
{
    create *const real = (create *)dlsym(RTLD_DEFAULT, "pthread_create");
    struct beginning *beginning = real ? malloc(sizeof *beginning) : NULL;
    if (!beginning)
        return EAGAIN;
    *beginning = (struct beginning){run, argument};
    struct stack *stack = attributes ? NULL : take_stack();
    const int error = stack ? create_on(real, stack, thread, beginning)
                            : real(thread, attributes, begin, beginning);
    if (error)
        free(beginning);
    return error;
}

HIDDEN int pthread_join(pthread_t thread, void **result)
{
    join *const real = (join *)dlsym(RTLD_DEFAULT, "pthread_join");
    const int error = real ? real(thread, result) : ENOSYS;
    if (!error)
        free_stack_of(thread);
    return error;
}
