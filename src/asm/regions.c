/* SPDX-License-Identifier: MIT */
/* regions.c - see regions.h. */
#include "asm/regions.h"

#include <stdlib.h>

#include "base/array.h"

/* The top two bits of a bus address select caching, not memory. */
#define PHYSICAL(address) ((address)&UINT32_C(0x3fffffff))

static struct asm_region *newest(const struct asm_regions *regions)
{
    return &regions->items[regions->count - 1];
}

uint32_t region_size(const struct asm_region *region)
{
    return (uint32_t)region->bytes.size + region->zeros;
}

uint32_t regions_end(const struct asm_regions *regions)
{
    return newest(regions)->address + region_size(newest(regions));
}

bool regions_placed(const struct asm_regions *regions)
{
    return newest(regions)->line;
}

enum regions_result regions_start(struct asm_regions *regions, uint32_t address,
                                  const struct source_line *line)
{
    if (regions->count > 0 && region_size(newest(regions)) == 0) {
        newest(regions)->address = address;
        newest(regions)->line = line;
        return REGIONS_OK;
    }
    if (regions->count == ASM_REGIONS_MAX)
        return REGIONS_TOO_MANY;
    if (!ARRAY_GROW(regions->items, regions->count))
        return REGIONS_NO_MEMORY;
    regions->items[regions->count++] = (struct asm_region){.address = address, .line = line};
    return REGIONS_OK;
}

/* Returns true if `more` bytes fit. The end address must fit in 32 bits, so the last byte of the
 * address space is unused. */
static bool fits(const struct asm_regions *regions, uint64_t more)
{
    const struct asm_region *region = newest(regions);
    return more <= UINT32_MAX - region->address - region_size(region);
}

static enum regions_result store_zeros(struct asm_regions *regions)
{
    static const uint8_t zeros[4096];
    struct asm_region *region = newest(regions);
    if (region->zeros > (size_t)ASM_STORED_MAX - regions->stored)
        return REGIONS_TOO_BIG;
    regions->stored += region->zeros;
    while (region->zeros > 0) {
        size_t piece = region->zeros < sizeof zeros ? region->zeros : sizeof zeros;
        buffer_append(&region->bytes, zeros, piece);
        region->zeros -= (uint32_t)piece;
    }
    return region->bytes.failed ? REGIONS_NO_MEMORY : REGIONS_OK;
}

enum regions_result regions_append(struct asm_regions *regions, const void *bytes, size_t size)
{
    struct asm_region *region = newest(regions);
    if (size == 0)
        return REGIONS_OK;
    if (!fits(regions, size))
        return REGIONS_TOO_HIGH;
    enum regions_result result = store_zeros(regions);
    if (result != REGIONS_OK)
        return result;
    if (size > (size_t)ASM_STORED_MAX - regions->stored)
        return REGIONS_TOO_BIG;
    regions->stored += size;
    buffer_append(&region->bytes, bytes, size);
    return region->bytes.failed ? REGIONS_NO_MEMORY : REGIONS_OK;
}

enum regions_result regions_zeros(struct asm_regions *regions, uint64_t count)
{
    if (!fits(regions, count))
        return REGIONS_TOO_HIGH;
    newest(regions)->zeros += (uint32_t)count;
    return REGIONS_OK;
}

uint8_t *regions_last(struct asm_regions *regions, size_t size)
{
    struct asm_region *region = newest(regions);
    if (region_size(region) < size || store_zeros(regions) != REGIONS_OK || size == 0)
        return NULL;
    return region->bytes.data + (region->bytes.size - size);
}

void regions_cut(struct asm_regions *regions, size_t size)
{
    newest(regions)->bytes.size -= size;
    regions->stored -= size;
}

uint8_t *regions_at(const struct asm_regions *regions, uint32_t address, size_t size)
{
    for (size_t i = 0; i < regions->count; i++) {
        const struct asm_region *region = &regions->items[i];
        uint64_t offset = (uint64_t)address - region->address;
        if (address >= region->address && offset + size <= region->bytes.size)
            return region->bytes.data + offset;
    }
    return NULL;
}

static int compare_addresses(const void *one, const void *other)
{
    const struct asm_region *const *a = one, *const *b = other;
    uint32_t first = PHYSICAL((*a)->address), second = PHYSICAL((*b)->address);
    return first < second ? -1 : first > second;
}

bool regions_overlap(const struct asm_regions *regions, size_t *one, size_t *other)
{
    const struct asm_region *sorted[ASM_REGIONS_MAX];
    size_t count = 0;
    for (size_t i = 0; i < regions->count; i++)
        if (region_size(&regions->items[i]) > 0)
            sorted[count++] = &regions->items[i];
    qsort(sorted, count, sizeof sorted[0], compare_addresses);
    for (size_t i = 0; i + 1 < count; i++) {
        uint64_t end = (uint64_t)PHYSICAL(sorted[i]->address) + region_size(sorted[i]);
        if (end > PHYSICAL(sorted[i + 1]->address)) {
            *one = (size_t)(sorted[i] - regions->items);
            *other = (size_t)(sorted[i + 1] - regions->items);
            return true;
        }
    }
    return false;
}

void regions_free(struct asm_regions *regions)
{
    for (size_t i = 0; i < regions->count; i++)
        buffer_free(&regions->items[i].bytes);
    free(regions->items);
    *regions = (struct asm_regions){0};
}
