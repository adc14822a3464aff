/* SPDX-License-Identifier: MIT */
/* stores.c - makes stores fast.
 *
 * In:  Unicorn's tables of translated addresses (its TLB); blocks that Unicorn translates.
 * Out: the same tables.
 *
 * Unicorn marks each page in its TLB: a store to a marked page searches for translated code that it
 * changes. This takes a hundred nanoseconds, and Unicorn 2.0 never removes the mark. From time to
 * time, this file removes the marks of pages that contain no translated code. When a block is
 * translated in a page without its mark, the whole TLB is discarded, and the page keeps its mark
 * from then on.
 *
 * The TLB's place in Unicorn's memory is found by a store in an engine of its own. If it cannot be
 * found, stores stay slow.
 *
 * Source: Unicorn 2.0.1, qemu/include/exec/cpu-defs.h (CPUTLBDescFast and CPUTLBEntry, which lie
 *         before the registers), qemu/accel/tcg/cputlb.c (the mark is TLB_NOTDIRTY).
 * Choices: the time between two searches doubles while there is nothing to do. The table in which
 *          the latest search found marks is searched first, and the others only if it has none. */
#define _GNU_SOURCE /* memmem(), process_vm_readv() */
#include "board/arm/unicorn/core.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/bits.h"

enum {
    ENTRY = 32,              /* bytes of an entry of the TLB */
    SMALLEST_PAGE = 1 << 10, /* flags of an entry are below */
    PAGE_SHIFT = 12,
    LARGEST_TABLE = 1 << 22, /* entries */
    CPU_SIZE = 0x20000,      /* bytes of a CPU that are searched for its registers */
    REGISTERS = 512,         /* bytes of registers that are compared */
    BEFORE_REGISTERS = 512,  /* bytes before the registers in which the list of tables lies */
    SHORTEST = 512,          /* blocks between two searches */
    LONGEST = 16384,
    MEMORY = 0x4000, /* of the engine that makes a store */
    START = 0x1000,
    STORED = 0x2000,
};

#define MAGIC UINT32_C(0x9d3c5a74)

/* A table of the TLB, as Unicorn describes it. */
struct table {
    uint64_t mask; /* (number of entries - 1) * ENTRY */
    uint8_t *entries;
};

/* An entry of the TLB: virtual addresses of a page for stores and for code, with flags in their low
 * bits, and the host address minus the virtual address. */
struct entry {
    uint64_t write, code, host;
};

static struct entry read_entry(const uint8_t *at, bool wide)
{
    struct entry entry = {0};
    unsigned word = wide ? 8 : 4;
    memcpy(&entry.write, at + word, word);
    memcpy(&entry.code, at + 2 * (size_t)word, word);
    memcpy(&entry.host, at + (wide ? 24 : 16), 8);
    return entry;
}

static void set_write(uint8_t *at, bool wide, uint64_t value)
{
    unsigned word = wide ? 8 : 4;
    memcpy(at + word, &value, word);
}

/* --- finding the tables --- */

/* Copies bytes of this process. Returns the number of bytes before the first that is not mapped, in
 * pages of the host. */
static size_t peek(const uint8_t *from, uint8_t *to, size_t size)
{
    size_t done = 0;
    while (done < size) {
        size_t piece = 0x1000 - ((uintptr_t)from + done) % 0x1000;
        piece = piece < size - done ? piece : size - done;
        struct iovec target = {to + done, piece},
                     source = {(void *)(uintptr_t)(from + done), piece};
        if (process_vm_readv(getpid(), &target, 1, &source, 1, 0) != (ssize_t)piece)
            return done;
        done += piece;
    }
    return done;
}

/* Returns Unicorn's copy of the registers in a context that was saved before. */
static const uint8_t *registers_of(uc_engine *uc, const uc_context *context)
{
    size_t rest, size = uc_context_size(uc);
    memcpy(&rest, context, sizeof rest);
    return rest < size && rest >= REGISTERS ? (const uint8_t *)context + (size - rest) : NULL;
}

