/* SPDX-License-Identifier: MIT */
/* memory.c - see memory.h.
 *
 * In:  sizes; memfds.
 * Out: pieces of memory with bus addresses.
 *
 * Choices: a new piece has a higher address than the piece before it. Freed addresses are reused
 *          when the highest address is reached. A free page separates two pieces. So an access
 *          after the end of a piece, or an access to a released piece, causes a finding and does
 *          not change another piece. The size of a file is sealed, so that a process with a PRIME
 *          descriptor cannot remove pages that the model uses.
 * Source: the manual pages memfd_create(2), fcntl(2), mremap(2). */
#include "shim/drm/gem/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shim/common/next.h"
#include "shim/common/private_fds.h"
#include "shim/drm/driver.h"
#include "shim/drm/options.h"

enum { PAGES = 1 << 20, SEALS = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL };

static struct {
    uint8_t taken[PAGES / 8]; /* a bit per page, set if the page is in use */
    uint32_t next;            /* first page after the piece that was allocated last */
    uint64_t used;            /* number of bytes in use */
} area;

/* --- addresses --- */

static bool is_taken(uint32_t page)
{
    return area.taken[page / 8] >> page % 8 & 1;
}

/* Returns the first of `count` consecutive free pages from page `from` to page `to` - 1, or 0 if
 * there are not enough. */
static uint32_t find_free(uint32_t from, uint32_t to, uint32_t count)
{
    uint32_t length = 0;
    for (uint32_t page = from; page < to; page++) {
        length = is_taken(page) ? 0 : length + 1;
        if (length == count)
            return page + 1 - count;
    }
    return 0;
}

static void mark(uint32_t page, uint32_t count, bool taken)
{
    for (uint32_t i = page; i < page + count; i++)
        if (taken)
            area.taken[i / 8] |= (uint8_t)(1u << i % 8);
        else
            area.taken[i / 8] &= (uint8_t) ~(1u << i % 8);
}

/* Allocates the pages of a piece and one more page, which is the gap before the next piece. */
static bool take_address(struct memory *memory)
{
    const struct drm_driver *driver = drm_driver();
    const uint32_t count = memory->size / MEMORY_PAGE + 1,
                   first = driver->space.first / MEMORY_PAGE,
                   end = (uint32_t)(driver->space.end / MEMORY_PAGE);
    uint32_t page = find_free(area.next > first ? area.next : first, end, count);
    if (!page)
        page = find_free(first, end, count);
    if (!page)
        return false;
    mark(page, count, true);
    area.next = page + count;
    memory->address = page * MEMORY_PAGE;
    return true;
}

static void give_address(const struct memory *memory)
{
    mark(memory->address / MEMORY_PAGE, memory->size / MEMORY_PAGE + 1, false);
}

/* --- files --- */

bool memory_identify(int fd, uint64_t *device, uint64_t *inode)
{
    struct stat64 status;
    if (real_fstat(fd, &status) != 0)
        return false;
    *device = status.st_dev;
    *inode = status.st_ino;
    return true;
}

/* The mark is the file's sticky bit, which has no effect on files. */
bool memory_get_mark(const struct memory *memory, bool *marked)
{
    struct stat64 status;
    if (memory->fd < 0 || real_fstat(memory->fd, &status) != 0)
        return false;
    *marked = status.st_mode & S_ISVTX;
    return true;
}

void memory_set_mark(const struct memory *memory, bool marked)
{
    struct stat64 status;
    if (memory->fd >= 0 && real_fstat(memory->fd, &status) == 0)
        fchmod(memory->fd, (status.st_mode & 0777) | (marked ? S_ISVTX : 0));
}

/* --- pieces --- */

static bool map_host(struct memory *memory)
{
    int flags = memory->fd < 0 ? MAP_SHARED | MAP_ANONYMOUS : MAP_SHARED;
    void *host = real_mmap(NULL, memory->size, PROT_READ | PROT_WRITE, flags | MAP_NORESERVE,
                           memory->fd, 0);
    memory->host = host == MAP_FAILED ? NULL : host;
    return memory->host != NULL;
}

static bool map_device(const struct memory *memory)
{
    const struct drm_driver *driver = drm_driver();
    return !driver->space.map || driver->space.map(memory->address, memory->size, memory->host);
}

static void drop_host(struct memory *memory)
{
    if (memory->host)
        real_munmap(memory->host, memory->size);
    private_fds_close(&memory->fd);
    *memory = (struct memory){.fd = -1};
}

/* Makes the descriptor private. If no private number is left, closes the file, so that the
 * remaining descriptors are free for the program. A piece needs its file only for sharing. */
static void keep_file(struct memory *memory)
{
    if (memory->fd < 0 || private_fds_keep_above(&memory->fd))
        return;
    real_close(memory->fd);
    memory->fd = -1;
}

