/* SPDX-License-Identifier: MIT */
/* reservations.c - see reservations.h.
 *
 * In:  allocations and releases.
 * Out: the reservations of related processes.
 *
 * Choices: the list is in memory that the first process allocates and all its children share. If a
 *          process is killed while it holds the list's lock, the list stays valid. An entry becomes
 *          valid when its size is written, and the size is written last. */
#include "reservations.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

#include "shim/common/next.h"

enum { MOST_CLAIMS = 8192 };

struct claim {
    uint32_t address, size; /* size is 0 if the entry is free */
    pid_t owner;
    bool inherited; /* true if the owner's children may use the memory, too */
};

static struct {
    pthread_mutex_t mutex;
    struct claim list[MOST_CLAIMS];
} * claims;

static pid_t self;

bool reservations_make(void)
{
    pthread_mutexattr_t attributes;
    void *shared = real_mmap(NULL, sizeof *claims, PROT_READ | PROT_WRITE,
                             MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return false;
    claims = shared;
    self = getpid();
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&claims->mutex, &attributes);
    pthread_mutexattr_destroy(&attributes);
    return true;
}

static void lock(void)
{
    if (pthread_mutex_lock(&claims->mutex) == EOWNERDEAD)
        pthread_mutex_consistent(&claims->mutex);
}

static void unlock(void)
{
    pthread_mutex_unlock(&claims->mutex);
}

void reservations_inherit(void)
{
    pid_t parent = self;
    self = getpid();
    lock();
    for (int i = 0; i < MOST_CLAIMS; i++)
        claims->list[i].inherited |= claims->list[i].owner == parent;
    unlock();
}

static bool is_gone(const struct claim *claim)
{
    return !claim->inherited && kill(claim->owner, 0) != 0 && errno == ESRCH;
}

/* Returns a reservation that overlaps a range, or NULL if none exists. */
static const struct claim *obstacle(uint32_t address, uint32_t size)
{
    for (int i = 0; i < MOST_CLAIMS; i++) {
        struct claim *claim = &claims->list[i];
        if (!claim->size || address >= claim->address + claim->size ||
            claim->address >= address + size)
            continue;
        if (!is_gone(claim))
            return claim;
        claim->size = 0;
    }
    return NULL;
}

static bool note(uint32_t address, uint32_t size)
{
    for (int i = 0; i < MOST_CLAIMS; i++) {
        struct claim *claim = &claims->list[i];
        if (claim->size)
            continue;
        claim->address = address;
        claim->owner = self;
        claim->inherited = false;
        claim->size = size;
        return true;
    }
    return false;
}

uint32_t reservations_take(void *user, uint32_t address, uint32_t size)
{
    (void)user;
    lock();
    const struct claim *other = obstacle(address, size);
    uint32_t next = other ? other->address + other->size : 0;
    if (!other && !note(address, size))
        next = address + size; /* the list is full, so the range counts as reserved */
    unlock();
    return next;
}

void reservations_give_back(void *user, uint32_t address)
{
    (void)user;
    lock();
    for (int i = 0; i < MOST_CLAIMS; i++)
        if (claims->list[i].address == address && claims->list[i].owner == self)
            claims->list[i].size = 0;
    unlock();
}
