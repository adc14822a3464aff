/* SPDX-License-Identifier: MIT */
/* vcsm.c - see devices.h.
 *
 * In:  requests with a structure of 32-bit words, and mmap().
 * Out: memory, handles, addresses.
 *
 * Source: raspberrypi/linux (rpi-5.8.y), drivers/char/broadcom/vc_sm/vmcs_sm.c for the effects and
 *         errors of the commands, vcsm_kernel.h; librpimemmgr, rpimemmgr.c for the cache alias of
 *         each caching mode. Like the driver, this code ignores the size in a request's number.
 * Modelled: the commands that clean or invalidate caches only check their arguments, because the
 * ARM's caches are not modelled.
 * Choices: addresses in these structures have 32 bits. So mappings.c maps below 4 GiB if
 *          possible. */
#include "devices.h"

#include <errno.h>
#include <stdbool.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "shared.h"
#include "shim/common/device_lock.h"
#include "shim/common/user.h"
#include "shim/vcio/vcio_machine.h"
#include "vcsm_kernel.h"

enum { CACHE_NONE, CACHE_HOST, CACHE_VC, CACHE_BOTH, CACHE_PINNED = 0x80 };
enum { MOST_WORDS = 32 };
enum { CLEAN_ENTRIES = 8, CLEAN_OPERATIONS = 4 };

static bool host_cached(const struct shared *way)
{
    return way->cached == CACHE_HOST || way->cached == CACHE_BOTH;
}

/* Returns flags for shared_new(). Memory that VideoCore caches has cache alias 0. Other memory has
 * cache alias 0xc. */
static uint32_t flags_of(uint32_t cached)
{
    return cached == CACHE_VC || cached == CACHE_BOTH ? 0 : SHARED_DIRECT;
}

/* --- Commands: each function receives the request's words, and returns 0 or an errno --- */

/* Allocates memory. Words in: size of a unit, number of units, caching mode, name. Word out:
 * handle. */
static int allocate(uint32_t *w)
{
    enum { SIZE, NUMBER, CACHED, HANDLE = CACHED + 1 + VCSM_NAME_WORDS };
    uint32_t cached = w[CACHED] & ~(uint32_t)CACHE_PINNED;
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), unit = (w[SIZE] + page - 1) / page * page;
    if (w[NUMBER] && unit > UINT32_MAX / w[NUMBER])
        return ENOMEM;
    struct shared *way = shared_new(unit * w[NUMBER], flags_of(cached));
    if (!way)
        return ENOMEM;
    way->cached = cached;
    shared_give_key(way);
    w[HANDLE] = way->key;
    return 0;
}

static int share_with(struct shared *way, uint32_t cached, uint32_t *handle)
{
    struct shared *again = way ? shared_again(way) : NULL;
    if (!again)
        return ENOMEM;
    again->cached = cached;
    shared_give_key(again);
    *handle = again->key;
    return 0;
}

/* Creates another handle for the same memory. Word in: handle. Words out: the new handle (in the
 * same word), size. */
static int share(uint32_t *w)
{
    struct shared *way = shared_by_key(w[0]);
    if (way)
        w[1] = way->block->size;
    return share_with(way, way ? way->cached : 0, &w[0]);
}

/* Imports a dma-buf. Words in: descriptor, caching mode, name. Word out: handle. */
static int import(uint32_t *w)
{
    enum { FD, CACHED, HANDLE = CACHED + 1 + VCSM_NAME_WORDS };
    struct shared *way = shared_by_fd((int)w[FD]);
    return way ? share_with(way, w[CACHED], &w[HANDLE]) : EINVAL;
}

static int release(uint32_t *w)
{
    struct shared *way = shared_by_key(w[0]);
    if (!way)
        return EINVAL;
    shared_drop(way);
    return 0;
}

/* Locks memory. Word in: handle. Word out: address of the memory's mapping, or 0. */
static int lock(uint32_t *w)
{
    struct shared *way = shared_by_key(w[0]);
    if (!way)
        return EINVAL;
    way->locks++;
    w[1] = (uint32_t)shared_address(way);
    return 0;
}

/* Locks memory and sets its caching mode. Words in: handle, caching mode. */
static int lock_cache(uint32_t *w)
{
    struct shared *way = shared_by_key(w[0]);
    if (!way)
        return EINVAL;
    way->locks++;
    way->cached = w[1];
    return 0;
}

