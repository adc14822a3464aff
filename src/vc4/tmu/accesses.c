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

/* Touches the lines of all accesses from a tap of an element on. */
static void touch_rest(const struct accesses *to, const struct sampler *sampler, unsigned first,
                       unsigned tap)
{
    touch_element(to, sampler, first, tap);
    for (unsigned lane = first + 1; lane < LANES; lane++)
        if (!changes_nothing(to, sampler, lane))
            touch_element(to, sampler, lane, 0);
}

/* Touches the line of an access to a cache with one way. Returns true if the access removes a line
 * that the request uses, too. */
static inline bool removes_line(const struct accesses *to, const struct sampler *sampler,
                                uint32_t address)
{
    const uint32_t number = (address & BUS_ADDRESS_MASK) / TMU_CACHE_LINE;
    uint32_t *entry = &to->cache->tag[number & to->cache->set_mask], tag = *entry;
    if (tag == number + 1)
        return false;
    *entry = number + 1;
    count_miss(to, address);
    return tag && sampler->kernels->uses_line(sampler->address, sampler->taps, tag - 1);
}

/* Touches the lines of a request of one or four taps in all lanes. Accesses to a line after the
 * first one are skipped until an access removes a line that the request uses. */
static void touch_fresh(const struct accesses *to, const struct sampler *sampler)
{
    uint64_t left = sampler->kernels->fresh_lines(sampler->address, sampler->taps);
    for (; left; left &= left - 1) {
        const unsigned access = (unsigned)__builtin_ctzll(left);
        const unsigned lane = access / LEVEL_TAPS, tap = access % LEVEL_TAPS;
        if (removes_line(to, sampler, sampler->address[tap][lane])) {
            touch_rest(to, sampler, lane, tap + 1);
            return;
        }
    }
}

/* Like touch_fresh() for requests of two levels. */
static void touch_fresh_levels(const struct accesses *to, const struct sampler *sampler)
{
    const lanes *address = sampler->address;
    uint64_t near = sampler->kernels->fresh_lines(address, LEVEL_TAPS);
    uint64_t far = sampler->kernels->fresh_lines(address + LEVEL_TAPS, LEVEL_TAPS);
    while (near | far) {
        const unsigned first = near ? (unsigned)__builtin_ctzll(near) : UINT32_MAX;
        const unsigned second = far ? (unsigned)__builtin_ctzll(far) : UINT32_MAX;
        const bool is_near = first / LEVEL_TAPS <= second / LEVEL_TAPS;
        const unsigned access = is_near ? first : second, lane = access / LEVEL_TAPS;
        const unsigned tap = access % LEVEL_TAPS + (is_near ? 0 : LEVEL_TAPS);
        if (removes_line(to, sampler, address[tap][lane])) {
            touch_rest(to, sampler, lane, tap + 1);
            return;
        }
        near &= is_near ? near - 1 : UINT64_MAX;
        far &= is_near ? UINT64_MAX : far - 1;
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
        touch_rest(accesses, sampler, 0, 0);
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