/* Maps a piece whose size and file are set, and allocates its address. */
static int place(struct memory *memory)
{
    bool room = memory->size <= memory_limit() - area.used && map_host(memory);
    if (!room || !take_address(memory)) {
        drop_host(memory);
        return ENOMEM;
    }
    if (!map_device(memory)) {
        give_address(memory);
        drop_host(memory);
        return ENOMEM;
    }
    if (memory->fd >= 0)
        memory_identify(memory->fd, &memory->device, &memory->inode);
    area.used += memory->size;
    return 0;
}

int memory_take(struct memory *memory, uint64_t size)
{
    uint64_t whole = (size + MEMORY_PAGE - 1) & ~(uint64_t)(MEMORY_PAGE - 1);
    *memory = (struct memory){.fd = -1};
    if (size == 0)
        return EINVAL;
    if (size > memory_limit() || whole > memory_limit() - area.used)
        return ENOMEM;
    memory->size = (uint32_t)whole;
    memory->fd = private_fds_memory_file("tessera-bo", memory->size, SEALS);
    keep_file(memory);
    return place(memory);
}

/* Opens the file of a descriptor again. The program's descriptor may be read-only, but the device
 * has to write. */
static int open_again(int fd, int flags)
{
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    return real_open(path, flags, 0);
}

static bool is_piece(int fd, uint64_t *size)
{
    struct stat64 status;
    if (real_fstat(fd, &status) != 0 || !S_ISREG(status.st_mode))
        return false;
    *size = (uint64_t)status.st_size;
    return NEXT(fcntl64)(fd, F_GET_SEALS) == SEALS && *size > 0 && *size % MEMORY_PAGE == 0;
}

bool memory_is_file(int fd)
{
    uint64_t size;
    return is_piece(fd, &size);
}

bool memory_is_past(int fd, uint64_t length, uint64_t offset)
{
    uint64_t size;
    return is_piece(fd, &size) && (offset > size || length > size - offset);
}

int memory_import(struct memory *memory, int fd)
{
    uint64_t size;
    *memory = (struct memory){.fd = -1};
    if (!is_piece(fd, &size))
        return EINVAL;
    if (size > memory_limit() - area.used)
        return ENOMEM;
    memory->fd = open_again(fd, O_RDWR | O_CLOEXEC);
    if (memory->fd < 0)
        return ENOMEM;
    memory->size = (uint32_t)size;
    private_fds_keep(&memory->fd);
    return place(memory);
}

void memory_give_back(struct memory *memory)
{
    if (memory->size == 0)
        return;
    if (drm_driver()->space.unmap)
        drm_driver()->space.unmap(memory->address);
    give_address(memory);
    area.used -= memory->size;
    drop_host(memory);
}

int memory_export(const struct memory *memory, bool close_on_exec, bool writable, int *fd)
{
    int flags = close_on_exec ? O_CLOEXEC : 0;
    if (memory->fd < 0)
        return ENOMEM;
    if (writable)
        *fd = NEXT(fcntl64)(memory->fd, close_on_exec ? F_DUPFD_CLOEXEC : F_DUPFD, 0);
    else
        *fd = open_again(memory->fd, O_RDONLY | flags);
    return *fd < 0 ? errno : 0;
}

/* For a piece without a file: maps its pages a second time, with mremap() and an old size of 0. */
static void *map_again(const struct memory *memory, void *start, uint64_t length, int protection,
                       int flags, uint64_t offset)
{
    int move = MREMAP_MAYMOVE | (flags & MAP_FIXED ? MREMAP_FIXED : 0);
    void *mapped = NEXT(mremap)(memory->host + offset, 0, (size_t)length, move, start);
    if (mapped != MAP_FAILED)
        NEXT(mprotect)(mapped, (size_t)length, protection);
    return mapped;
}

void *memory_map(const struct memory *memory, void *start, uint64_t length, int protection,
                 int flags, uint64_t offset)
{
    if (offset > memory->size || length > memory->size - offset || length == 0) {
        errno = EINVAL;
        return MAP_FAILED;
    }
    if (memory->fd < 0)
        return map_again(memory, start, length, protection, flags, offset);
    return real_mmap(start, (size_t)length, protection, flags, memory->fd, (off64_t)offset);
}

void *memory_map_for_reading(const struct memory *memory, void *start, uint64_t length,
                             int protection, int flags)
{
    if (memory->fd < 0)
        return memory_map(memory, start, length, protection, flags, 0);
    struct memory readable = *memory;
    readable.fd = open_again(memory->fd, O_RDONLY | O_CLOEXEC);
    if (readable.fd < 0)
        return MAP_FAILED;
    void *mapped = memory_map(&readable, start, length, protection, flags, 0);
    const int error = errno;
    real_close(readable.fd);
    errno = error;
    return mapped;
}

uint64_t memory_used(void)
{
    return area.used;
}

uint64_t memory_limit(void)
{
    return options_get()->memory & ~(uint64_t)(MEMORY_PAGE - 1);
}
