/* SPDX-License-Identifier: MIT */
/* shared.c - see shared.h.
 *
 * In:  requests of the drivers; changes of mappings.
 * Out: VideoCore memory, and references to it.
 *
 * Source: raspberrypi/linux, drivers/char/broadcom/vc_sm/vmcs_sm.c and
 *         drivers/staging/vc04_services/vc-sm-cma/vc_sm.c.
 * Choices: the shim does not notice when the last descriptor of a file is closed. So before each
 *          allocation it searches for references that the program can no longer reach by a
 *          descriptor or a mapping, and drops them. New memory is zero, as from the kernel's
 *          dma_alloc_coherent(). */
#include "shared.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "devices.h"
#include "files.h"
#include "kept_files.h"
#include "shim/common/device_lock.h"
#include "shim/common/entries.h"
#include "shim/common/next.h"
#include "shim/common/private_fds.h"
#include "shim/vcio/vcio_machine.h"

#define PHYSICAL UINT32_C(0x3fffffff) /* bits of a bus address that are the physical address */

struct mapping {
    struct mapping *next;
    struct shared *way; /* reference that is mapped, or NULL after the reference has been dropped */
    uintptr_t start;
    size_t size;
};

static struct shared *ways;
static struct mapping *mappings; /* all mappings, latest first */
static atomic_uint buffers;      /* number of references that are dma-bufs */
static atomic_uint mapped;       /* number of mappings */
static uint32_t latest_key;      /* latest key that was assigned, in pages */