/* Returns the address in word `index` of an engine. */
static uint8_t *pointer_at(uc_engine *uc, size_t index)
{
    uint8_t *pointer;
    memcpy(&pointer, (uint8_t *)uc + index * sizeof pointer, sizeof pointer);
    return pointer;
}

/* Finds the engine's CPU, which contains the registers. Of all objects to which the engine points,
 * it begins nearest before them. The saved context, which contains a copy, may follow any object.
 */
static bool find_cpu(uc_engine *uc, const uint8_t *registers, struct uc_tlb *tlb)
{
    uint8_t *bytes = malloc(CPU_SIZE + REGISTERS);
    size_t nearest = CPU_SIZE;
    for (size_t i = 0; bytes && i < malloc_usable_size(uc) / sizeof(void *); i++) {
        size_t size = peek(pointer_at(uc, i), bytes, nearest + REGISTERS - 1);
        const uint8_t *found = size ? memmem(bytes, size, registers, REGISTERS) : NULL;
        size_t offset = found ? (size_t)(found - bytes) : 0;
        if (offset < BEFORE_REGISTERS || pointer_at(uc, i) + offset == registers)
            continue;
        tlb->cpu = i;
        tlb->registers = nearest = offset;
    }
    free(bytes);
    return nearest < CPU_SIZE;
}

static struct table table_at(const uint8_t *at)
{
    struct table table;
    memcpy(&table, at, sizeof table);
    return table;
}

static bool is_table(const uint8_t *at)
{
    uint8_t entry[ENTRY];
    struct table table = table_at(at);
    uint64_t count = table.mask / ENTRY + 1;
    return table.mask % ENTRY == 0 && count > 1 && count <= LARGEST_TABLE &&
           (count & (count - 1)) == 0 && (uintptr_t)table.entries % 8 == 0 &&
           peek(table.entries, entry, ENTRY) == ENTRY;
}

/* Finds the list of tables before the registers. */
static bool find_list(uc_engine *uc, struct uc_tlb *tlb)
{
    const uint8_t *cpu = pointer_at(uc, tlb->cpu);
    size_t at = tlb->registers - sizeof(struct table);
    size_t first = tlb->registers - BEFORE_REGISTERS;
    while (at > first && !is_table(cpu + at))
        at -= 8;
    while (at > first && is_table(cpu + at)) {
        tlb->list = at;
        tlb->count++;
        at -= sizeof(struct table);
    }
    return tlb->count != 0;
}

/* Finds the mark in the entry of the page to which the engine has stored. */
static bool find_mark(uc_engine *uc, const uint8_t *memory, bool wide, struct uc_tlb *tlb)
{
    const uint8_t *list = pointer_at(uc, tlb->cpu) + tlb->list;
    for (unsigned i = 0; i < tlb->count; i++) {
        struct table table = table_at(list + i * sizeof table);
        for (uint64_t at = 0; at <= table.mask; at += ENTRY) {
            struct entry entry = read_entry(table.entries + at, wide);
            uint64_t flags = entry.write % SMALLEST_PAGE, page = entry.write - flags;
            if (page == STORED && entry.host + page == (uintptr_t)memory + STORED && flags &&
                (flags & (flags - 1)) == 0) {
                tlb->mark = (uint32_t)flags;
                return true;
            }
        }
    }
    return false;
}

/* Executes a store in an engine, whose register 5 has a value that nothing else has. */
static bool run_store(uc_engine *uc, uint8_t *memory, bool wide)
{
    const uint32_t code = wide ? 0xb9000061 : 0xe5831000; /* str r1, [r3] */
    const uint64_t target = STORED, magic = MAGIC;
    memcpy(memory + START, &code, sizeof code);
    return uc_mem_map_ptr(uc, 0, MEMORY, UC_PROT_ALL, memory) == UC_ERR_OK &&
           uc_reg_write(uc, wide ? (int)UC_ARM64_REG_X3 : (int)UC_ARM_REG_R3, &target) ==
               UC_ERR_OK &&
           uc_reg_write(uc, wide ? (int)UC_ARM64_REG_X5 : (int)UC_ARM_REG_R5, &magic) ==
               UC_ERR_OK &&
           uc_emu_start(uc, START, START + 4, 0, 0) == UC_ERR_OK;
}

