/* SPDX-License-Identifier: MIT */
/* core.h - a core of the Unicorn engine, and the functions that the files of this folder share. */
#ifndef BOARD_ARM_UNICORN_CORE_H
#define BOARD_ARM_UNICORN_CORE_H

#include <unicorn/unicorn.h>

#include "board/arm/engine.h"

enum {
    UC_BLOCKS = 1 << 14, /* entries of the table of blocks */
    UC_TRAPS = 1 << 10,  /* largest number of instructions that the engine executes itself */
    UC_BREAKPOINTS = 64,
    UC_READS = 64,   /* latest reads of registers, for polls.c */
    UC_UNTRIED = 16, /* entries of the table of loops that are not tried */
    UC_THUMB = 1,    /* bit 0 of a code address: Thumb */
};

/* A translated sequence of instructions, as Unicorn reports it. */
struct uc_block {
    uint64_t address; /* virtual */
    uint32_t bytes;   /* 0 for a free entry */
    uint16_t instructions;
    bool thumb;
    bool idle;           /* a branch to itself */
    bool plain;          /* no instruction stores, uses a coprocessor, or changes the core's mode */
    uint8_t load, store; /* index of the only instruction that may load or store, or a UC_ value */
    const uint8_t *code; /* the instructions in RAM, or NULL if they cross a page */
};

/* A read of a device register, or of a system register that the engine executes. */
struct uc_read {
    uint64_t pc, address; /* physical address; of a system register its action, see timers.h */
    uint64_t value, cycle;
    uint8_t size, timer; /* bytes, 0 for a system register; number of the generic timer */
};

/* A loop that is not described in the next `left` iterations. */
struct uc_untried {
    uint64_t pc;
    unsigned left, next;
};

/* For .load and .store: no such instruction, or several. */
enum { UC_NONE = 0xff, UC_SEVERAL = 0xfe };

/* A read of a device register that may repeat without effects. */
struct uc_poll {
    uint64_t pc, address, value, cycle;
    bool has_registers;
    uint64_t registers[32];
    uint32_t psr;
};

/* Where Unicorn keeps what a program cannot read: offsets in bytes into a saved context. */
struct uc_offsets {
    size_t report;     /* syndrome, fault status, fault address (64 bits), level that takes it */
    size_t level_word; /* see levels.c */
};

/* The latest exception that Unicorn reported. */
struct uc_report {
    uint32_t syndrome, status;
    uint64_t address;
    uint32_t target;
};

/* Physical address of a page of instructions for levels.c, outside of RAM and peripherals. */
#define UC_STUB (UINT64_C(1) << 32)

struct uc_core {
    struct arm_core core; /* the shared part, first */
    struct arm_options options;
    uc_engine *uc;
    uc_context *context; /* scratch */
    struct uc_offsets offsets;
    bool wide;                                                                    /* 64 bits */
    void (*on_trap)(uc_engine *uc, uint64_t address, uint32_t bytes, void *core); /* for `traps` */

    const struct uc_block *block, *before; /* the block that executes, and the previous one */
    uint64_t block_start;                  /* cycle of the block's first instruction */
    unsigned next_access; /* index of the first instruction that may make the next access */
    struct uc_block blocks[UC_BLOCKS];
    struct uc_poll poll;            /* the latest access, if it was a read */
    bool pure;                      /* only plain blocks have run since the latest access */
    struct uc_read reads[UC_READS]; /* since the latest access with effects */
    unsigned read_count;
    struct uc_untried untried[UC_UNTRIED];
    unsigned blocks_run, blocks_wait; /* blocks since the last loop was tried; until the next */

    /* Addresses plus 1 of instructions that the engine executes itself; a hash table, 0 is free. */
    uint64_t traps[2 * UC_TRAPS];
    unsigned trap_count;

    uint64_t breakpoints[UC_BREAKPOINTS];
    uc_hook breakpoint_hooks[UC_BREAKPOINTS];
    unsigned breakpoint_count;
    uint64_t resumed_at; /* address of the breakpoint from which the core continues, or 1 */

