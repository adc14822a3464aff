/* SPDX-License-Identifier: MIT */
/* loop_access.c - registers, memory and reads of an iteration of a loop.
 *
 * In:  numbers of registers, addresses; the reads of the latest iteration.
 * Out: values, of which some follow a counter.
 *
 * Choices: an iteration may store in RAM, but not in device registers. An ordinary store to a word
 *          that is loaded exclusively ends the description of the loop. */
#include "board/arm/unicorn/loop.h"
#include "board/arm/unicorn/timers.h"

enum { PAGE_BITS = 12, PAGE_MASK = 0xfff };

/* --- registers --- */

struct uc_value uc_loop_get(struct uc_loop *loop, unsigned reg)
{
    if (!(loop->written >> reg & 1))
        loop->live |= UINT32_C(1) << reg;
    return loop->registers[reg];
}

void uc_loop_set(struct uc_loop *loop, unsigned reg, struct uc_value value)
{
    loop->written |= UINT32_C(1) << reg;
    loop->registers[reg] = value;
}

/* --- memory --- */

static bool translate(struct uc_loop *loop, uint64_t address, uint64_t *physical)
{
    uint64_t page = address >> PAGE_BITS;
    for (unsigned i = 0; i < LOOP_PAGES; i++)
        if (loop->pages[i] == page + 1) {
            *physical = loop->frames[i] | (address & PAGE_MASK);
            return true;
        }
    if (!uc_translate(&loop->core->core, address, physical))
        return false;
    loop->pages[loop->next_page] = page + 1;
    loop->frames[loop->next_page] = *physical & ~(uint64_t)PAGE_MASK;
    loop->next_page = (loop->next_page + 1) % LOOP_PAGES;
    return true;
}

/* Returns the physical address of an access, or fails. */
static uint64_t place(struct uc_loop *loop, struct uc_value address, unsigned size)
{
    uint64_t physical = 0, at = uc_value_bits(loop, address);
    if (!loop->core->wide)
        at = (uint32_t)at;
    loop->failed |= at % size != 0 || !translate(loop, at, &physical);
    return physical;
}

/* Returns the cell of a word, or a new one. Words of different sizes must not overlap. */
static struct uc_cell *cell_of(struct uc_loop *loop, uint64_t address, unsigned size)
{
    for (unsigned i = 0; i < loop->cell_count; i++) {
        struct uc_cell *cell = &loop->cells[i];
        if (cell->address == address && cell->size == size)
            return cell;
        loop->failed |= address < cell->address + cell->size && cell->address < address + size;
    }
    if (loop->cell_count == LOOP_CELLS) {
        loop->failed = true;
        return &loop->cells[0];
    }
    struct uc_cell *cell = &loop->cells[loop->cell_count++];
    *cell = (struct uc_cell){.address = address, .size = size};
    return cell;
}

static bool is_ram(const struct uc_loop *loop, uint64_t physical, unsigned size)
{
    return physical + size <= loop->core->options.ram.size;
}

/* --- reads --- */

static bool is_device(const struct uc_read *read)
{
    return read->size != 0;
}

bool uc_counter_at(const struct uc_core *core, const struct uc_read *read, uint64_t cycle,
                   uint64_t *count)
{
    const struct arm_ports *ports = core->options.ports;
    if (is_device(read))
        return read->size == 4 && ports->counter_at(ports->user, read->address, cycle, count);
    switch (read->address) {
    case UC_COUNTER:
    case UC_TIMER_VALUE:
    case UC_TIMER_CONTROL: *count = ports->count_at(ports->user, cycle); return true;
    case UC_CYCLES: *count = cycle - core->cycle_counter_base; return true;
    default: return false;
    }
}

bool uc_reads_counter(const struct uc_core *core, const struct uc_read *read)
{
    uint64_t count;
    return uc_counter_at(core, read, read->cycle, &count) &&
           (is_device(read) || read->address != UC_TIMER_CONTROL);
}

/* Returns the number that a read's counter has in the iteration. */
static struct uc_value new_counter(struct uc_loop *loop, const struct uc_read *read, uint64_t count)
{
    if (loop->counter_count == LOOP_COUNTERS) {
        loop->failed = true;
        return uc_unknown();
    }
    unsigned number = loop->counter_count++;
    loop->counters[number] = (struct uc_counter_read){
        .read = read, .offset = loop->executed, .base = count, .most = UINT64_MAX};
    return (struct uc_value){
        .kind = UC_COUNTS, .counter = (uint8_t)number, .bits = count, .slope = 1};
}

