/* SPDX-License-Identifier: MIT */
/* accesses.c - see accesses.h.
 *
 * Source:  vc4asm's addendum to the manual for the order of the accesses and the size of the cache.
 * Choices: docs/vc4/tmu.md, "Caches and costs". */
#include "vc4/tmu/accesses.h"

#include "vc4/memory/bus.h"
#include "vc4/time/tmu_sizes.h"
#include "vc4/tmu/sampler_kernels.h"

static void count_miss(const struct accesses *to, uint32_t address)
{
    struct tmu_cost *cost = to->cost;
    cost->misses++;
    if (!to->l2 || !cache_touch(to->l2, address & BUS_ADDRESS_MASK))
        to->line[cost->l2_misses++ % TMU_LINES] = address;
}

static inline void touch(const struct accesses *to, uint32_t address)
{
    if (!cache_touch(to->cache, address & BUS_ADDRESS_MASK))
        count_miss(to, address);
}

/* ---- texels ---------------------------------------------------------------------------------- */

/* True if all texels of an element are on lines that are the most recently used of their cache
 * sets. Accesses to these texels then do not change the cache. */
static inline bool changes_nothing(const struct accesses *to, const struct sampler *sampler,
                                   unsigned lane)
{
    bool nothing = true; /* no early exit, because most accesses are hits and a branch costs more
                            time than a comparison */
    for (unsigned tap = 0; tap < sampler->taps; tap++)
        nothing &= cache_is_latest(to->cache, sampler->address[tap][lane] & BUS_ADDRESS_MASK);
    return nothing;
}

/* Touches the lines of an element's taps from the first one on. */
static void touch_element(const struct accesses *to, const struct sampler *sampler, unsigned lane,
                          unsigned first)
{
    for (unsigned tap = first; tap < sampler->taps; tap++)
        if (sampler->used[tap] >> lane & 1)
            touch(to, sampler->address[tap][lane]);
}

static void touch_elements(const struct accesses *to, const struct sampler *sampler, unsigned first)
{
    for (unsigned lane = first; lane < LANES; lane++)
        if (!changes_nothing(to, sampler, lane))
            touch_element(to, sampler, lane, 0);
}

/* Touches the line of an access to a cache with one way. Returns the tag of the line that the
 * access removes, or 0. */
static inline uint32_t touch_and_remove(const struct accesses *to, uint32_t address)
{
    const uint32_t number = (address & BUS_ADDRESS_MASK) / TMU_CACHE_LINE;
    uint32_t *entry = &to->cache->tag[number & to->cache->set_mask], tag = *entry;
    if (tag == number + 1)
        return 0;
    *entry = number + 1;
    count_miss(to, address);
    return tag;
}

/* Returns the accesses from a number on, which is at most 64. */
static inline uint64_t accesses_from(unsigned first)
{
    return first < 64 ? UINT64_MAX << first : 0;
}

/* Touches the lines of a request of one or four taps in all lanes. Accesses to a line after the
 * first one are skipped, unless another access removes the line. */
static void touch_fresh(const struct accesses *to, const struct sampler *sampler)
{
    const lanes *address = sampler->address;
    const unsigned taps = sampler->taps;
    uint64_t left = sampler->kernels->fresh_lines(address, taps);
    while (left) {
        const unsigned access = (unsigned)__builtin_ctzll(left);
        const uint32_t tag = touch_and_remove(to,
                                              address[access % LEVEL_TAPS][access / LEVEL_TAPS]);
        left &= left - 1;
        if (tag)
            left |= sampler->kernels->on_line(address, taps, tag - 1) & accesses_from(access + 1);
    }
}

/* Returns true if an access after the given one is on a line. Each lane accesses the first level
 * before the second. */
static bool is_used_later(const struct sampler *sampler, unsigned access, unsigned level,
                          uint32_t line)
{
    const lanes *address = sampler->address;
    const unsigned lane = access / LEVEL_TAPS;
    const unsigned near = level ? (lane + 1) * LEVEL_TAPS : access + 1;
    const unsigned far = level ? access + 1 : lane * LEVEL_TAPS;
    const uint64_t near_on = sampler->kernels->on_line(address, LEVEL_TAPS, line);
    const uint64_t far_on = sampler->kernels->on_line(address + LEVEL_TAPS, LEVEL_TAPS, line);
    return (near_on & accesses_from(near)) || (far_on & accesses_from(far));
}

/* Like touch_fresh() for requests of two levels. These use many lines, which remove each other more
 * often; then the rest of the elements is touched one by one. */
static void touch_fresh_levels(const struct accesses *to, const struct sampler *sampler)
{
    const lanes *address = sampler->address;
    uint64_t near = sampler->kernels->fresh_lines(address, LEVEL_TAPS);
    uint64_t far = sampler->kernels->fresh_lines(address + LEVEL_TAPS, LEVEL_TAPS);
    while (near | far) {
        const unsigned first = near ? (unsigned)__builtin_ctzll(near) : 64;
        const unsigned second = far ? (unsigned)__builtin_ctzll(far) : 64;
        const unsigned level = first / LEVEL_TAPS <= second / LEVEL_TAPS ? 0 : 1;
        const unsigned access = level ? second : first, lane = access / LEVEL_TAPS;
        const unsigned tap = access % LEVEL_TAPS + level * LEVEL_TAPS;
        const uint32_t tag = touch_and_remove(to, address[tap][lane]);
        if (tag && is_used_later(sampler, access, level, tag - 1)) {
            touch_element(to, sampler, lane, tap + 1);
            touch_elements(to, sampler, lane + 1);
            return;
        }
        near &= level ? UINT64_MAX : near - 1;
        far &= level ? far - 1 : UINT64_MAX;
    }
}

static uint32_t count_lanes(lane_mask mask)
{
    return mask == ALL_LANES ? LANES : (uint32_t)__builtin_popcount(mask);
}

void accesses_texels(const struct accesses *accesses, const struct sampler *sampler)
{
    lane_mask all = ALL_LANES;
    for (unsigned tap = 0; tap < sampler->taps; tap++) {
        accesses->cost->texels += count_lanes(sampler->used[tap]);
        all &= sampler->used[tap];
    }
    if (!sampler->kernels || accesses->cache->ways > 1 || all != ALL_LANES)
        touch_elements(accesses, sampler, 0);
    else if (sampler->taps <= LEVEL_TAPS)
        touch_fresh(accesses, sampler);
    else
        touch_fresh_levels(accesses, sampler);
}

/* ---- lookups --------------------------------------------------------------------------------- */

void accesses_words(const struct accesses *accesses, const lanes *address)
{
    uint32_t latest = UINT32_MAX;
    accesses->cost->texels = LANES;
    for (unsigned lane = 0; accesses->cache && lane < LANES; lane++) {
        uint32_t line = (*address)[lane] / TMU_CACHE_LINE;
        if (line != latest)
            touch(accesses, (*address)[lane]);
        latest = line;
    }
}

void accesses_row(const struct accesses *accesses, const lanes *address)
{
    uint32_t first = (*address)[0], last = (*address)[LANES - 1];
    accesses->cost->texels = LANES;
    if (!accesses->cache)
        return;
    touch(accesses, first);
    if (first / TMU_CACHE_LINE != last / TMU_CACHE_LINE)
        touch(accesses, last);
}
