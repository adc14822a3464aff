/* SPDX-License-Identifier: MIT */
/* engine.h - the interface between an engine that executes ARM instructions and the board around
 * its cores.
 *
 * An engine executes one core until a limit of clock cycles, or until the core waits. It reaches
 * the board through ports: accesses outside of RAM, the generic timers, and events that the board
 * must know. Each instruction takes one cycle, also one that causes an exception.
 *
 * An engine looks at its limit and at interrupts between blocks of instructions. Pauses and
 * breakpoints leave the blocks, and so the results, as they are. */
#ifndef BOARD_ARM_ENGINE_H
#define BOARD_ARM_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum arm_model {
    ARM_1176,          /* Raspberry Pi 1, Zero */
    ARM_CORTEX_A7,     /* Raspberry Pi 2 */
    ARM_CORTEX_A53,    /* Raspberry Pi 3, Zero 2 W: 64 bits */
    ARM_CORTEX_A53_32, /* the same core in its 32-bit state */
};

/* Levels of a core's interrupt inputs. */
enum { ARM_IRQ = 1, ARM_FIQ = 2 };

/* Why a core stopped. */
enum arm_stop {
    ARM_LIMIT,          /* the limit of cycles was reached */
    ARM_WAIT_INTERRUPT, /* wfi: the core waits for an interrupt */
    ARM_WAIT_EVENT,     /* wfe: the core waits for an event or an interrupt */
    ARM_IDLE,           /* the core executes a branch to itself, or an exception whose vector causes
                         * it again; only an interrupt ends it */
    ARM_BREAKPOINT,     /* the next instruction has a breakpoint and has not been executed */
    ARM_PAUSE,          /* the cycle of a pause was reached; the block may continue later */
    ARM_BROKEN,         /* the engine cannot continue; the ports' broken() has the reason */
};

/* Kinds of memory, as the translation tables of the core define them. */
enum arm_memory {
    ARM_MEMORY_ORDERED, /* strongly ordered (Device-nGnRnE); all memory while translation is off */
    ARM_MEMORY_DEVICE,  /* other device memory */
    ARM_MEMORY_NORMAL,  /* not cached, or written through the cache */
    ARM_MEMORY_CACHED,  /* the data cache keeps what the core writes */
};

/* An access of a core to memory or to a device. */
struct arm_access {
    unsigned core;
    uint64_t address;       /* physical */
    unsigned size;          /* bytes: 1, 2, 4 or 8 */
    uint64_t pc;            /* address of the instruction; 0 in touch() */
    enum arm_memory memory; /* ARM_MEMORY_ORDERED if the board has no touch() */
};

/* Cache maintenance, as bits. */
enum { ARM_CLEAN = 1, ARM_INVALIDATE = 2 };

/* Generic timers of a core, numbered as in the local interrupt controller. */
enum arm_generic_timer {
    ARM_TIMER_SECURE,
    ARM_TIMER_PHYSICAL,
    ARM_TIMER_HYPERVISOR,
    ARM_TIMER_VIRTUAL,
    ARM_TIMERS
};

/* The board, as a core sees it. user is the first argument of all functions. */
struct arm_ports {
    void *user;
    uint64_t (*read)(void *user, const struct arm_access *access);
    void (*write)(void *user, const struct arm_access *access, uint64_t value);

    /* Stores the count of which a device register of 32 bits shows the low bits at a cycle, now or
     * later, if the register is a free-running counter. Returns false for other registers. */
    bool (*counter_at)(void *user, uint64_t address, uint64_t cycle, uint64_t *count);

    /* Returns the count of the generic timers: now, and at a cycle. */
    uint64_t (*counter)(void *user, unsigned core);
    uint64_t (*count_at)(void *user, uint64_t cycle);
    uint32_t timer_frequency; /* CNTFRQ, in Hz */

    /* The core has written a generic timer: its control register, or its compare value. */
    void (*timer_changed)(void *user, unsigned core);

    /* The core is between two blocks. Returns true if it is to pause. Called if .watched is set. */
    bool (*watch)(void *user);

    /* The core has executed sev. */
    void (*event)(void *user, unsigned core);

    /* The core has cleaned (written back) or invalidated a part of its data cache up to the
     * memory that the V3D sees, by physical address or as a whole (size 0). what are ARM_CLEAN and
     * ARM_INVALIDATE. Not called if touch is NULL. */
    void (*maintained)(void *user, unsigned core, unsigned what, uint64_t address, uint32_t size);

    /* The core is about to read or write RAM. NULL if the board needs no such reports, which make
     * the core several times slower. */
    void (*touch)(void *user, const struct arm_access *access, bool store);

    /* The core has executed a memory barrier. Not called if touch is NULL. */
    void (*barrier)(void *user, unsigned core);

    /* The core has invalidated its instruction cache in a range of physical addresses, so other
     * cores may see new code there. */
    void (*code_changed)(void *user, unsigned core, uint64_t physical, uint64_t size);

