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
    UC_READS = 64,             /* latest reads of registers, for polls.c */
    UC_UNTRIED = 16,           /* entries of the table of loops that are not tried */
    UC_PLACES = 1 << 8,        /* entries of the table of pages */
    UC_STORES_KNOWN = 1 << 12, /* entries of the table of stores */
    UC_WATCHED = 16,           /* ranges of note_accesses() */
    UC_THUMB = 1,              /* bit 0 of a code address: Thumb */
};

/* A translated sequence of instructions, as Unicorn reports it. */
struct uc_block {
    uint64_t address; /* virtual */
    uint32_t bytes;   /* 0 for a free entry */
    uint16_t instructions;
    bool thumb;
    bool idle;           /* a branch to itself */
    bool plain;          /* no instruction stores, uses a coprocessor, or changes the core's mode */
    bool conditional;    /* a store is conditional; only set if touches are reported */
    bool sends_event;    /* an instruction is sev */
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

/* The translation of a page. */
struct uc_place {
    uint64_t page; /* number of the virtual page plus 1; 0 for a free entry */
    uint64_t physical;
    enum arm_memory memory;
};

/* The latest access to memory or a device; zeros if touches are not reported. */
struct uc_touch {
    uint64_t address; /* physical */
    unsigned size;
    bool store;
    enum arm_memory memory;
};

/* The instruction that makes store `number` of a block. */
struct uc_store {
    uint64_t block, pc;
    uint32_t bytes;  /* of the block */
    uint32_t number; /* of the store in the block */
    unsigned next;   /* next_access after the store */
};

/* Where Unicorn keeps what a program cannot read: offsets in bytes into a saved context. */
struct uc_offsets {
    size_t report;     /* syndrome, fault status, fault address (64 bits), level that takes it */
    size_t level_word; /* see levels.c */
    size_t monitor;    /* exclusive monitor: address, value, second value (64 bits each) */
    size_t hyp_return; /* ELR_hyp, 64 bits; 0 with 64 bits */
};

/* Where Unicorn keeps its tables of translated addresses; see stores.c. */
struct uc_tlb {
    size_t cpu;             /* index of the word of an engine that points to its CPU */
    size_t registers, list; /* offsets into the CPU, in bytes: registers; list of tables */
    unsigned count;         /* number of tables; 0 if they are not found */
    uint32_t mark;          /* flag of pages whose stores are slow */
};

enum { UC_TLB_TABLES = 64 }; /* more than the number of tables */

/* What is known of a page of RAM. */
enum {
    UC_PAGE_CODE = 1,    /* it contains translated code */
    UC_PAGE_FAST = 2,    /* it has lost its mark in the TLB */
    UC_PAGE_CHANGED = 4, /* its code was changed by another core or a device */
};

/* The latest exception that Unicorn reported. */
struct uc_report {
    uint32_t syndrome, status;
    uint64_t address;
    uint32_t target;
};

/* Addresses that are not RAM, from a physical address on. */
struct uc_region {
    struct uc_core *core;
    uint64_t base;
};

/* Physical address of a page of instructions for levels.c, outside of RAM and peripherals. */
#define UC_STUB    (UINT64_C(1) << 32)

#define UC_NOWHERE UINT64_C(1) /* no instruction has this address */

/* The block inside of which a restored core is; no bytes if there is none. */
struct uc_rest {
    uint64_t address;
    uint32_t bytes;
    unsigned next_access; /* as in struct uc_core */
};

struct uc_core {
    struct arm_core core; /* the shared part, first */
    struct arm_options options;
    uc_engine *uc;
    uc_context *context; /* scratch */
    struct uc_region regions[4];
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

    /* The core has stopped before an instruction that it was about to execute: a breakpoint there
     * does not stop the core again. */
    bool stopped_before;

    /* For touches.c. */
    struct uc_place places[UC_PLACES];
    struct uc_touch touch;
    uint32_t stores; /* number of stores since the start of the block */
    struct uc_store store_table[UC_STORES_KNOWN];

    /* For stores.c. */
    struct uc_tlb tlb;
    uint8_t *pages;    /* UC_PAGE_ values for each page of RAM; NULL if the tables are not found */
    uint64_t *hashes;  /* of pages with code: hash of the content from which all of its translations
                        * come, or 0 if they come from several contents */
    bool forget_pages; /* a page has UC_PAGE_CHANGED */
    uint32_t clean_in, clean_interval; /* number of blocks up to uc_clean_stores() */
    unsigned clean_table;              /* number of the table in which it found marks */