bool uc_find_tlb(struct uc_tlb *tlb, bool wide)
{
    static _Alignas(4096) uint8_t memory[MEMORY];
    uc_engine *uc = NULL;
    uc_context *context = NULL;
    const uint8_t *registers = NULL;
    bool found = uc_open(wide ? UC_ARCH_ARM64 : UC_ARCH_ARM, UC_MODE_ARM, &uc) == UC_ERR_OK &&
                 uc_context_alloc(uc, &context) == UC_ERR_OK && run_store(uc, memory, wide) &&
                 uc_context_save(uc, context) == UC_ERR_OK &&
                 (registers = registers_of(uc, context)) && find_cpu(uc, registers, tlb) &&
                 find_list(uc, tlb) && find_mark(uc, memory, wide, tlb);
    if (context)
        uc_context_free(context);
    if (uc)
        uc_close(uc);
    if (!found)
        *tlb = (struct uc_tlb){0};
    return found;
}

/* --- pages --- */

/* Returns the number of the page of RAM at a host address, or the number of pages for other
 * addresses. */
static uint64_t page_at(const struct uc_core *core, uint64_t host)
{
    uint64_t offset = host - (uintptr_t)core->options.ram.bytes;
    uint64_t size = core->options.ram.size;
    return (offset < size ? offset : size) >> PAGE_SHIFT;
}

static const uint8_t *list_of(const struct uc_core *core)
{
    return pointer_at(core->uc, core->tlb.cpu) + core->tlb.list;
}

/* Takes the mark from the pages of a table that contain no code. Returns the number of pages. */
static unsigned clean(struct uc_core *core, struct table table)
{
    unsigned cleaned = 0;
    for (uint64_t at = 0; at <= table.mask; at += ENTRY) {
        struct entry entry = read_entry(table.entries + at, core->wide);
        if (entry.write % SMALLEST_PAGE != core->tlb.mark)
            continue;
        uint64_t address = entry.write - core->tlb.mark;
        uint64_t page = page_at(core, entry.host + address);
        if (page == core->options.ram.size >> PAGE_SHIFT || core->pages[page] & UC_PAGE_CODE)
            continue;
        core->pages[page] |= UC_PAGE_FAST;
        set_write(table.entries + at, core->wide, address);
        cleaned++;
    }
    return cleaned;
}

/* Cleans all tables, and notes the one with the most marks. */
static unsigned clean_all(struct uc_core *core, const uint8_t *list)
{
    unsigned sum = 0, most = 0;
    for (unsigned i = 0; i < core->tlb.count; i++) {
        unsigned cleaned = clean(core, table_at(list + i * sizeof(struct table)));
        if (cleaned > most)
            core->clean_table = i;
        most = cleaned > most ? cleaned : most;
        sum += cleaned;
    }
    return sum;
}

void uc_clean_stores(struct uc_core *core)
{
    const uint8_t *list = list_of(core);
    unsigned cleaned = 0;
    if (core->clean_table < core->tlb.count)
        cleaned = clean(core, table_at(list + core->clean_table * sizeof(struct table)));
    if (!cleaned)
        cleaned = clean_all(core, list);
    if (cleaned)
        core->clean_interval = SHORTEST;
    else if (core->clean_interval < LONGEST)
        core->clean_interval *= 2;
    core->clean_in = core->clean_interval;
}

void uc_discard_tlb(struct uc_core *core)
{
    if (!core->wide) {
        uc_set_cp15(core, 8, 0, 7, 0, 0); /* TLBIALL */
        return;
    }
    uc_set_system(core, 1, 0, 8, 7, 0, 0); /* TLBI VMALLE1 */
    uc_set_system(core, 1, 4, 8, 7, 0, 0); /* TLBI ALLE2 */
    uc_set_system(core, 1, 6, 8, 7, 0, 0); /* TLBI ALLE3 */
}

/* All pages keep their marks from now on. */
static void give_up(struct uc_core *core)
{
    memset(core->pages, UC_PAGE_CODE, core->options.ram.size >> PAGE_SHIFT);
    memset(core->hashes, 0, (core->options.ram.size >> PAGE_SHIFT) * sizeof *core->hashes);
    uc_discard_tlb(core);
}