    /* The core cannot continue, because there is no memory at the address of its next instruction.
     * from is the address of the last instruction before. */
    void (*nowhere)(void *user, unsigned core, uint64_t pc, uint64_t from);

    /* An exception enters the vector at pc, whose first instruction causes the exception again.
     * from is the address of the instruction that caused the first exception. */
    void (*exception_loop)(void *user, unsigned core, uint64_t pc, uint64_t from);

    /* The core cannot continue. text names the cause. */
    void (*broken)(void *user, unsigned core, uint64_t pc, const char *text);
};

/* A generic timer: control bits 0 (enable) and 1 (mask), and the count at which it fires. */
struct arm_timer_state {
    uint32_t control;
    uint64_t compare;
};

/* Memory by virtual addresses, from the first to the last byte; none if last < first. */
struct arm_range {
    uint64_t first, last;
};

/* A core: the part that engine and board share. */
struct arm_core {
    uint64_t cycles; /* clock cycles since power-on, idle cycles included. During an access, the
                      * cycle of the instruction. */
    uint64_t limit;  /* run() returns at the first opportunity at or after this cycle. The board may
                      * lower it during a port's function. */
    /* run() returns before the instruction at this cycle or a later one, after an interrupt that
     * comes first. The next run() continues as if there had been no pause, also in the middle of a
     * block. If pauses_early is true, run() returns as soon as the cycle is reached, before limits
     * and interrupts. */
    uint64_t pause;
    bool pauses_early;
    unsigned lines; /* levels of ARM_IRQ and ARM_FIQ; the board may set them at any time */
    bool event;     /* the event register of wfe */

    /* The cycles from which and until which the core repeats a loop without effects, if nothing
     * else changes; both 0 if it does something else. run() sets them. */
    uint64_t idle_from, idle_until;
    struct arm_timer_state timers[ARM_TIMERS];

    /* The control bits of the timer's event stream (CNTKCTL) when run() returns ARM_WAIT_EVENT, if
     * the stream is on; otherwise 0. The board sets the count at which the next event comes, or
     * 0. */
    uint32_t event_stream;
    uint64_t event_count;

    /* Calls the ports' watch() between blocks. No loop is skipped. */
    bool watched;
    struct arm_range read, written; /* accesses that note_accesses() has asked for */
};

/* Memory that the cores use as RAM, from physical address 0. */
struct arm_ram {
    uint8_t *bytes;
    uint64_t size; /* a multiple of 64 KiB */
};

/* Options of a core. */
struct arm_options {
    enum arm_model model;
    unsigned number; /* 0 to 3 */
    struct arm_ram ram;
    const struct arm_ports *ports; /* must outlive the core */
};

/* Registers by number. With 32 bits, 0 to 15 are r0 to r15 and ARM_CPSR is the CPSR. With 64 bits,
 * 0 to 30 are x0 to x30. */
enum { ARM_PC = 32, ARM_SP = 33, ARM_CPSR = 34 };

/* An engine. core is what create() returned. */
struct tess_arm_engine {
    const char *name;

    /* Creates a core. Returns NULL, and a reason in *why, if the engine cannot. */
    struct arm_core *(*create)(const struct arm_options *options, const char **why);
    void (*destroy)(struct arm_core *core);

    /* Sets the core to the state in which a kernel starts, at an address: Hyp mode (64 bits:
     * non-secure EL2), or, if reset is true, SVC mode in secure state (64 bits: EL3). An ARM1176 is
     * always in SVC mode. Interrupts are masked, translation and caches are off. */
    void (*start)(struct arm_core *core, uint64_t address, bool reset);

    enum arm_stop (*run)(struct arm_core *core);

    uint64_t (*get)(const struct arm_core *core, unsigned reg);
    void (*set)(struct arm_core *core, unsigned reg, uint64_t value);

    /* Returns the core's state of 64-bit execution. */
    bool (*is_64)(const struct arm_core *core);

    /* Translates a virtual address for a read of the present privilege level. Returns false if the
     * address is not mapped. */
    bool (*translate)(const struct arm_core *core, uint64_t address, uint64_t *physical);

    /* During touch(): returns the address of the instruction that makes the access. */
    uint64_t (*accessing)(struct arm_core *core);

    /* Sets or removes a breakpoint on a virtual address. */
    void (*breakpoint)(struct arm_core *core, uint64_t address, bool set);

    /* Makes the core extend .read and .written by its accesses to a range of virtual addresses, or
     * ends this. Returns false if there are too many ranges. */
    bool (*note_accesses)(struct arm_core *core, const struct arm_range *range, bool notes);

    /* Code at a physical address was changed by another core or a device, or the core has
     * invalidated its instruction cache. */
    void (*forget_code)(struct arm_core *core, uint64_t physical, uint64_t size);

    /* Save and restore a core's registers as size() bytes. */
    size_t (*state_size)(const struct arm_core *core);
    void (*save)(const struct arm_core *core, void *to);
    bool (*restore)(struct arm_core *core, const void *from, size_t size);
};

#endif