static int unlock(uint32_t *w)
{
    struct shared *way = shared_by_key(w[0]);
    if (!way)
        return EINVAL;
    if (way->locks)
        way->locks--;
    return 0;
}

/* Resizes memory that is neither locked nor mapped. Words in: handle, new size. Word out: old
 * size. */
static int resize(uint32_t *w)
{
    struct shared *way = shared_by_key(w[0]);
    if (!way || way->locks || shared_address(way))
        return EFAULT;
    uint32_t before = way->block->size;
    if (!shared_resize(way, w[1], flags_of(way->cached)))
        return EPERM;
    w[2] = before;
    return 0;
}

/* Returns the size of memory. Word in: handle. Word out: size, or 0 for an unknown handle. */
static int size_of_handle(uint32_t *w)
{
    const struct shared *way = shared_by_key(w[0]);
    w[1] = way ? way->block->size : 0;
    return 0;
}

/* Returns the mapping and the caching mode of memory. Word in: handle. Words out: address and size
 * if the ARM caches the memory, otherwise zeros; caching mode. */
static int check_handle(uint32_t *w)
{
    const struct shared *way = shared_by_key(w[0]);
    if (!way)
        return EINVAL;
    w[1] = host_cached(way) ? (uint32_t)shared_address(way) : 0;
    w[2] = host_cached(way) ? way->block->size : 0;
    w[3] = way->cached;
    return 0;
}

/* The next five commands have these words: process, handle, address, size. */
enum { MAP_PID, MAP_HANDLE, MAP_ADDRESS, MAP_SIZE, MAP_WORDS };

static const struct shared *mapped_at(const uint32_t *w)
{
    const struct shared *way = shared_by_address(w[MAP_ADDRESS]);
    return w[MAP_PID] == (uint32_t)getpid() ? way : NULL;
}

static int handle_from_address(uint32_t *w)
{
    const struct shared *way = mapped_at(w);
    w[MAP_HANDLE] = way ? way->key : 0;
    w[MAP_SIZE] = way && host_cached(way) ? way->block->size : 0;
    return 0;
}

static int address_from_handle(uint32_t *w)
{
    const struct shared *way = shared_by_key(w[MAP_HANDLE]);
    bool own = w[MAP_PID] == (uint32_t)getpid();
    w[MAP_ADDRESS] = way && own ? (uint32_t)shared_address(way) : 0;
    return 0;
}

static int vc_handle_from_address(uint32_t *w)
{
    const struct shared *way = mapped_at(w);
    w[MAP_HANDLE] = way ? way->block->handle : 0;
    return 0;
}

static int vc_handle_from_handle(uint32_t *w)
{
    const struct shared *way = shared_by_key(w[MAP_HANDLE]);
    w[MAP_HANDLE] = way ? way->block->handle : 0;
    return 0;
}

static int vc_address_from_handle(uint32_t *w)
{
    const struct shared *way = shared_by_key(w[MAP_HANDLE]);
    w[MAP_ADDRESS] = way ? way->block->address : 0;
    return 0;
}

/* Does nothing. The driver would write to the kernel's log. */
static int walk(uint32_t *w)
{
    (void)w;
    return 0;
}

/* Checks that a range of addresses is inside the mapping. If the ARM does not cache the memory,
 * accepts any range. */
static int check_range(const struct shared *way, uint32_t address, uint32_t size)
{
    if (!way)
        return EINVAL;
    if (!host_cached(way))
        return 0;
    if (size > way->block->size)
        return EFAULT;
    uint32_t start = (uint32_t)shared_address(way);
    if (!start)
        return EINVAL;
    bool inside = address >= start && address - start <= way->block->size - size;
    return inside ? 0 : EFAULT;
}

/* Cleans or invalidates the caches. Words in: handle, address, size. */
static int clean(uint32_t *w)
{
    return check_range(shared_by_key(w[0]), w[1], w[2]);
}

/* Cleans or invalidates the caches for up to eight ranges. Words in for each range: operation,
 * handle, address, size. Operation 0 ends the list. */
static int clean_list(uint32_t *w)
{
    for (unsigned i = 0; i < CLEAN_ENTRIES && w[0]; i++, w += 4) {
        const struct shared *way = shared_by_key(w[1]);
        int error = way && host_cached(way) && w[0] >= CLEAN_OPERATIONS
                        ? EINVAL
                        : check_range(way, w[2], w[3]);
        if (error)
            return error;
    }
    return 0;
}