    bool stopping; /* run() returns stop */
    bool resumes;  /* run() has stopped before a block, and continues at `resume` */
    uint64_t resume;
    enum arm_stop stop;

    /* The cycle at which the present block ends, although a pause or a breakpoint may have divided
     * the block: a run that continues before this cycle is inside of the block. */
    uint64_t block_end;
    struct uc_rest rest;
    bool event_due; /* the present block contains sev, which is reported at the block's end */
    bool divided;   /* the block runs with hooks on its instructions, so that it can end early */
    uint64_t latest_divided; /* address of the latest block that has such hooks */
    bool again;              /* Unicorn has stopped only to continue in another way */
    struct arm_range watched[UC_WATCHED];
    uc_hook watch_hooks[UC_WATCHED];
    unsigned watched_count;
    bool forget_all;             /* all translated code is discarded before the core continues */
    uint64_t cycle_counter_base; /* cycle at which the performance monitor's counter was 0 */

    /* For exceptions.c: address of the instruction that caused the latest exception; address of the
     * instruction that caused the latest exception from another mode than the exception's; number
     * of exceptions in a row that the first instruction caused in the exception's own mode. */
    uint64_t nested, nested_from, nested_count;
};

/* --- words.c --- */

/* Ends run(), which returns reason. To be called in a hook. */
void uc_stop(struct uc_core *core, enum arm_stop reason);

/* Ends run() before a block or an instruction. Unicorn's program counter is not up to date at the
 * start of a block. */
void uc_stop_before(struct uc_core *core, uint64_t address, enum arm_stop reason);

/* Ends the current block before the instruction at pc: the cycles of this instruction and the later
 * ones do not count. */
void uc_cut_block(struct uc_core *core, uint64_t pc);

/* Returns true if the board repeats its memory each GiB. */
static inline bool uc_repeats(const struct uc_core *core)
{
    return core->options.model == ARM_1176;
}

/* Returns the lowest of the addresses at which a physical address repeats. */
static inline uint64_t uc_unrepeated(const struct uc_core *core, uint64_t physical)
{
    return uc_repeats(core) ? physical & UINT64_C(0x3fffffff) : physical;
}

/* Returns the address of instruction `index` of the current block. */
uint64_t uc_address_of(const struct uc_core *core, unsigned index);

/* Reads the instruction at a virtual address. bytes is 2 or 4; a 32-bit Thumb instruction has its
 * first halfword in bits 31:16. Returns false if the address is not in RAM. */
bool uc_instruction(const struct uc_core *core, uint64_t address, uint32_t *word, unsigned *bytes);

/* Returns the cycle at which loops that are skipped end. */
static inline uint64_t uc_end_of_skips(const struct uc_core *core)
{
    return core->core.limit < core->core.pause ? core->core.limit : core->core.pause;
}

/* Returns true if loops that wait may be skipped. */
static inline bool uc_may_skip(const struct uc_core *core)
{
    return !core->divided && !core->core.watched;
}

/* --- pauses.c --- */

/* Returns true if the core stops or takes an interrupt before a block, which then does not
 * execute. */
bool uc_stops_before_block(struct uc_core *core, uint64_t address);

/* Called before a block executes, after its cycles were counted. If the block has to end early, the
 * core stops before it, and executes it again with hooks. */
void uc_divide_block(struct uc_core *core, uint64_t address);

/* Called instead, if the core is inside of a block that it has begun before, and Unicorn has
 * translated `bytes` bytes of it from an address on. */
void uc_continue_block(struct uc_core *core, uint64_t address, uint32_t bytes);

/* Called before an instruction that is hooked. Returns true if the core stops before it. */
bool uc_stops_before(struct uc_core *core, uint64_t address);

/* Executes until Unicorn returns, with hooks on all instructions if the block is divided. */
uc_err uc_emulate(struct uc_core *core);

bool uc_note_accesses(struct arm_core *shared, const struct arm_range *range, bool notes);

/* --- breakpoints.c --- */

void uc_set_breakpoint(struct arm_core *shared, uint64_t address, bool set);

/* Returns true if there is a breakpoint at a virtual address. */
bool uc_has_breakpoint(const struct uc_core *core, uint64_t address);

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

/* Returns the address of the last instruction that the core has executed, or 0. */
uint64_t uc_last_instruction(const struct uc_core *core);

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

/* UC_HYP is a call of Hyp mode (hvc) or a trap to it, UC_MONITOR a call of Monitor mode (smc). */
enum uc_exception {
    UC_UNDEFINED,
    UC_CALL,
    UC_PREFETCH,
    UC_DATA,
    UC_HYP,
    UC_IRQ,
    UC_FIQ,
    UC_MONITOR,
};

/* Enters an exception of 32-bit execution. pc is the address of the instruction that caused the
 * exception, of the next instruction for calls, UC_IRQ and UC_FIQ. */
void uc_enter(struct uc_core *core, enum uc_exception exception, uint32_t pc);

/* What the vector at pc executes causes the exception that enters the vector, and so forever. from
 * is the instruction that caused the first of these exceptions. Ends run(), if the caller does not
 * write the program counter. */
void uc_exception_loop(struct uc_core *core, uint64_t pc, uint64_t from);

/* The number of an undefined instruction. */
enum { UC_REPORTED_UNDEFINED = 1 };

/* Enters the exception that Unicorn reports by a number. */
void uc_reported(struct uc_core *core, uint32_t number);

/* Takes a pending interrupt, before the instruction at pc, if the core does not mask it. Returns
 * true if it did. */
bool uc_take_interrupt(struct uc_core *core, uint64_t pc);

/* --- hypervisor.c --- */

/* Read and write ELR_hyp, the return address of Hyp mode. */
uint32_t uc_hyp_return(const struct uc_core *core);
void uc_set_hyp_return(const struct uc_core *core, uint32_t pc);

/* Returns true if Hyp mode takes an exception of 32-bit execution. */
bool uc_goes_to_hyp(const struct uc_core *core, enum uc_exception exception);

/* Enters Hyp mode by an exception, at an offset from the mode's vectors. pc is as in uc_enter(). */
void uc_enter_hyp(struct uc_core *core, enum uc_exception exception, uint32_t pc);

/* Returns true if the instruction moves SPSR_hyp, which Unicorn refuses in Hyp mode; executes it.
 * Returns false in another mode. */
bool uc_moves_hyp_state(const struct uc_core *core, uint32_t word, unsigned bytes, bool thumb);
bool uc_move_hyp_state(struct uc_core *core, uint32_t word);

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

/* Like uc_enter_level(), with the stack pointers of all levels in their registers. */
void uc_set_level(struct uc_core *core, uint64_t pc, uint32_t state);

/* Stores the stack pointer in the register of its level. */
void uc_bank_stack_pointer(const struct uc_core *core);

/* --- timers.c --- */

/* Reports sev to the board if the present block contains it. A block reports it once, at its end:
 * a hook on each sev would be slow, because Linux for ARMv7 has one in each release of a lock. */
void uc_send_event(struct uc_core *core);

/* Called for wfe. Takes the event if there is one, or prepares the core to wait for an event, also
 * from the timer's event stream. Returns true if the core waits. */
bool uc_waits_for_event(struct uc_core *core);

/* --- traps64.c --- */

bool uc_is_trap_wide(const struct uc_core *core, uint32_t word);
void uc_trap_wide(struct uc_core *core, uint64_t pc);

/* --- traps.c --- */

/* Returns true if the engine executes the instruction itself, because Unicorn executes it in
 * another way than the core, or because the board must know. */
bool uc_is_trap(const struct uc_core *core, uint32_t word, unsigned bytes, bool thumb);

/* Returns true if the instruction is sev, under any condition. */
bool uc_is_sev(const struct uc_core *core, uint32_t word, unsigned bytes, bool thumb);

/* Executes an instruction of which uc_is_trap() is true, at pc. */
void uc_trap(struct uc_core *core, uint64_t pc);

/* --- registers.c --- */

uint32_t uc_get32(const struct uc_core *core, int reg);
void uc_set32(const struct uc_core *core, int reg, uint32_t value);

/* Modes of 32-bit execution. */
enum { UC_MODE_USER = 0x10, UC_MODE_MONITOR = 0x16, UC_MODE_HYP = 0x1a };

/* Returns the mode of a 32-bit core. */
uint32_t uc_psr_mode(const struct uc_core *core);

/* Writes CPSR, with any mode that the core has. */
void uc_set_psr(const struct uc_core *core, uint32_t psr);

/* Returns true if a 32-bit core is in secure state: in Monitor mode, or SCR.NS is 0. */
bool uc_is_secure(const struct uc_core *core);

/* Read and write a register of coprocessor 15, of the present security state. */
uint64_t uc_cp15(const struct uc_core *core, unsigned crn, unsigned opc1, unsigned crm,
                 unsigned opc2);
void uc_set_cp15(const struct uc_core *core, unsigned crn, unsigned opc1, unsigned crm,
                 unsigned opc2, uint64_t value);

/* Read and write a system register by the fields of an instruction. */
uint64_t uc_system(const struct uc_core *core, unsigned op0, unsigned op1, unsigned crn,
                   unsigned crm, unsigned op2);
void uc_set_system(const struct uc_core *core, unsigned op0, unsigned op1, unsigned crn,
                   unsigned crm, unsigned op2, uint64_t value);

/* Returns the translation regime: 0 (EL1), 4 (EL2, Hyp mode) or 6 (EL3 of 64 bits). The number is
 * the operand op1 in the names of the regime's registers. */
unsigned uc_regime(const struct uc_core *core);

/* Read and write SCTLR of the translation regime. */
uint64_t uc_control(const struct uc_core *core);
void uc_set_control(const struct uc_core *core, uint64_t value);

/* Returns the processor state, as in SPSR. */
uint32_t uc_state(const struct uc_core *core);

/* Continues at an address, where a block begins. With 32 bits, bit 0 is the Thumb state. */
void uc_set_pc(struct uc_core *core, uint64_t pc);

/* Returns the address of the next instruction; with 32 bits, with UC_THUMB. */
uint64_t uc_pc(const struct uc_core *core);

uint64_t uc_get(const struct arm_core *shared, unsigned reg);
void uc_set(struct arm_core *shared, unsigned reg, uint64_t value);

/* --- saved.c --- */

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

/* --- touches.c --- */

/* Adds the hooks on memory, if the board needs them. Returns false if Unicorn refuses them. */
bool uc_report_touches(struct uc_core *core);

/* Empties the table of pages. */
void uc_forget_places(struct uc_core *core);

/* Reports that an instruction writes a line of LINE bytes at a virtual address. */
void uc_touch_line(struct uc_core *core, uint64_t address);

/* Returns the address of the instruction that makes the latest access to RAM. */
uint64_t uc_touching(struct arm_core *shared);

/* Returns true if an instruction is a conditional store, or makes the next ones conditional. */
bool uc_is_conditional(const struct uc_core *core, uint32_t word, unsigned bytes, bool thumb);

/* Return true if touches are reported, and the instruction changes translations, or is a memory
 * barrier. */
bool uc_changes_places(const struct uc_core *core, uint32_t word, unsigned bytes, bool thumb);
bool uc_is_barrier(const struct uc_core *core, uint32_t word, unsigned bytes, bool thumb);

/* --- stores.c --- */

/* Finds the tables by an engine of its own, of 32 or 64 bits. Returns false, and zeros, if they
 * cannot be found. */
bool uc_find_tlb(struct uc_tlb *tlb, bool wide);

/* Prepares a core whose .tlb is set. Returns false if there is no memory. */
bool uc_open_stores(struct uc_core *core);

/* Notes the page in which the core starts. Unicorn reports each block that it translates after
 * another one, so not the first. */
void uc_note_start(struct uc_core *core, uint64_t physical);

/* Makes stores to pages without code fast. To be called after .clean_in blocks. */
void uc_clean_stores(struct uc_core *core);

/* Discards the tables. */
void uc_discard_tlb(struct uc_core *core);

/* --- forget.c --- */

/* Code in a range of physical addresses was changed. */
void uc_mark_changed(struct uc_core *core, uint64_t physical, uint64_t size);

/* stores.c: returns a hash of the present content of a page of RAM, which is not 0. */
uint64_t uc_hash_page(const struct uc_core *core, uint64_t page);

/* Discards translations of changed code. To be called while the core does not execute. */
void uc_forget_changed(struct uc_core *core);

/* --- translate.c --- */

/* Like uc_translate(), and stores the kind of memory. */
bool uc_walk(const struct uc_core *core, uint64_t address, uint64_t *physical,
             enum arm_memory *memory);

/* --- memory_types.c --- */

/* An entry of the translation tables. */
struct uc_entry {
    uint64_t bits;
    bool long_form; /* of 64 bits */
    unsigned extra; /* of 32 bits: position of TEX, or 0 if the entry has no TEX */
};

/* Returns the kind of memory that an entry of the tables of a translation regime describes. */
enum arm_memory uc_memory_type(const struct uc_core *core, const struct uc_entry *entry,
                               unsigned regime);

bool uc_translate(const struct arm_core *shared, uint64_t address, uint64_t *physical);

#endif