/* Returns what a read of a generic timer returns while it has a count. */
static struct uc_value of_timer(struct uc_loop *loop, const struct uc_read *read,
                                struct uc_value count)
{
    const struct arm_timer_state *timer = &loop->core->core.timers[read->timer];
    if (read->address == UC_TIMER_CONTROL) {
        if (timer->compare > count.bits)
            uc_value_limit(loop, &count, timer->compare - 1 - count.bits, 0);
        return uc_fixed(read->value);
    }
    struct uc_value rest = uc_value_subtract(loop, uc_fixed(timer->compare), count, true);
    return uc_value_and(loop, rest, uc_fixed(UINT32_MAX));
}

/* Returns true if a counter keeps its count so long that the count is taken as a fixed number: the
 * upper half of the system timer. */
static bool stays(const struct uc_loop *loop, const struct uc_read *read, uint64_t count)
{
    enum { LONG = 1 << 30 }; /* cycles */
    uint64_t later;
    return uc_counter_at(loop->core, read, loop->cycle + LONG, &later) && later == count;
}

static struct uc_value value_of(struct uc_loop *loop, const struct uc_read *read)
{
    uint64_t count;
    if (!uc_counter_at(loop->core, read, loop->cycle + loop->executed, &count))
        return uc_fixed(read->value);
    struct uc_value value = new_counter(loop, read, count);
    if (!is_device(read) && read->address != UC_COUNTER && read->address != UC_CYCLES)
        return of_timer(loop, read, value);
    if (stays(loop, read, count)) {
        uc_value_limit(loop, &value, 0, 0);
        return uc_fixed((uint32_t)count);
    }
    bool narrow = is_device(read) || (read->address == UC_CYCLES && !loop->core->wide);
    return narrow ? uc_value_and(loop, value, uc_fixed(UINT32_MAX)) : value;
}

/* Returns the next read of the iteration, which must be at the present instruction. */
static const struct uc_read *next_read(struct uc_loop *loop)
{
    static const struct uc_read none;
    const struct uc_read *read = &loop->reads[loop->next_read];
    if (loop->next_read == loop->read_count || read->pc != loop->pc) {
        loop->failed = true;
        return &none;
    }
    loop->next_read++;
    return read;
}

struct uc_value uc_loop_system(struct uc_loop *loop)
{
    const struct uc_read *read = next_read(loop);
    loop->failed |= is_device(read);
    return loop->failed ? uc_unknown() : value_of(loop, read);
}

static struct uc_value read_device(struct uc_loop *loop, uint64_t address, unsigned size)
{
    const struct uc_read *read = next_read(loop);
    loop->failed |= read->address != address || read->size != size;
    return loop->failed ? uc_unknown() : value_of(loop, read);
}

/* --- accesses --- */

static uint64_t ram_word(const struct uc_loop *loop, uint64_t physical, unsigned size)
{
    const uint8_t *bytes = loop->core->options.ram.bytes + physical;
    uint64_t word = 0;
    for (unsigned i = 0; i < size; i++)
        word |= (uint64_t)bytes[i] << 8 * i;
    return word;
}

struct uc_value uc_loop_load(struct uc_loop *loop, struct uc_value address, unsigned size)
{
    uint64_t physical = place(loop, address, size);
    if (loop->failed)
        return uc_unknown();
    if (!is_ram(loop, physical, size))
        return read_device(loop, physical, size);
    struct uc_cell *cell = cell_of(loop, physical, size);
    if (!cell->live && !cell->written) {
        cell->live = true;
        cell->initial = ram_word(loop, physical, size);
        cell->value = uc_fixed(cell->initial);
    }
    return cell->value;
}

void uc_loop_store(struct uc_loop *loop, struct uc_value address, unsigned size,
                   struct uc_value value)
{
    uint64_t physical = place(loop, address, size);
    if (loop->failed || !is_ram(loop, physical, size)) {
        loop->failed = true;
        return;
    }
    struct uc_cell *cell = cell_of(loop, physical, size);
    loop->failed |= loop->exclusive == physical + 1;
    cell->written = true;
    cell->value = size == 8 ? value
                            : uc_value_and(loop, value, uc_fixed((UINT64_C(1) << 8 * size) - 1));
}

struct uc_value uc_loop_load_exclusive(struct uc_loop *loop, struct uc_value address, unsigned size)
{
    uint64_t physical = place(loop, address, size);
    loop->failed |= !is_ram(loop, physical, size);
    loop->exclusive = physical + 1;
    return uc_loop_load(loop, address, size);
}

struct uc_value uc_loop_store_exclusive(struct uc_loop *loop, struct uc_value address,
                                        unsigned size, struct uc_value value)
{
    loop->failed |= loop->exclusive != place(loop, address, size) + 1;
    loop->exclusive = 0;
    uc_loop_store(loop, address, size, value);
    return uc_fixed(0);
}