static size_t page_size(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

/* --- Blocks --- */

static uint32_t whole_pages(uint64_t size)
{
    uint64_t page = page_size(), whole = (size + page - 1) / page * page;
    return whole < size || whole > UINT32_MAX ? 0 : (uint32_t)whole;
}

static struct shared_block *block_new(uint64_t size, uint32_t flags)
{
    enum { ZERO = 1 << 4 };
    struct shared_block *block = calloc(1, sizeof *block);
    if (!block)
        return NULL;
    block->size = whole_pages(size);
    block->handle = tess_pi_allocate(machine_pi(), block->size, (uint32_t)page_size(),
                                     flags | ZERO);
    block->address = tess_pi_lock(machine_pi(), block->handle);
    if (block->handle)
        return block;
    free(block);
    return NULL;
}

static void block_drop(struct shared_block *block)
{
    if (--block->ways > 0)
        return;
    tess_pi_unlock(machine_pi(), block->handle);
    tess_pi_release(machine_pi(), block->handle);
    free(block);
}

/* --- References --- */

static struct shared *path_new(struct shared_block *block)
{
    struct shared *way = calloc(1, sizeof *way);
    if (!way)
        return NULL;
    block->ways++;
    way->block = block;
    way->next = ways;
    ways = way;
    return way;
}

static void release_unreachable(void);

struct shared *shared_new(uint64_t size, uint32_t flags)
{
    release_unreachable();
    struct shared_block *block = block_new(size, flags);
    if (!block)
        return NULL;
    struct shared *way = path_new(block);
    if (!way) {
        block->ways = 1;
        block_drop(block);
    }
    return way;
}

struct shared *shared_again(const struct shared *other)
{
    return path_new(other->block);
}

bool shared_resize(struct shared *way, uint32_t size, uint32_t flags)
{
    struct shared_block *old = way->block, *new = block_new(size, flags);
    if (!new)
        return false;
    uint32_t kept = old->size < new->size ? old->size : new->size;
    memcpy(machine_memory(new->address &PHYSICAL, kept),
           machine_memory(old->address & PHYSICAL, kept), kept);
    new->ways = 1;
    way->block = new;
    block_drop(old);
    return true;
}

void shared_drop(struct shared *way)
{
    struct shared **link = &ways;
    while (*link != way)
        link = &(*link)->next;
    *link = way->next;
    for (struct mapping *mapping = mappings; mapping; mapping = mapping->next)
        if (mapping->way == way)
            mapping->way = NULL;
    if (way->inode)
        buffers--;
    block_drop(way->block);
    free(way);
}

void shared_give_key(struct shared *way)
{
    way->key = ++latest_key * (uint32_t)page_size();
}

struct shared *shared_by_key(uint32_t key)
{
    struct shared *way = ways;
    while (way && (way->key != key || !key))
        way = way->next;
    return way;
}

static struct shared *by_file(const struct stat64 *status)
{
    struct shared *way = ways;
    while (way && (way->inode != status->st_ino || way->device != status->st_dev))
        way = way->next;
    return way;
}

void shared_give_file(struct shared *way, int fd)
{
    struct stat64 status;
    if (real_fstat(fd, &status) != 0)
        return;
    way->device = status.st_dev;
    way->inode = status.st_ino;
    buffers++;
}

struct shared *shared_by_fd(int fd)
{
    struct stat64 status;
    struct shared *way = NULL;
    int reason = errno;
    if (buffers && fd >= 0 && real_fstat(fd, &status) == 0) {
        device_lock();
        way = by_file(&status);
        device_unlock();
    }
    errno = reason;
    return way;
}

/* --- Unreachable references --- */

static bool is_vcsm(int fd)
{
    const struct file *file = file_behind(fd);
    return file && file->kind == FILE_VCSM;
}

static void reach_driver(void)
{
    for (struct shared *way = ways; way; way = way->next)
        way->reached |= way->key != 0;
}

/* If a descriptor of the program is a dma-buf, marks its reference as reached. */
static void reach_by_fd(int fd)
{
    struct stat64 status;
    if (private_fds_has(fd) || real_fstat(fd, &status) != 0)
        return;
    struct shared *way = by_file(&status);
    if (way)
        way->reached = true;
    else if (is_vcsm(fd))
        reach_driver();
}

static bool reach_all(void)
{
    struct entries entries;
    const int folder = real_open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
    if (folder < 0)
        return false;
    entries_begin(&entries, folder);
    for (const char *name; (name = entries_next(&entries));)
        reach_by_fd(atoi(name));
    real_close(folder);
    for (const struct mapping *mapping = mappings; mapping; mapping = mapping->next)
        if (mapping->way)
            mapping->way->reached = true;
    return true;
}

static void release_unreachable(void)
{
    for (struct shared *way = ways; way; way = way->next)
        way->reached = false;
    if (!ways || !reach_all())
        return;
    for (struct shared *way = ways, *next; way; way = next) {
        next = way->next;
        if (!way->reached)
            shared_drop(way);
    }
}

/* --- Mappings --- */

static bool note_mapping(struct shared *way, void *start, size_t size)
{
    struct mapping *mapping = malloc(sizeof *mapping);
    if (!mapping)
        return false;
    *mapping = (struct mapping){
        .next = mappings, .way = way, .start = (uintptr_t)start, .size = size};
    mappings = mapping;
    mapped++;
    return true;
}

void *shared_map(struct shared *way, void *start, size_t size, int prot, int flags, uint64_t offset)
{
    const struct shared_block *block = way->block;
    size_t whole = (size + page_size() - 1) & ~(page_size() - 1);
    if (offset > block->size || whole > block->size - offset || size == 0) {
        errno = EINVAL;
        return MAP_FAILED;
    }
    void *at = mappings_map(start, size, prot, flags, kept_files_fd(machine_file()),
                            (block->address & PHYSICAL) + offset);
    if (at == MAP_FAILED)
        return at;
    shared_forget(at, whole);
    if (note_mapping(way, at, whole))
        return at;
    munmap(at, whole);
    errno = ENOMEM;
    return MAP_FAILED;
}

uintptr_t shared_address(const struct shared *way)
{
    for (const struct mapping *mapping = mappings; mapping; mapping = mapping->next)
        if (mapping->way == way)
            return mapping->start;
    return 0;
}

struct shared *shared_by_address(uintptr_t address)
{
    for (const struct mapping *mapping = mappings; mapping; mapping = mapping->next)
        if (address - mapping->start < mapping->size && mapping->way)
            return mapping->way;
    return NULL;
}

/* Removes the addresses from `from` to `end` - 1 from a mapping. Shortens the mapping at one side,
 * or deletes the mapping. If addresses in the middle are removed, also removes all addresses after
 * them. */
static void cut(struct mapping **link, uintptr_t from, uintptr_t end)
{
    struct mapping *mapping = *link;
    uintptr_t mapping_end = mapping->start + mapping->size;
    if (end <= mapping->start || from >= mapping_end)
        return;
    if (from > mapping->start) {
        mapping->size = from - mapping->start;
    } else if (end < mapping_end) {
        mapping->start = end;
        mapping->size = mapping_end - end;
    } else {
        *link = mapping->next;
        free(mapping);
        mapped--;
    }
}

void shared_forget(const void *start, size_t size)
{
    if (!mapped)
        return;
    uintptr_t from = (uintptr_t)start;
    device_lock();
    for (struct mapping **link = &mappings; *link;) {
        struct mapping *mapping = *link;
        cut(link, from, from + size);
        if (*link == mapping)
            link = &mapping->next;
    }
    device_unlock();
}

/* Runs in a child that creates its own devices. Drops all references and mappings. */
static void forget_all(void)
{
    ways = NULL;
    mappings = NULL;
    buffers = mapped = 0;
}

__attribute__((constructor)) static void register_hook(void)
{
    machine_at_renew(forget_all);
}

void shared_move(const void *old, size_t old_size, const void *new, size_t new_size)
{
    if (!mapped)
        return;
    device_lock();
    struct shared *way = shared_by_address((uintptr_t)old);
    shared_forget(old, old_size);
    shared_forget(new, new_size);
    if (way)
        note_mapping(way, (void *)(uintptr_t) new, new_size);
    device_unlock();
}
