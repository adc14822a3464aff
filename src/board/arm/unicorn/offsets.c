/* SPDX-License-Identifier: MIT */
/* offsets.c - the syndrome, address and level of an exception, and the exclusive monitor, which
 * Unicorn 2.0 keeps but does not report.
 *
 * In:  a core after an exception.
 * Out: the exception; the place of the monitor.
 *
 * A saved context of Unicorn contains them. Their place in the context is found by a small program
 * in an engine of its own, which makes a fault at an address that nothing else contains, and loads
 * exclusively from an address and a value that nothing else contains.
 *
 * Source: Unicorn 2.0.1, qemu/target/arm/cpu.h (struct exception) and tlb_helper.c. */
#include "board/arm/unicorn/core.h"

#include <string.h>

enum {
    MEMORY = 0x10000,
    TABLE = 0x4000,
    CODE = 0x8000,
    EXCLUSIVE = 0xabc8,
    TRANSLATION_FAULT = 5,
    ALIGNMENT_FAULT = 1
};

#define FAULT_ADDRESS UINT32_C(0x9d3c5a74)

/* Loaded exclusively. */
static const uint64_t exclusive_value = 0x71c58e93;

struct probe {
    uc_engine *uc;
    uc_context *context;
};

static void stop(uc_engine *uc, uint32_t number, void *user)
{
    (void)number;
    struct probe *probe = user;
    uc_context_save(uc, probe->context);
    uc_emu_stop(uc);
}

/* An exclusive load from r5, and a load from r3 with address translation on and no table entry for
 * the address. */
static const uint32_t code_32[] = {
    0xe1956f9f, /* ldrex r6, [r5] */
    0xee020f10, /* mcr p15, 0, r0, c2, c0, 0: the table's address */
    0xee031f10, /* mcr p15, 0, r1, c3, c0, 0: domains */
    0xee112f10, /* mrc p15, 0, r2, c1, c0, 0 */
    0xe3822001, /* orr r2, r2, #1 */
    0xee012f10, /* mcr p15, 0, r2, c1, c0, 0: translation on */
    0xe5934000, /* ldr r4, [r3] */
};

/* Exclusive loads from x4, and from x3 + 1, which must be aligned. */
static const uint32_t code_64[] = {
    0xc85f7c85, /* ldxr x5, [x4] */
    0x91000463, /* add x3, x3, #1 */
    0xc85f7c61, /* ldxr x1, [x3] */
};

static bool set_32(const struct probe *probe)
{
    const uint32_t table = TABLE, domains = 1, address = FAULT_ADDRESS, word = EXCLUSIVE;
    return uc_reg_write(probe->uc, UC_ARM_REG_R5, &word) == UC_ERR_OK &&
           uc_reg_write(probe->uc, UC_ARM_REG_R0, &table) == UC_ERR_OK &&
           uc_reg_write(probe->uc, UC_ARM_REG_R1, &domains) == UC_ERR_OK &&
           uc_reg_write(probe->uc, UC_ARM_REG_R3, &address) == UC_ERR_OK;
}

static bool set_64(const struct probe *probe)
{
    const uint64_t address = FAULT_ADDRESS, word = EXCLUSIVE;
    return uc_reg_write(probe->uc, UC_ARM64_REG_X4, &word) == UC_ERR_OK &&
           uc_reg_write(probe->uc, UC_ARM64_REG_X3, &address) == UC_ERR_OK;
}

static bool run_probe(struct probe *probe, uint8_t *memory, bool wide)
{
    const uint32_t section = 0xc02;
    memset(memory, 0, MEMORY);
    memcpy(memory + CODE, wide ? code_64 : code_32, wide ? sizeof code_64 : sizeof code_32);
    memcpy(memory + TABLE, &section, sizeof section);
    memcpy(memory + EXCLUSIVE, &exclusive_value, sizeof exclusive_value);
    uc_hook hook;
    uint64_t end = CODE + (wide ? sizeof code_64 : sizeof code_32);
    return uc_mem_map_ptr(probe->uc, 0, MEMORY, UC_PROT_ALL, memory) == UC_ERR_OK &&
           uc_mem_map(probe->uc, FAULT_ADDRESS & ~UINT32_C(0xfff), 0x1000, UC_PROT_ALL) ==
               UC_ERR_OK &&
           uc_hook_add(probe->uc, &hook, UC_HOOK_INTR, (void *)stop, probe, 1, 0) == UC_ERR_OK &&
           (wide ? set_64(probe) : set_32(probe)) &&
           uc_emu_start(probe->uc, CODE, end, 0, 0) == UC_ERR_OK;
}

/* Searches the saved context for the address and the value of the exclusive load. */
static void search_monitor(const struct probe *probe, struct uc_offsets *offsets)
{
    const uint8_t *bytes = (const uint8_t *)probe->context;
    size_t size = uc_context_size(probe->uc);
    for (size_t at = 0; at + 24 <= size; at += 4) {
        uint64_t words[2];
        memcpy(words, bytes + at, sizeof words);
        if (words[0] == EXCLUSIVE && words[1] == exclusive_value)
            offsets->monitor = at;
    }
}

