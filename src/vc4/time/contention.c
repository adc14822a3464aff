/* SPDX-License-Identifier: MIT */
/* contention.c - see contention.h.
 *
 * Source:    "BCM2835 ARM Peripherals" section 1.2 for the SoC's cache and the aliases of bus
 *            addresses; the register values of the SDRAM controller in
 *            christinaa/rpi-open-firmware, sdram.c; timing.h.
 * Modelled:  a write-back cache of 128 KiB; eight banks with one open row each.
 * Left out:  refresh; turnaround of the SDRAM's bus; accesses by the ARM, the display and other
 *            units.
 * Estimated: the cache has lines of 64 bytes, and contains data of the host when programs start;
 *            bits 14:12 of an address select the SDRAM bank. */
#include "vc4/time/contention.h"

#include "base/order.h"
#include "vc4/memory/bus.h"
#include "vc4/time/timing.h"

/* --- timelines --- */

/* Returns the entry of a bucket, or TIMELINE_BUCKETS if the bucket is too old to be remembered. */
static uint32_t find(struct timeline *timeline, uint64_t bucket)
{
    uint32_t place = (uint32_t)(bucket % TIMELINE_BUCKETS), number = (uint32_t)bucket + 1;
    if (timeline->number[place] == number)
        return place;
    if ((int32_t)(timeline->number[place] - number) > 0)
        return TIMELINE_BUCKETS;
    timeline->number[place] = number;
    timeline->taken[place] = 0;
    return place;
}

/* Returns the bucket at which a search continues after a full bucket. If that bucket is full as
 * well, increases the skip distance of the first bucket, so that later searches are shorter. */
static uint64_t skip_full(struct timeline *timeline, uint64_t bucket, uint32_t place)
{
    uint64_t next = bucket + timeline->skip[place];
    uint32_t there = (uint32_t)(next % TIMELINE_BUCKETS);
    uint32_t farther = timeline->skip[place] + (uint32_t)timeline->skip[there];
    if (timeline->number[there] == (uint32_t)next + 1 &&
        timeline->taken[there] == TIMELINE_CLOCKS && farther < TIMELINE_BUCKETS)
        timeline->skip[place] = (uint16_t)farther;
    return next;
}

uint64_t timeline_take(struct timeline *timeline, uint64_t from, uint32_t clocks)
{
    uint64_t bucket = from / TIMELINE_CLOCKS;
    uint32_t at = (uint32_t)(from % TIMELINE_CLOCKS);
    for (;; at = 0) {
        uint32_t place = find(timeline, bucket);
        if (place == TIMELINE_BUCKETS)
            return bucket * TIMELINE_CLOCKS + at + clocks;
        if (timeline->taken[place] == TIMELINE_CLOCKS) {
            bucket = skip_full(timeline, bucket, place);
            continue;
        }
        at = most_u32(at, timeline->taken[place]);
        uint32_t here = least_u32(TIMELINE_CLOCKS - at, clocks);
        timeline->taken[place] = (uint8_t)(timeline->taken[place] + here);
        timeline->skip[place] = 1;
        clocks -= here;
        if (clocks == 0)
            return bucket * TIMELINE_CLOCKS + at + here;
        bucket++;
    }
}

enum {
    ROW_SHIFT = 15,
    BANK_SHIFT = 12,
    /* Number of the first line of the host's data. Bit 24 makes the number larger than the number
     * of any line that programs use. The other bits place the data at 240 MiB in the SDRAM. */
    FOREIGN = 1 << 24 | 0x3c0000
};
#define DIRTY (UINT32_C(1) << 31)

/* Bits 31:30 of a bus address. */
enum alias { ALIAS_CACHED, ALIAS_ALLOCATING, ALIAS_COHERENT, ALIAS_DIRECT };

static enum alias alias_of(uint32_t address)
{
    return (enum alias)(address >> 30);
}

uint64_t contention_tmu(struct contention *contention, uint32_t qpu, uint32_t unit, uint64_t time)
{
    struct timeline *tmu = &contention->tmu[(qpu / 4 * 2 + unit) % TRAFFIC_TMUS];
    return timeline_take(tmu, time, TIMING_TMU_REQUEST) - TIMING_TMU_REQUEST;
}

/* --- SDRAM --- */

/* Moves bytes of one SDRAM row, at `time` or later. Returns the time at which the transfer is
 * done. */
static uint64_t use_sdram(struct contention *contention, uint32_t address, uint32_t bytes,
                          bool write, uint64_t time)
{
    uint32_t bank = address >> BANK_SHIFT & (TRAFFIC_BANKS - 1);
    uint32_t row = ((address & BUS_ADDRESS_MASK) >> ROW_SHIFT) + 1;
    uint32_t clocks = most_u32(1, (bytes * TIMING_SDRAM_LINE + TIMING_LINE / 2) / TIMING_LINE);
    if (contention->row[bank] != row)
        clocks = write ? TIMING_SDRAM_WRITE_ROW : TIMING_SDRAM_READ_ROW;
    contention->row[bank] = row;
    return timeline_take(&contention->sdram, time, clocks);
}

/* --- the SoC's cache --- */

/* Makes a line the most recently used line of its set. Returns true if the line was in the cache.
 * Sets *dropped to the entry of the replaced line if this line must be written back, otherwise to
 * 0. */
