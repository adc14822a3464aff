/* SPDX-License-Identifier: MIT */
/* memory.c - allocates VideoCore memory, for mailbox tags 0x3000c to 0x3000f and for the
 * framebuffer.
 *
 * In:  requests to allocate, lock, unlock and release memory.
 * Out: memory that is mapped into the V3D device.
 *
 * Source: the firmware's wiki page "Mailbox property interface" (github raspberrypi/firmware):
 *         flags, and the contents of new memory.
 * Modelled: sizes in pages, alignment, aliases, initial contents, counted locks.
 * Choices: blocks never move, so a bus address stays valid until the block is released. (The
 *          firmware may move unlocked blocks.) Allocation is first fit. Discardable memory (flag
 *          bit 0) is never discarded. */
#include "board/pi/pi.h"

#include <string.h>

static uint32_t align_up(uint32_t value, uint32_t to)
{
    return (value + to - 1) & ~(to - 1);
}

static const struct pi_block *block_at(const struct tess_pi *pi, uint32_t address, uint32_t size)
{
    for (unsigned i = 0; i < PI_BLOCKS; i++) {
        const struct pi_block *block = &pi->blocks[i];
        if (block->size && address < block->address + block->size &&
            block->address < address + size)
            return block;
    }
    return NULL;
}

/* Reserves an address range. Returns 0 on success. If part of the range is in use, returns the next
 * address to try. */
static uint32_t claim(const struct tess_pi *pi, uint32_t address, uint32_t size)
{
    const struct pi_block *taken = block_at(pi, address, size);
    if (taken)
        return taken->address + taken->size;
    return pi->options.claim ? pi->options.claim(pi->options.claim_user, address, size) : 0;
}

static void unclaim(const struct tess_pi *pi, uint32_t address)
{
    if (pi->options.unclaim)
        pi->options.unclaim(pi->options.claim_user, address);
}

/* Reserves the first free range of `size` bytes. size is a multiple of PI_PAGE. Returns the range's
 * address, or 0 if no free range is large enough. */
static uint32_t find_space(const struct tess_pi *pi, uint32_t size, uint32_t alignment)
{
    uint32_t start = pi->options.arm_size, end = start + pi->options.vc_size;
    uint32_t at = align_up(start, alignment);
    while (at >= start && at < end && size <= end - at) {
        uint32_t next = claim(pi, at, size);
        if (!next)
            return at;
        at = align_up(next, alignment);
    }
    return 0;
}

/* Returns the host address of an address of VideoCore memory, in options.memory. Returns NULL if
 * the options give no memory, so that the V3D device allocates memory itself. */
static void *host_memory(const struct tess_pi *pi, uint32_t address)
{
    uint8_t *memory = pi->options.memory;
    return memory ? memory + (address - pi->options.arm_size) : NULL;
}

static void initialise(struct tess_pi *pi, const struct pi_block *block)
{
    void *bytes = tess_vc4_memory(pi->vc4, block->address, block->size);
    if (block->flags & PI_MEMORY_ZERO)
        memset(bytes, 0, block->size);
    else if (!(block->flags & PI_MEMORY_NO_INIT))
        memset(bytes, 0xff, block->size);
}

static struct pi_block *free_entry(struct tess_pi *pi)
{
    for (unsigned i = 0; i < PI_BLOCKS; i++)
        if (!pi->blocks[i].size)
            return &pi->blocks[i];
    return NULL;
}

static struct pi_block *entry_of(struct tess_pi *pi, uint32_t handle)
{
    if (handle == 0 || handle > PI_BLOCKS || !pi->blocks[handle - 1].size)
        return NULL;
    return &pi->blocks[handle - 1];
}

const struct pi_block *pi_block(const struct tess_pi *pi, uint32_t handle)
{
    return entry_of((struct tess_pi *)pi, handle);
}

uint32_t tess_pi_allocate(struct tess_pi *pi, uint32_t size, uint32_t alignment, uint32_t flags)
{
    struct pi_block *block = free_entry(pi);
    if (!block || size == 0 || size > pi->options.vc_size || (alignment & (alignment - 1)))
        return 0;
    size = align_up(size, PI_PAGE);
    uint32_t address = find_space(pi, size, alignment < PI_PAGE ? PI_PAGE : alignment);
    if (!address)
        return 0;
    if (tess_vc4_map(pi->vc4, address, size, host_memory(pi, address)) != TESS_OK) {
        unclaim(pi, address);
        return 0;
    }
    *block = (struct pi_block){.address = address, .size = size, .flags = flags};
    initialise(pi, block);
    return (uint32_t)(block - pi->blocks) + 1;
}

/* Returns the cache alias for bits 3:2 of allocation flags (0 normal, 1 direct, 2 coherent, 3 L1
 * non-allocating). For L1 non-allocating memory, the alias is 0x40000000 on boards whose ARM
 * accesses RAM through the L2 cache, and 0x80000000 on other boards (measured on boards,
 * rpimemmgr.c of Idein/librpimemmgr). */
static uint32_t alias_of(const struct tess_pi *pi, uint32_t flags)
{
    static const uint32_t aliases[] = {0x00000000, 0xc0000000, 0x80000000, 0x40000000};
    bool by_l2 = pi->options.board->sdram_address == aliases[3];
    unsigned kind = flags >> 2 & 3;
    return aliases[kind == 3 && !by_l2 ? 2 : kind];
}

uint32_t tess_pi_lock(struct tess_pi *pi, uint32_t handle)
{
    struct pi_block *block = entry_of(pi, handle);
    if (!block)
        return 0;
    block->locks++;
    return block->address | alias_of(pi, block->flags);
}

uint32_t pi_locked_at(const struct tess_pi *pi, uint32_t address)
{
    for (unsigned i = 0; i < PI_BLOCKS; i++)
        if (pi->blocks[i].locks && pi->blocks[i].address == (address & PI_ADDRESS))
            return i + 1;
    return 0;
}

bool tess_pi_unlock(struct tess_pi *pi, uint32_t handle)
{
    struct pi_block *block = entry_of(pi, handle);
    if (!block || !block->locks)
        return false;
    block->locks--;
    return true;
}

static void release(struct tess_pi *pi, struct pi_block *block)
{
    tess_vc4_unmap(pi->vc4, block->address);
    unclaim(pi, block->address);
    *block = (struct pi_block){0};
}

bool tess_pi_release(struct tess_pi *pi, uint32_t handle)
{
    struct pi_block *block = entry_of(pi, handle);
    if (!block)
        return false;
    if (block->locks)
        pi_fault(pi, PI_MEMORY_LOCKED, block->address, "memory is released while it is locked");
    release(pi, block);
    return true;
}

void pi_release_all(struct tess_pi *pi)
{
    for (unsigned i = 0; i < PI_BLOCKS; i++)
        if (pi->blocks[i].size)
            release(pi, &pi->blocks[i]);
}