/* Searches the saved context for the fault's address after its status. */
static bool search(const struct probe *probe, struct uc_offsets *offsets, bool wide)
{
    const uint8_t *bytes = (const uint8_t *)probe->context;
    size_t size = uc_context_size(probe->uc);
    for (size_t at = 8; at + 16 <= size; at += 4) {
        uint64_t address;
        uint32_t status;
        memcpy(&address, bytes + at, sizeof address);
        memcpy(&status, bytes + at - 4, sizeof status);
        bool fits = wide ? address == FAULT_ADDRESS + 1 && status == ALIGNMENT_FAULT
                         : address == FAULT_ADDRESS && status == TRANSLATION_FAULT;
        if (fits) {
            offsets->report = at - 8;
            return true;
        }
    }
    return false;
}

/* Writes ELR_hyp in Monitor mode, and searches the saved context for it. r1 makes r0, which has the
 * same value, different in 64 bits. */
static void search_hyp_return(struct probe *probe, uint8_t *memory, struct uc_offsets *offsets)
{
    const uint32_t write = 0xe12ef300; /* msr elr_hyp, r0 */
    const uint32_t monitor = 0x1d6, one = 1;
    uc_arm_cp_reg scr = {.cp = 15, .sec = 1, .crn = 1, .crm = 1}; /* secure state */
    const uint64_t expected = FAULT_ADDRESS;
    memcpy(memory + CODE, &write, sizeof write);
    uc_reg_write(probe->uc, UC_ARM_REG_CP_REG, &scr);
    uc_reg_write(probe->uc, UC_ARM_REG_CPSR, &monitor);
    uc_reg_write(probe->uc, UC_ARM_REG_R0, &expected);
    uc_reg_write(probe->uc, UC_ARM_REG_R1, &one);
    if (uc_mem_map_ptr(probe->uc, 0, MEMORY, UC_PROT_ALL, memory) != UC_ERR_OK ||
        uc_emu_start(probe->uc, CODE, CODE + sizeof write, 0, 0) != UC_ERR_OK ||
        uc_context_save(probe->uc, probe->context) != UC_ERR_OK)
        return;
    const uint8_t *bytes = (const uint8_t *)probe->context;
    for (size_t at = 0; at + 8 <= uc_context_size(probe->uc); at += 4)
        if (memcmp(bytes + at, &expected, sizeof expected) == 0)
            offsets->hyp_return = at;
}

static void close_probe(struct probe *probe)
{
    if (probe->context)
        uc_context_free(probe->context);
    if (probe->uc)
        uc_close(probe->uc);
    *probe = (struct probe){0};
}

/* Finds the offset of ELR_hyp. */
static void find_hyp_return(uint8_t *memory, struct uc_offsets *offsets)
{
    struct probe probe = {0};
    if (uc_open(UC_ARCH_ARM, UC_MODE_ARM, &probe.uc) == UC_ERR_OK &&
        uc_ctl_set_cpu_model(probe.uc, UC_CPU_ARM_CORTEX_A7) == UC_ERR_OK &&
        uc_context_alloc(probe.uc, &probe.context) == UC_ERR_OK)
        search_hyp_return(&probe, memory, offsets);
    close_probe(&probe);
}

bool uc_find_offsets(struct uc_offsets *offsets, bool wide)
{
    static _Alignas(4096) uint8_t memory[MEMORY];
    struct probe probe = {0};
    int arch = wide ? UC_ARCH_ARM64 : UC_ARCH_ARM;
    int model = wide ? (int)UC_CPU_ARM64_A53 : (int)UC_CPU_ARM_1176;
    bool found = uc_open((uc_arch)arch, UC_MODE_ARM, &probe.uc) == UC_ERR_OK &&
                 uc_ctl_set_cpu_model(probe.uc, model) == UC_ERR_OK &&
                 uc_context_alloc(probe.uc, &probe.context) == UC_ERR_OK &&
                 run_probe(&probe, memory, wide) && search(&probe, offsets, wide);
    if (found)
        search_monitor(&probe, offsets);
    close_probe(&probe);
    if (!wide)
        find_hyp_return(memory, offsets);
    return found;
}

bool uc_latest_report(const struct uc_core *core, struct uc_report *report)
{
    size_t at = core->offsets.report;
    if (!at || uc_context_save(core->uc, core->context) != UC_ERR_OK)
        return false;
    const uint8_t *bytes = (const uint8_t *)core->context + at;
    memcpy(&report->syndrome, bytes, 4);
    memcpy(&report->status, bytes + 4, 4);
    memcpy(&report->address, bytes + 8, 8);
    memcpy(&report->target, bytes + 16, 4);
    return true;
}