struct command {
    uint8_t number, words;
    /* replies: true to copy the words back on success; replies_always: true to copy them back on
     * errors, too */
    bool replies, replies_always;
    int (*run)(uint32_t *words);
};

static const struct command commands[] = {
    /* clang-format off */
    {VCSM_ALLOCATE,               4 + VCSM_NAME_WORDS, true,  false, allocate},
    {VCSM_SHARE,                  2,                   true,  false, share},
    {VCSM_LOCK,                   2,                   true,  true,  lock},
    {VCSM_LOCK_CACHE,             2,                   false, false, lock_cache},
    {VCSM_UNLOCK,                 2,                   false, false, unlock},
    {VCSM_RESIZE,                 3,                   true,  true,  resize},
    {VCSM_RELEASE,                1,                   false, false, release},
    {VCSM_FLUSH,                  3,                   false, false, clean},
    {VCSM_INVALIDATE,             3,                   false, false, clean},
    {VCSM_SIZE,                   2,                   true,  true,  size_of_handle},
    {VCSM_CHECK,                  4,                   true,  true,  check_handle},
    {VCSM_HANDLE_FROM_ADDRESS,    MAP_WORDS,           true,  true,  handle_from_address},
    {VCSM_ADDRESS_FROM_HANDLE,    MAP_WORDS,           true,  true,  address_from_handle},
    {VCSM_VC_HANDLE_FROM_ADDRESS, MAP_WORDS,           true,  true,  vc_handle_from_address},
    {VCSM_VC_HANDLE_FROM_HANDLE,  MAP_WORDS,           true,  true,  vc_handle_from_handle},
    {VCSM_VC_ADDRESS_FROM_HANDLE, MAP_WORDS,           true,  true,  vc_address_from_handle},
    {VCSM_WALK_VC,                0,                   false, false, walk},
    {VCSM_WALK_MAPPINGS,          0,                   false, false, walk},
    {VCSM_WALK_PROCESS,           1,                   false, false, walk},
    {VCSM_WALK_PROCESS_MAPPINGS,  1,                   false, false, walk},
    {VCSM_CLEAN_LIST,             4 * CLEAN_ENTRIES,   false, false, clean_list},
    {VCSM_IMPORT,                 3 + VCSM_NAME_WORDS, true,  false, import},
    /* clang-format on */
};

static const struct command *find_command(unsigned number)
{
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (commands[i].number == number)
            return &commands[i];
    return NULL;
}

/* --- Cleaning by address --- */

static int check_block(const struct vcsm_clean_block *block)
{
    if (block->operation == 0)
        return 0;
    return block->size && block->operation < CLEAN_OPERATIONS ? 0 : EINVAL;
}

static int clean_blocks(uintptr_t argument)
{
    struct vcsm_clean_block block;
    uint8_t count;
    if (!user_read(&count, argument, sizeof count))
        return EFAULT;
    argument += offsetof(struct vcsm_clean_blocks, block);
    for (unsigned i = 0; i < count; i++, argument += sizeof block) {
        if (!user_read(&block, argument, sizeof block))
            return EFAULT;
        int error = check_block(&block);
        if (error)
            return error;
    }
    return 0;
}

/* --- The device --- */

static int run(const struct command *command, uintptr_t argument)
{
    uint32_t words[MOST_WORDS] = {0};
    size_t size = command->words * sizeof *words;
    if (!user_read(words, argument, size))
        return EFAULT;
    int error = command->run(words);
    bool replies = error ? command->replies_always : command->replies;
    if (replies && !user_write(argument, words, size))
        return EFAULT;
    return error;
}

static int carry_out(unsigned long request, uintptr_t argument)
{
    const struct command *command = find_command(_IOC_NR(request));
    if (_IOC_NR(request) == VCSM_CLEAN_BLOCKS)
        return clean_blocks(argument);
    return command ? run(command, argument) : EINVAL;
}

int vcsm_device_ioctl(unsigned long request, uintptr_t argument)
{
    return machine_request(carry_out, request, argument);
}

void *vcsm_device_map(void *start, size_t size, int prot, int flags, uint64_t offset)
{
    void *result = MAP_FAILED;
    device_lock();
    struct shared *way = offset <= UINT32_MAX ? shared_by_key((uint32_t)offset) : NULL;
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    if (!way)
        errno = ENOMEM;
    else if ((size + page - 1) / page * page != way->block->size)
        errno = EINVAL;
    else
        result = shared_map(way, start, size, prot, flags, 0);
    device_unlock();
    return result;
}
