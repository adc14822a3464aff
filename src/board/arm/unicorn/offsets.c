/* SPDX-License-Identifier: MIT */
/* offsets.c - the address and status of a fault, which Unicorn 2.0 keeps but does not report.
 *
 * A saved context of Unicorn contains the fault's address after the fault's status. Their place in
 * the context is found by a small program in an engine of its own, which makes a fault at an address
 * that nothing else contains.
 *
 * Source: Unicorn 2.0.1, qemu/target/arm/cpu.h (struct exception) and tlb_helper.c. */
#include "board/arm/unicorn/core.h"

#include <string.h>

enum { MEMORY = 0x10000, TABLE = 0x4000, CODE = 0x8000, TRANSLATION_FAULT = 5 };

#define FAULT_ADDRESS UINT32_C(0x9d3c5a74)

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

/* Executes a load from FAULT_ADDRESS, with address translation on and no table entry for the
 * address. */
static bool run_probe(struct probe *probe, uint8_t *memory)
{
    static const uint32_t code[] = {
        0xee020f10, /* mcr p15, 0, r0, c2, c0, 0: the table's address */
        0xee031f10, /* mcr p15, 0, r1, c3, c0, 0: domains */
        0xee112f10, /* mrc p15, 0, r2, c1, c0, 0 */
        0xe3822001, /* orr r2, r2, #1 */
        0xee012f10, /* mcr p15, 0, r2, c1, c0, 0: translation on */
        0xe5934000, /* ldr r4, [r3] */
    };
    const uint32_t section = 0xc02, table = TABLE, domains = 1, address = FAULT_ADDRESS;
    memset(memory, 0, MEMORY);
    memcpy(memory + CODE, code, sizeof code);
    memcpy(memory + TABLE, &section, sizeof section);
    uc_hook hook;
    return uc_mem_map_ptr(probe->uc, 0, MEMORY, UC_PROT_ALL, memory) == UC_ERR_OK &&
           uc_mem_map(probe->uc, FAULT_ADDRESS & ~UINT32_C(0xfff), 0x1000, UC_PROT_ALL) == UC_ERR_OK &&
           uc_hook_add(probe->uc, &hook, UC_HOOK_INTR, (void *)stop, probe, 1, 0) == UC_ERR_OK &&
           uc_reg_write(probe->uc, UC_ARM_REG_R0, &table) == UC_ERR_OK &&
           uc_reg_write(probe->uc, UC_ARM_REG_R1, &domains) == UC_ERR_OK &&
           uc_reg_write(probe->uc, UC_ARM_REG_R3, &address) == UC_ERR_OK &&
           uc_emu_start(probe->uc, CODE, CODE + sizeof code, 0, 0) == UC_ERR_OK;
}

/* Searches the saved context for a 64-bit FAULT_ADDRESS after a status of TRANSLATION_FAULT. */
static bool search(const struct probe *probe, struct uc_offsets *offsets)
{
    const uint8_t *bytes = (const uint8_t *)probe->context;
    size_t size = uc_context_size(probe->uc);
    for (size_t at = 8; at + 8 <= size; at += 4) {
        uint64_t address;
        uint32_t status;
        memcpy(&address, bytes + at, sizeof address);
        memcpy(&status, bytes + at - 4, sizeof status);
        if (address == FAULT_ADDRESS && status == TRANSLATION_FAULT) {
            offsets->fault_address = at;
            return true;
        }
    }
    return false;
}

bool uc_find_offsets(struct uc_offsets *offsets)
{
    static _Alignas(4096) uint8_t memory[MEMORY];
    struct probe probe = {0};
    bool found = uc_open(UC_ARCH_ARM, UC_MODE_ARM, &probe.uc) == UC_ERR_OK &&
                 uc_ctl_set_cpu_model(probe.uc, UC_CPU_ARM_1176) == UC_ERR_OK &&
                 uc_context_alloc(probe.uc, &probe.context) == UC_ERR_OK &&
                 run_probe(&probe, memory) && search(&probe, offsets);
    if (probe.context)
        uc_context_free(probe.context);
    if (probe.uc)
        uc_close(probe.uc);
    return found;
}

bool uc_fault(const struct uc_core *core, uint64_t *address, uint32_t *status)
{
    size_t at = core->offsets.fault_address;
    if (!at || uc_context_save(core->uc, core->context) != UC_ERR_OK)
        return false;
    const uint8_t *bytes = (const uint8_t *)core->context;
    memcpy(address, bytes + at, sizeof *address);
    memcpy(status, bytes + at - 4, sizeof *status);
    return true;
}
