/* SPDX-License-Identifier: MIT */
/* memory.c - see memory.h. */
#include "a2xx/fetch/memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static uint64_t range_end(const struct a2xx_range *range)
{
    return range->address + range->size;
}

/* Returns the number of ranges that begin at or before the address. */
static size_t ranges_below(const struct a2xx_memory *memory, uint32_t address)
{
    return ARRAY_BELOW(memory->ranges, memory->count, address, address + UINT64_C(1));
}

enum tess_status a2xx_memory_map(struct a2xx_memory *memory, uint32_t address, void *bytes,
                                 size_t size, bool writable)
{
    if (!size)
        return TESS_OK;
    if (!bytes || size > (UINT64_C(1) << 32) - address)
        return TESS_INVALID;
    size_t at = ranges_below(memory, address);
    if (at > 0 && range_end(&memory->ranges[at - 1]) > address)
        return TESS_INVALID;
    if (at < memory->count && memory->ranges[at].address < (uint64_t)address + size)
        return TESS_INVALID;
    if (!ARRAY_GROW(memory->ranges, memory->count))
        return TESS_NO_MEMORY;
    memmove(memory->ranges + at + 1, memory->ranges + at,
            (memory->count - at) * sizeof *memory->ranges);
    memory->ranges[at] = (struct a2xx_range){
        .address = address, .size = size, .bytes = bytes, .writable = writable};
    memory->count++;
    return TESS_OK;
}

void a2xx_memory_unmap(struct a2xx_memory *memory, uint32_t address)
{
    size_t at = ranges_below(memory, address);
    if (at == 0 || memory->ranges[at - 1].address != address)
        return;
    memmove(memory->ranges + at - 1, memory->ranges + at,
            (memory->count - at) * sizeof *memory->ranges);
    memory->count--;
}

void a2xx_memory_free(struct a2xx_memory *memory)
{
    free(memory->ranges);
    *memory = (struct a2xx_memory){0};
}

static const struct a2xx_range *find(const struct a2xx_memory *memory, uint64_t address)
{
    if (address > UINT32_MAX)
        return NULL;
    size_t at = ranges_below(memory, (uint32_t)address);
    return at > 0 && range_end(&memory->ranges[at - 1]) > address ? &memory->ranges[at - 1] : NULL;
}

const uint8_t *a2xx_memory_at(const struct a2xx_memory *memory, uint32_t address, size_t *size)
{
    const struct a2xx_range *range = find(memory, address);
    *size = range ? (size_t)(range_end(range) - address) : 0;
    return range ? range->bytes + (address - range->address) : NULL;
}

/* Returns how many of the size bytes from the address on are in the range of the first byte.
 * Returns 1 if the first byte is unmapped. */
static size_t bytes_within(const struct a2xx_range *range, uint64_t address, size_t size)
{
    uint64_t left = range ? range_end(range) - address : 1;
    return left < size ? (size_t)left : size;
}

bool a2xx_memory_load(const struct a2xx_memory *memory, uint32_t address, void *bytes, size_t size)
{
    bool whole = true;
    for (size_t done = 0, step; done < size; done += step) {
        uint64_t at = (uint64_t)address + done;
        const struct a2xx_range *range = find(memory, at);
        step = bytes_within(range, at, size - done);
        if (range)
            memcpy((uint8_t *)bytes + done, range->bytes + (at - range->address), step);
        else
            memset((uint8_t *)bytes + done, 0, step);
        whole = whole && range;
    }
    return whole;
}

enum a2xx_store a2xx_memory_store(struct a2xx_memory *memory, uint32_t address, const void *bytes,
                                  size_t size)
{
    enum a2xx_store result = A2XX_STORE_OK;
    for (size_t done = 0, step; done < size; done += step) {
        uint64_t at = (uint64_t)address + done;
        const struct a2xx_range *range = find(memory, at);
        step = bytes_within(range, at, size - done);
        if (range && range->writable)
            memcpy(range->bytes + (at - range->address), (const uint8_t *)bytes + done, step);
        else if (result == A2XX_STORE_OK)
            result = range ? A2XX_STORE_READ_ONLY : A2XX_STORE_UNMAPPED;
    }
    return result;
}