static bool touch_line(struct contention *contention, uint32_t number, bool write,
                       uint32_t *dropped)
{
    uint32_t *set = contention->line[number % TRAFFIC_SETS], way = 0, tag = number + 1;
    while (way < TRAFFIC_WAYS && (set[way] & ~DIRTY) != tag)
        way++;
    bool hit = way < TRAFFIC_WAYS;
    if (!hit)
        way = TRAFFIC_WAYS - 1;
    uint32_t old = set[way];
    for (; way > 0; way--)
        set[way] = set[way - 1];
    set[0] = tag | (hit ? old & DIRTY : 0u) | (write ? DIRTY : 0u);
    *dropped = !hit && (old & DIRTY) ? old : 0;
    return hit;
}

static bool is_there(const struct contention *contention, uint32_t number)
{
    const uint32_t *set = contention->line[number % TRAFFIC_SETS];
    for (uint32_t way = 0; way < TRAFFIC_WAYS; way++)
        if ((set[way] & ~DIRTY) == number + 1)
            return true;
    return false;
}

static void write_back(struct contention *contention, uint32_t dropped, uint64_t time)
{
    if (dropped)
        use_sdram(contention, ((dropped & ~DIRTY) - 1) * TIMING_LINE, TIMING_LINE, true, time);
}

/* Reads a line through the SoC's cache. Returns true on a hit. On a miss, adds the line to the
 * cache if the address's alias allocates lines. *dropped is set as in touch_line(). */
static bool look_up(struct contention *contention, uint32_t address, uint32_t *dropped)
{
    uint32_t number = (address & BUS_ADDRESS_MASK) / TIMING_LINE;
    *dropped = 0;
    if (alias_of(address) == ALIAS_DIRECT)
        return false;
    if (alias_of(address) == ALIAS_COHERENT && !is_there(contention, number))
        return false;
    return touch_line(contention, number, false, dropped);
}

void contention_begin(struct contention *contention)
{
    for (uint32_t set = 0; set < TRAFFIC_SETS; set++)
        for (uint32_t way = 0; way < TRAFFIC_WAYS; way++)
            contention->line[set][way] = DIRTY | (FOREIGN + way * TRAFFIC_SETS + set + 1);
}

/* --- reads --- */

uint64_t contention_soonest(uint32_t address, uint64_t time)
{
    return time +
           (alias_of(address) == ALIAS_DIRECT ? TIMING_FROM_MEMORY : TIMING_FROM_SYSTEM_CACHE);
}

/* Reads bytes of one line from the SoC's cache, or from the SDRAM at *time or later. Returns true
 * on a hit in the cache. On a miss, sets *time to the time at which the SDRAM is done, and writes
 * the replaced line back afterwards. */
static bool read_line(struct contention *contention, uint32_t address, uint32_t bytes,
                      uint64_t *time)
{
    uint32_t dropped;
    if (look_up(contention, address, &dropped))
        return true;
    *time = use_sdram(contention, address, bytes, false, *time);
    write_back(contention, dropped, *time);
    return false;
}

uint64_t contention_read(struct contention *contention, uint32_t address, uint64_t time)
{
    uint64_t there = time + TIMING_TO_MEMORY;
    bool hit = read_line(contention, address, TIMING_LINE, &there);
    uint64_t soonest = time + (hit ? TIMING_FROM_SYSTEM_CACHE : TIMING_FROM_MEMORY);
    uint64_t end = timeline_take(&contention->bus, there, TIMING_BUS_LINE) + TIMING_TO_CACHE;
    return most_u64(end, soonest);
}

/* The DMA engine requests further lines before earlier lines have arrived. Only throughput counts,
 * and no latency is added. */
uint64_t contention_load(struct contention *contention, uint32_t address, uint32_t bytes,
                         uint64_t time)
{
    uint64_t end = time;
    while (bytes) {
        uint32_t here = least_u32(bytes, TIMING_LINE - address % TIMING_LINE);
        uint64_t there = time;
        read_line(contention, address, here, &there);
        uint32_t clocks = most_u32(1, here * TIMING_BUS_LINE / TIMING_LINE);
        end = most_u64(end, timeline_take(&contention->bus, there, clocks));
        address += here;
        bytes -= here;
    }
    return end;
}

/* --- writes --- */

/* Writes bytes of one line. */
static uint64_t write_line(struct contention *contention, uint32_t address, uint32_t bytes,
                           uint64_t time)
{
    uint32_t number = (address & BUS_ADDRESS_MASK) / TIMING_LINE, dropped;
    enum alias alias = alias_of(address);
    if (alias == ALIAS_DIRECT || (alias == ALIAS_COHERENT && !is_there(contention, number)))
        return use_sdram(contention, address, bytes, true, time);
    bool hit = touch_line(contention, number, true, &dropped);
    write_back(contention, dropped, time);
    if (!hit && bytes < TIMING_LINE)
        use_sdram(contention, address, TIMING_LINE, false, time);
    return time;
}

bool contention_holds(const struct contention *contention, uint32_t address)
{
    uint32_t number = (address & BUS_ADDRESS_MASK) / TIMING_LINE;
    return alias_of(address) != ALIAS_DIRECT &&
           contention->line[number % TRAFFIC_SETS][0] == (DIRTY | (number + 1));
}

uint64_t contention_write(struct contention *contention, uint32_t address, uint32_t bytes,
                          uint64_t time)
{
    uint64_t end = time;
    while (bytes) {
        uint32_t here = least_u32(bytes, TIMING_LINE - address % TIMING_LINE);
        end = most_u64(end, write_line(contention, address, here, time));
        address += here;
        bytes -= here;
    }
    return end;
}