/* Four lanes at once: the hash of base/hash.h takes a step for each byte, and this one is computed
 * for each block that Unicorn translates. */
uint64_t uc_hash_page(const struct uc_core *core, uint64_t page)
{
    enum { LANES = 4, WORDS = 1 << (PAGE_SHIFT - 3) };
    const uint8_t *bytes = core->options.ram.bytes + (page << PAGE_SHIFT);
    uint64_t lanes[LANES] = {1, 2, 3, 4}, hash = 0;
    for (unsigned i = 0; i < WORDS; i += LANES)
        for (unsigned lane = 0; lane < LANES; lane++)
            lanes[lane] = (lanes[lane] ^ load_le64(bytes + 8 * (i + lane))) *
                          UINT64_C(0x9e3779b97f4a7c15);
    for (unsigned lane = 0; lane < LANES; lane++)
        hash = (hash ^ lanes[lane] ^ lanes[lane] >> 32) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ? hash : 1;
}

/* Notes the content of a page from which Unicorn has translated code. */
static void mark_code(struct uc_core *core, uint64_t page)
{
    if (page == core->options.ram.size >> PAGE_SHIFT)
        return;
    uint64_t hash = uc_hash_page(core, page);
    if (core->pages[page] & UC_PAGE_CODE) {
        if (core->hashes[page] != hash)
            core->hashes[page] = 0;
        return;
    }
    core->hashes[page] = hash;
    bool fast = core->pages[page] & UC_PAGE_FAST;
    core->pages[page] = UC_PAGE_CODE;
    if (fast)
        uc_discard_tlb(core);
}

/* Marks the page of an instruction that Unicorn has just translated, so that it is in the TLB.
 * Returns false if it is not. */
static bool note_code(struct uc_core *core, uint64_t address)
{
    const uint8_t *list = list_of(core);
    uint64_t page = address & ~UINT64_C(0xfff), host[2 * UC_TLB_TABLES];
    unsigned count = 0;
    for (unsigned i = 0; i < core->tlb.count; i++) {
        struct table table = table_at(list + i * sizeof table);
        for (uint64_t at = 0; at <= table.mask && count < 2 * UC_TLB_TABLES; at += ENTRY) {
            struct entry entry = read_entry(table.entries + at, core->wide);
            if ((entry.code & ~UINT64_C(0xfff)) == page && (entry.code & 0x200) == 0)
                host[count++] = entry.host + page;
        }
    }
    for (unsigned i = 0; i < count; i++)
        if (i == 0 || host[i] != host[i - 1]) /* several tables can have the same page */
            mark_code(core, page_at(core, host[i]));
    return count != 0;
}

void uc_note_start(struct uc_core *core, uint64_t physical)
{
    if (core->pages)
        mark_code(core, page_at(core, (uintptr_t)core->options.ram.bytes + physical));
}

static void on_translated(uc_engine *uc, uc_tb *block, uc_tb *before, void *user)
{
    (void)uc;
    (void)before;
    struct uc_core *core = user;
    uint64_t last = block->pc + (block->size ? block->size - 1U : 0);
    bool found = note_code(core, block->pc);
    if ((last ^ block->pc) >> PAGE_SHIFT)
        found &= note_code(core, last);
    if (!found)
        give_up(core);
}

bool uc_open_stores(struct uc_core *core)
{
    uc_hook hook;
    core->clean_in = core->clean_interval = UINT32_MAX;
    if (!core->tlb.count || core->options.ports->touch) /* fast stores are not reported */
        return true;
    core->pages = calloc(core->options.ram.size >> PAGE_SHIFT, 1);
    core->hashes = calloc(core->options.ram.size >> PAGE_SHIFT, sizeof *core->hashes);
    if (!core->pages || !core->hashes ||
        uc_hook_add(core->uc, &hook, UC_HOOK_EDGE_GENERATED, (void *)on_translated, core, 1, 0) !=
            UC_ERR_OK)
        return false;
    core->clean_in = core->clean_interval = SHORTEST;
    return true;
}
