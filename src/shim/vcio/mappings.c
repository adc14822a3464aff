/* SPDX-License-Identifier: MIT */
/* mappings.c - see devices.h.
 *
 * In:  the arguments of the program's mmap().
 * Out: mappings of the memory's file, and ranges whose accesses are trapped.
 *
 * Source: BCM2835 ARM Peripherals, section 1.2 (address map); struct tess_pi_board for the
 *         differences between boards.
 * Modelled: RAM, the window that bypasses the L2 cache, and the peripherals. Other addresses behave
 * like a peripheral that is not modelled.
 * Choices: the whole range of addresses is reserved first, so that another thread cannot use a part
 *          of it. Then the range is filled piece by piece. If the program lets the kernel choose
 *          the address, the range is below 4 GiB if possible, because programs for these boards
 *          have 32-bit pointers and store addresses in 32-bit words. The requests of /dev/vcsm do
 *          so, too. */
#include "devices.h"

#include <errno.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <unistd.h>

#include "shim/common/device_lock.h"
#include "shim/common/next.h"
#include "shim/vcio/vcio_machine.h"
#include "trap.h"

/* Arguments of the program's mmap(). */
struct request {
    int prot, flags, fd;
};

/* What is at a physical address. If is_ram is true, `offset` is the address's offset in the
 * memory's file. `size` is the number of bytes up to the end of the RAM or of the other
 * addresses. */
struct region {
    bool is_ram;
    uint64_t offset, size;
};

static struct region ram(uint64_t offset, uint64_t size)
{
    return (struct region){.is_ram = true, .offset = offset, .size = size};
}

static struct region nothing(uint64_t size)
{
    return (struct region){.size = size};
}

/* Some programs (pi-gemm, rpi-playground) also map bus addresses. The upper two bits of a bus
 * address select a cache alias. */
enum { ALIAS_SIZE = 1 << 30 };

static struct region region_at(uint64_t address)
{
    const struct tess_pi_board *board = machine_board();
    uint64_t physical = address % ALIAS_SIZE;
    uint64_t end = tess_pi_board_memory_end(board), window = board->uncached_base;
    uint64_t behind = (uint64_t)board->peripheral_base + board->peripheral_size;
    if (physical < end)
        return ram(physical, end - physical);
    if (!window || physical >= window + end)
        return nothing(ALIAS_SIZE - physical);
    if (physical < behind)
        return nothing(behind - physical);
    return ram(physical - window, window + end - physical);
}

/* Fills a piece of the reserved range. Its protection is PROT_NONE before. */
static bool fill(uint8_t *start, size_t size, const struct request *request, uint64_t physical,
                 const struct region *region)
{
    if (!region->is_ram)
        return trap_watch(start, size, (uint32_t)physical - machine_board()->peripheral_base,
                          request->prot);
    /* MAP_LOCKED is dropped: on a board, the program is root and may lock any amount of memory. */
    int flags = (request->flags & ~(MAP_FIXED_NOREPLACE | MAP_LOCKED)) | MAP_FIXED;
    if (real_mmap(start, size, request->prot, flags, request->fd, (off64_t)region->offset) ==
        MAP_FAILED)
        return false;
    return guard_watch(start, size, request->prot);
}

static bool fill_all(uint8_t *start, size_t size, const struct request *request, uint64_t physical)
{
    for (size_t done = 0, length; done < size; done += length) {
        struct region region = region_at(physical + done);
        length = region.size < size - done ? (size_t)region.size : size - done;
        if (!fill(start + done, length, request, physical + done, &region))
            return false;
    }
    return true;
}

static void *give_up(void *start, size_t size)
{
    int reason = errno;
    trap_forget(start, size);
    real_munmap(start, size);
    errno = reason;
    return MAP_FAILED;
}

static void *reserve_at(void *start, size_t size, int place)
{
    return real_mmap(start, size, PROT_NONE, place | MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                     -1, 0);
}

/* Reserves a range at an address. Returns false if the range is not free. Kernels before 4.17 treat
 * the address only as a hint. */
static bool reserve_free(uint64_t address, size_t size)
{
    void *wanted = (void *)(uintptr_t)address, *at = reserve_at(wanted, size, MAP_FIXED_NOREPLACE);
    if (at != MAP_FAILED && at != wanted)
        real_munmap(at, size);
    return at == wanted;
}

/* Reserves a range below 4 GiB. Searches from the range that was reserved last, then from the
 * start. Returns MAP_FAILED if there is no room. */
static void *reserve_low(size_t size)
{
    static const uint64_t first = UINT64_C(1) << 29, step = UINT64_C(1) << 20,
                          end = UINT64_C(1) << 32;
    static uint64_t last = UINT64_C(1) << 29;
    if (size > end - first)
        return MAP_FAILED;
    for (uint64_t i = 0; i < (end - first) / step; i++) {
        const uint64_t at = first + (last - first + i * step) % (end - first);
        if (size <= end - at && reserve_free(at, size)) {
            last = at;
            return (void *)(uintptr_t)at;
        }
    }
    return MAP_FAILED;
}

static void *reserve(void *start, size_t size, int flags)
{
    const int place = flags & (MAP_FIXED | MAP_FIXED_NOREPLACE);
    const bool chosen = start || place || sizeof start == sizeof(uint32_t);
    void *at = chosen ? MAP_FAILED : reserve_low(size);
    if (at == MAP_FAILED)
        at = reserve_at(start, size, place);
    if (at != MAP_FAILED)
        trap_forget(at, size);
    return at;
}

static size_t whole_pages(size_t size)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return (size + page - 1) & ~(page - 1);
}

static bool is_possible(size_t size, int flags, uint64_t physical)
{
    return whole_pages(size) != 0 && physical % (uint64_t)sysconf(_SC_PAGESIZE) == 0 &&
           physical + whole_pages(size) > physical && (flags & (MAP_SHARED | MAP_PRIVATE));
}

void *mappings_map(void *start, size_t size, int prot, int flags, int fd, uint64_t physical)
{
    if (!is_possible(size, flags, physical)) {
        errno = EINVAL;
        return MAP_FAILED;
    }
    size = whole_pages(size);
    device_lock();
    const struct request request = {prot, flags, fd};
    void *at = reserve(start, size, flags);
    if (at != MAP_FAILED && !fill_all(at, size, &request, physical))
        at = give_up(at, size);
    device_unlock();
    return at;
}

void *mappings_map_peripherals(void *start, size_t size, int prot, int flags, uint32_t offset)
{
    return mappings_map(start, size, prot, flags, -1,
                        (uint64_t)machine_board()->peripheral_base + offset);
}