    bool stopping; /* run() returns stop */
    bool resumes;  /* run() has stopped before a block, and continues at `resume` */
    uint64_t resume;
    enum arm_stop stop;
    bool stepping, stepped;      /* step() executes; it has executed its instruction */
    uint64_t step_pc;            /* address of that instruction */
    bool forget_all;             /* all translated code is discarded before the core continues */
    uint64_t cycle_counter_base; /* cycle at which the performance monitor's counter was 0 */
};

/* --- words.c --- */

/* Ends run(), which returns reason. To be called in a hook. */
void uc_stop(struct uc_core *core, enum arm_stop reason);

/* Ends the current block before the instruction at pc: the cycles of this instruction and the later
 * ones do not count. */
void uc_cut_block(struct uc_core *core, uint64_t pc);

/* Reads the instruction at a virtual address. bytes is 2 or 4; a 32-bit Thumb instruction has its
 * first halfword in bits 31:16. Returns false if the address is not in RAM. */
bool uc_instruction(const struct uc_core *core, uint64_t address, uint32_t *word, unsigned *bytes);

/* --- blocks.c --- */

/* Returns the entry of a block that is not in the table. Counts its instructions, and hooks the
 * instructions that the engine executes itself. Sets *hooked if such an instruction is new, so that
 * Unicorn must translate the block again. */
const struct uc_block *uc_add_block(struct uc_core *core, uint64_t address, uint32_t bytes,
                                    bool *hooked);

/* Returns the entry of a block's address. */
static inline struct uc_block *uc_block_entry(struct uc_core *core, uint64_t address)
{
    return &core->blocks[address >> 1 & (UC_BLOCKS - 1)];
}

/* Returns the index of the instruction at pc in the current block. */
unsigned uc_index_of(const struct uc_core *core, uint64_t pc);

/* Reads the instruction at byte `offset` of a block, as uc_instruction() does. */
bool uc_block_word(const struct uc_core *core, const struct uc_block *block, uint32_t offset,
                   uint32_t *word, unsigned *bytes);

/* --- accesses.c --- */

/* What an instruction may access. */
enum { UC_LOADS = 1, UC_STORES = 2 };
unsigned uc_accesses_of(const struct uc_core *core, uint32_t word, unsigned bytes, bool thumb);

/* Stores registers 0 to 14 of a 32-bit core. */
void uc_read_registers(const struct uc_core *core, uint32_t *registers);

/* Returns the address of the instruction of the current block that makes an access to an address of
 * RAM or of a device. Unicorn does not report the instruction; it follows from the registers. */
uint64_t uc_accessing(struct uc_core *core, uint64_t address, unsigned size, bool store);

/* --- polls.c --- */

/* Called after a read of a device register. If the core polls the register, moves its cycle to the
 * last repetition before the limit that has no effects. Returns the value that the read returns. */
uint64_t uc_skip_polls(struct uc_core *core, const struct arm_access *access, uint64_t value);

/* The same for a read of a system register, before its value is stored. The value follows from the
 * core's cycle. */
void uc_skip_system_polls(struct uc_core *core, const struct uc_read *read);

/* Called before the current block executes. If the core waits for a change of RAM, moves its cycle
 * as uc_skip_polls() does. */
void uc_skip_spins(struct uc_core *core);

/* Called after an access with effects. */
static inline void uc_forget_polls(struct uc_core *core)
{
    core->poll = (struct uc_poll){.pc = 1};
    core->read_count = 0;
}

/* --- exceptions.c --- */

enum uc_exception { UC_RESET, UC_UNDEFINED, UC_CALL, UC_PREFETCH, UC_DATA, UC_HYP, UC_IRQ, UC_FIQ };

/* Enters an exception of 32-bit execution. pc is the address of the instruction that caused the
 * exception, of the next instruction for UC_CALL, UC_IRQ and UC_FIQ. */
void uc_enter(struct uc_core *core, enum uc_exception exception, uint32_t pc);

