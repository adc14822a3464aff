/* SPDX-License-Identifier: MIT */
/* loop.h - the functions that execute an iteration of a loop without effects. polls.c skips
 * iterations of loops that these functions describe. */
#ifndef BOARD_ARM_UNICORN_LOOP_H
#define BOARD_ARM_UNICORN_LOOP_H

#include "board/arm/unicorn/core.h"

enum {
    LOOP_COUNTERS = 8,   /* reads of counters in an iteration */
    LOOP_CELLS = 64,     /* words of memory that an iteration uses */
    LOOP_LONGEST = 1000, /* instructions of an iteration */
    LOOP_PAGES = 4,      /* translated pages */
    LOOP_REGISTERS = 32, /* 32 bits: r0 to r14; 64 bits: x0 to x30 and sp */
    LOOP_SP = 31,
};

/* A number in an iteration. UC_COUNTS: each count of a counter changes it by `slope`; if it has a
 * divisor, the number is the quotient. */
struct uc_value {
    enum { UC_FIXED, UC_COUNTS, UC_UNKNOWN } kind;
    uint8_t counter;
    uint64_t bits; /* in the iteration from which the loop continues */
    int64_t slope;
    uint64_t divisor; /* 0: none */
};

/* The condition flags: bits of NZCV, or those of left - right - borrow. */
struct uc_flags {
    bool difference, borrow, wide;
    uint8_t nzcv, known; /* N in bit 3 to V in bit 0; bits that have a known value */
    uint8_t initial;     /* bits that are still those of the start */
    struct uc_value left, right;
};

/* A word of RAM by its physical address. */
struct uc_cell {
    uint64_t address, initial;
    unsigned size;
    bool live, written; /* read before the iteration has written it; written */
    struct uc_value value;
};

/* A read of a counter. */
struct uc_counter_read {
    const struct uc_read *read;
    uint64_t offset;     /* cycles from the iteration's start */
    uint64_t base, most; /* count in the iteration; counts until a later one differs */
};

struct uc_loop {
    struct uc_core *core;
    const struct uc_read *reads; /* of an iteration, in their order */
    unsigned read_count, next_read;
    uint64_t start, cycle, pc;  /* address and cycle of the first instruction; present address */
    unsigned executed, longest; /* instructions; the largest number that is tried */
    bool failed;                /* the iteration has effects, or uses what is not described */

    struct uc_value registers[LOOP_REGISTERS];
    uint64_t initial[LOOP_REGISTERS];
    uint32_t live, written; /* registers, as in struct uc_cell */
    struct uc_flags flags;
    uint8_t initial_flags, live_flags;
    struct uc_cell cells[LOOP_CELLS];
    unsigned cell_count;
    struct uc_counter_read counters[LOOP_COUNTERS];
    unsigned counter_count;
    uint64_t exclusive; /* physical address of an exclusive load before its store, plus 1; or 0 */
    uint64_t pages[LOOP_PAGES], frames[LOOP_PAGES]; /* virtual page plus 1, physical page */
    unsigned next_page;
};

/* --- loop.c --- */

/* Executes one iteration, from the instruction at loop->start until it would execute again.
 * Returns true if each later iteration has the same path and effects, as long as no counter exceeds
 * its .most and each device register keeps its value. */
bool uc_loop_describe(struct uc_loop *loop);

/* --- loop_access.c --- */

/* Stores the count of a read's counter at a cycle. The register shows the count, its low 32 bits,
 * or what follows from it. Returns false for reads of other registers. */
bool uc_counter_at(const struct uc_core *core, const struct uc_read *read, uint64_t cycle,
                   uint64_t *count);

/* Returns true if the value of a read follows a counter. */
bool uc_reads_counter(const struct uc_core *core, const struct uc_read *read);

/* Registers: 0 to 14 with 32 bits; x0 to x30 and LOOP_SP with 64 bits. */
struct uc_value uc_loop_get(struct uc_loop *loop, unsigned reg);
void uc_loop_set(struct uc_loop *loop, unsigned reg, struct uc_value value);

