/* SPDX-License-Identifier: MIT */
/* threads.c - pthread_create() for the code of a shim alone: the model's threads and the shim's own
 * are none of the program's, so that what they call is the C library's (door.h). The name is
 * hidden: the program keeps its own.
 *
 * In:  calls of the shim's code.
 * Out: threads that are marked (lock.h).
 *
 * Chosen: the first function of that name that the program has, since sanitizers need to know of
 * all threads. */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "lock.h"

#define HIDDEN __attribute__((visibility("hidden")))

typedef int create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                   void *argument);

struct beginning {
    void *(*run)(void *argument);
    void *argument;
};

static void *begin(void *given)
{
    const struct beginning beginning = *(struct beginning *)given;
    lock_mark_thread();
    free(given);
    return beginning.run(beginning.argument);
}

HIDDEN int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attributes,
                          void *(*run)(void *), void *restrict argument)
{
    create *const real = (create *)dlsym(RTLD_DEFAULT, "pthread_create");
    struct beginning *beginning = real ? malloc(sizeof *beginning) : NULL;
    if (!beginning)
        return EAGAIN;
    *beginning = (struct beginning){run, argument};
    const int error = real(thread, attributes, begin, beginning);
    if (error)
        free(beginning);
    return error;
}