/* Enters the exception that Unicorn reports by a number. */
void uc_reported(struct uc_core *core, uint32_t number);

/* Takes a pending interrupt, before the instruction at pc, if the core does not mask it. Returns
 * true if it did. */
bool uc_take_interrupt(struct uc_core *core, uint64_t pc);

/* --- exceptions64.c --- */

/* Enters the exception that Unicorn reports, and takes a pending interrupt, in 64-bit execution. */
void uc_reported_wide(struct uc_core *core);
bool uc_take_interrupt_wide(struct uc_core *core, uint64_t pc);

/* --- accesses64.c --- */

/* What a 64-bit core's instruction accesses. */
struct uc_operand {
    bool load, store;
    bool several; /* several registers, of which each is an access */
    uint64_t address;
    unsigned bytes;
};

/* Returns what an instruction of 64-bit execution accesses. registers are x0 to x30 and sp. */
struct uc_operand uc_operand_wide(const uint64_t *registers, uint64_t pc, uint32_t word);

/* --- levels.c --- */

/* Finds the offsets that uc_enter_level() needs, and maps the page of its instruction. Returns
 * false if this version of Unicorn keeps its state in another way. */
bool uc_prepare_levels(struct uc_core *core);

/* Continues at an address with a processor state: exception level, stack pointer and masks as in
 * SPSR. */
void uc_enter_level(struct uc_core *core, uint64_t pc, uint32_t state);

/* --- traps64.c --- */

bool uc_is_trap_wide(uint32_t word);
void uc_trap_wide(struct uc_core *core, uint64_t pc);

/* --- traps.c --- */

/* Returns true if the engine executes the instruction itself, because Unicorn executes it in
 * another way than the core, or because the board must know. */
bool uc_is_trap(const struct uc_core *core, uint32_t word, unsigned bytes);

/* Executes such an instruction, at pc. */
void uc_trap(struct uc_core *core, uint64_t pc);

/* --- registers.c --- */

uint32_t uc_get32(const struct uc_core *core, int reg);
void uc_set32(const struct uc_core *core, int reg, uint32_t value);

/* Read and write a register of coprocessor 15. */
uint64_t uc_cp15(const struct uc_core *core, unsigned crn, unsigned opc1, unsigned crm,
                 unsigned opc2);
void uc_set_cp15(const struct uc_core *core, unsigned crn, unsigned opc1, unsigned crm,
                 unsigned opc2, uint64_t value);

/* Read and write a system register by the fields of an instruction. */
uint64_t uc_system(const struct uc_core *core, unsigned op0, unsigned op1, unsigned crn,
                   unsigned crm, unsigned op2);
void uc_set_system(const struct uc_core *core, unsigned op0, unsigned op1, unsigned crn,
                   unsigned crm, unsigned op2, uint64_t value);

/* Returns the processor state, as in SPSR. */
uint32_t uc_state(const struct uc_core *core);

/* Continues at an address. With 32 bits, bit 0 is the Thumb state. */
void uc_set_pc(struct uc_core *core, uint64_t pc);

/* Returns the address of the next instruction; with 32 bits, with UC_THUMB. */
uint64_t uc_pc(const struct uc_core *core);

uint64_t uc_get(const struct arm_core *shared, unsigned reg);
void uc_set(struct arm_core *shared, unsigned reg, uint64_t value);
size_t uc_state_size(const struct arm_core *shared);
void uc_save(const struct arm_core *shared, void *to);
bool uc_restore(struct arm_core *shared, const void *from, size_t size);

/* --- offsets.c --- */

/* Finds the offset of exceptions by a small program in an engine of its own, of 32 or 64 bits.
 * Returns false if it cannot be found. */
bool uc_find_offsets(struct uc_offsets *offsets, bool wide);

/* Stores the latest exception in *report. Returns false if this version of Unicorn does not show
 * it. */
bool uc_latest_report(const struct uc_core *core, struct uc_report *report);

/* --- translate.c --- */

bool uc_translate(const struct arm_core *shared, uint64_t address, uint64_t *physical);

#endif