/* Memory, at a virtual address. A load of a device register takes the value of the next read. */
struct uc_value uc_loop_load(struct uc_loop *loop, struct uc_value address, unsigned size);
void uc_loop_store(struct uc_loop *loop, struct uc_value address, unsigned size,
                   struct uc_value value);

/* Exclusive accesses. The store succeeds, and returns 0, if the iteration has loaded its address
 * exclusively before; otherwise the loop fails. */
struct uc_value uc_loop_load_exclusive(struct uc_loop *loop, struct uc_value address,
                                       unsigned size);
struct uc_value uc_loop_store_exclusive(struct uc_loop *loop, struct uc_value address,
                                        unsigned size, struct uc_value value);

/* A read of a system register that the engine executes. */
struct uc_value uc_loop_system(struct uc_loop *loop);

/* --- loop_arm.c, loop_arm64.c --- */

/* Execute the instruction at loop->pc, and set loop->pc to the next one's. */
void uc_loop_arm(struct uc_loop *loop, uint32_t word);
void uc_loop_arm64(struct uc_loop *loop, uint32_t word);

/* --- loop_values.c --- */

struct uc_value uc_fixed(uint64_t bits);
struct uc_value uc_unknown(void);

/* Returns a quotient as a fixed number, and limits its counter so that it stays. Returns other
 * numbers as they are. */
struct uc_value uc_value_settle(struct uc_loop *loop, struct uc_value a);

/* Limits the counter of a value so that it rises by at most `up` and falls by at most `down`. */
void uc_value_limit(struct uc_loop *loop, const struct uc_value *value, uint64_t up, uint64_t down);

/* Arithmetic of 64 bits, or of 32 bits if wide is false. */
struct uc_value uc_value_add(struct uc_loop *loop, struct uc_value a, struct uc_value b, bool wide);
struct uc_value uc_value_subtract(struct uc_loop *loop, struct uc_value a, struct uc_value b,
                                  bool wide);
struct uc_value uc_value_multiply(struct uc_loop *loop, struct uc_value a, struct uc_value b,
                                  bool wide);
struct uc_value uc_value_divide(struct uc_loop *loop, struct uc_value a, struct uc_value b);
struct uc_value uc_value_and(struct uc_loop *loop, struct uc_value a, struct uc_value b);
struct uc_value uc_value_or(struct uc_loop *loop, struct uc_value a, struct uc_value b);
struct uc_value uc_value_xor(struct uc_loop *loop, struct uc_value a, struct uc_value b);
struct uc_value uc_value_not(struct uc_loop *loop, struct uc_value a, bool wide);
struct uc_value uc_value_left(struct uc_loop *loop, struct uc_value a, unsigned by, bool wide);
struct uc_value uc_value_right(struct uc_loop *loop, struct uc_value a, unsigned by);
struct uc_value uc_value_signed(struct uc_loop *loop, struct uc_value a, unsigned by, bool wide);
struct uc_value uc_value_rotate(struct uc_loop *loop, struct uc_value a, unsigned by, bool wide);

/* Extends bits count-1:0, the upper bits of a being 0, with its sign, to 64 bits or 32. */
struct uc_value uc_value_extend(struct uc_loop *loop, struct uc_value a, unsigned count, bool wide);

/* Returns the bits of a value if it is fixed; otherwise the loop fails. */
uint64_t uc_value_bits(struct uc_loop *loop, struct uc_value a);

/* --- loop_flags.c --- */

enum { UC_V = 1, UC_C = 2, UC_Z = 4, UC_N = 8 };

/* Set all flags by left - right - borrow or left + right + carry, N and Z by a result, or some bits
 * to values. */
void uc_flags_subtract(struct uc_loop *loop, struct uc_value left, struct uc_value right,
                       bool borrow, bool wide);
void uc_flags_add(struct uc_loop *loop, struct uc_value left, struct uc_value right, bool carry,
                  bool wide);
void uc_flags_result(struct uc_loop *loop, struct uc_value result, bool wide);
void uc_flags_set(struct uc_loop *loop, unsigned bits, unsigned values);

/* Returns true if a condition holds, in all iterations. */
bool uc_flags_hold(struct uc_loop *loop, unsigned condition);

#endif
