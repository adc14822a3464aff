/* SPDX-License-Identifier: MIT */
/* temporary.c - see temporary.h.
 *
 * Source: the manual pages open(2) (O_EXCL), getrandom(2), signal-safety(7).
 * Choices: a thread blocks all signals while it changes the list of files, so that a signal handler
 *          in this thread finds a consistent list. The library's own threads always block all
 *          signals. A forked child inherits the list but ignores it, since the files belong to the
 *          parent process. */
#define _GNU_SOURCE /* getrandom() */
#include "base/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

enum { RANDOM_BYTES = 16, FIRST_OWN = 3 /* first descriptor after standard error */ };

static const char prefix[] = ".tessera-";

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct temporary *all;
static pid_t owner;

/* --- the list --- */

static void begin_change(sigset_t *before)
{
    sigset_t signals;
    sigfillset(&signals);
    pthread_sigmask(SIG_BLOCK, &signals, before);
    pthread_mutex_lock(&lock);
}

static void end_change(const sigset_t *before)
{
    pthread_mutex_unlock(&lock);
    pthread_sigmask(SIG_SETMASK, before, NULL);
}

static void add(struct temporary *file)
{
    sigset_t before;
    begin_change(&before);
    if (owner != getpid())
        all = NULL;
    owner = getpid();
    file->next = all;
    file->previous = NULL;
    file->listed = true;
    if (all)
        all->previous = file;
    all = file;
    end_change(&before);
}

static void drop(struct temporary *file)
{
    sigset_t before;
    begin_change(&before);
    if (file->next)
        file->next->previous = file->previous;
    if (file->previous)
        file->previous->next = file->next;
    else if (all == file)
        all = file->next;
    file->listed = false;
    end_change(&before);
}

void temporary_remove_all(void)
{
    int error = errno;
    for (const struct temporary *file = owner == getpid() ? all : NULL; file; file = file->next)
        unlink(file->path);
    errno = error;
}

/* --- one file --- */

/* Returns a new path, which consists of the first `size` bytes of path, the prefix, and random
 * digits. Returns NULL with errno set on failure. The caller frees the path. */
static char *make_path(const char *path, size_t size)
{
    uint8_t random[RANDOM_BYTES];
    size_t room = size + sizeof prefix + 2 * RANDOM_BYTES;
    if (getrandom(random, sizeof random, 0) != sizeof random)
        return NULL;
    char *name = malloc(room);
    if (!name)
        return NULL;
    memcpy(name, path, size);
    memcpy(name + size, prefix, sizeof prefix - 1);
    for (size_t i = 0; i < RANDOM_BYTES; i++)
        snprintf(name + size + sizeof prefix - 1 + 2 * i, 3, "%02x", random[i]);
    return name;
}

/* Moves a descriptor to a number above 2, since the numbers 0 to 2 are for standard input, output
 * and error. A new descriptor receives one of these numbers if a standard stream is closed. */
static int above_standard(int descriptor)
{
    if (descriptor < 0 || descriptor >= FIRST_OWN)
        return descriptor;
    int higher = fcntl(descriptor, F_DUPFD_CLOEXEC, FIRST_OWN), error = errno;
    close(descriptor);
    errno = error;
    return higher;
}

bool temporary_create(struct temporary *file, const char *path, size_t size, unsigned mode)
{
    *file = (struct temporary){.descriptor = -1, .path = make_path(path, size)};
    if (!file->path)
        return false;
    add(file);
    file->descriptor = above_standard(
        open(file->path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, (mode_t)mode));
    if (file->descriptor >= 0)
        return true;
    int error = errno;
    temporary_remove(file);
    errno = error;
    return false;
}

/* Closes the file but keeps it in the list. Returns false with errno set on errors. */
static bool temporary_close(struct temporary *file)
{
    int descriptor = file->descriptor;
    file->descriptor = -1;
    return descriptor < 0 || close(descriptor) == 0 || errno == EINTR;
}

void temporary_remove(struct temporary *file)
{
    temporary_close(file);
    if (file->path)
        unlink(file->path);
    temporary_release(file);
}

void temporary_release(struct temporary *file)
{
    temporary_close(file);
    if (file->listed)
        drop(file);
    free(file->path);
    file->path = NULL;
}
