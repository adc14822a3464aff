/* SPDX-License-Identifier: MIT */
/* batch.h - the state of a shader core that runs up to 64 vertices or pixels in parallel.
 *
 * Each lane (vertex or pixel) has its own position in the program, and its own stacks, predicate
 * and address registers. Lanes at the same position execute together. The lanes at the lowest
 * position run first, so that lanes on separate paths reach a common position again.
 * Source:  docs/hardware/a2xx.md, sections 1, 4 and 12. Separate positions of lanes are a choice
 *          (section 27). */
#ifndef A2XX_SHADER_BATCH_H
#define A2XX_SHADER_BATCH_H

#include <tessera/a2xx.h>

#include "a2xx/fetch/fetch.h"
#include "a2xx/shader/code.h"
#include "a2xx/shader/ops.h"

struct a2xx_constants;
struct a2xx_window;

/* A memory export that one lane has made. */
struct a2xx_memory_write {
    uint32_t address;
    uint16_t line;
    uint8_t lane, size;
    uint8_t bytes[16];
    uint64_t item, cycle;
};
struct a2xx_memory_writes {
    struct a2xx_memory_write *list;
    size_t count;
};

/* State of the sanitizer. Most members are masks of lanes. */
struct a2xx_shadow {
    a2xx_mask written[A2XX_REGISTERS][4]; /* lanes in which each register component has a value */
    /* lanes in which each register component has a fetch result for which the lane has not
     * waited */
    a2xx_mask pending[A2XX_REGISTERS][4];
    a2xx_mask by_texture[A2XX_REGISTERS][4]; /* lanes in which the latest fetch to each register
                                                component was a texture fetch */
    uint64_t any_pending;                    /* registers with any bit in .pending, as bits */
    a2xx_mask bad_fetch; /* lanes with a reported fetch; values that these lanes compute later may
                            be wrong */
    /* lanes in which the predicate (predicate), a0 (address) and the previous scalar result
     * (previous) have been set */
    a2xx_mask predicate, address, previous;
    a2xx_mask space[4]; /* lanes that have executed an ALLOC, for each kind of export */
    /* number of reserved exports, and number of used exports, for each kind of export */
    uint8_t reserved[4][A2XX_LANES], used[4][A2XX_LANES];
    a2xx_mask exported[TESS_A2XX_EXPORTS]; /* lanes in which each export is already counted in
                                              .used */
    /* For each lane, the slot, plus 1, of the first scalar function that computed infinity or NaN,
     * and the operand of that function. The slot is 0 if the lane has computed neither. */
    uint16_t odd_line[A2XX_LANES];
    uint32_t odd_operand[A2XX_LANES];
};

/* State of one host thread, which runs 64 lanes at a time. */
struct a2xx_machine {
    /* Registers. */
    struct a2xx_row registers[A2XX_REGISTERS][4];
    struct a2xx_row previous; /* previous scalar result */
    uint64_t unflushed;       /* registers that may contain denormals, as bits */
    struct a2xx_row exports[TESS_A2XX_EXPORTS][4];
    struct a2xx_row index;     /* index of the last full fetch, for mini fetches */
    uint16_t full[A2XX_LANES]; /* slot of the last full fetch, plus 1, or 0 if there was none */
    struct a2xx_texture_state texture;
    a2xx_mask predicate, killed;
    int16_t a0[A2XX_LANES], al[A2XX_LANES];

    /* Control flow. */
    uint16_t at[A2XX_LANES]; /* position of each lane: number of the next control-flow
                                instruction */
    /* number of entries in the loop stack and in the call stack */
    uint8_t loops[A2XX_LANES], calls[A2XX_LANES];
    uint8_t loop_id[A2XX_STACK][A2XX_LANES];
    uint16_t iteration[A2XX_STACK][A2XX_LANES];
    uint16_t back[A2XX_STACK][A2XX_LANES]; /* return addresses of the calls */
    a2xx_mask alive;
    a2xx_mask group;       /* lanes that execute now */
    bool together;         /* true if all lanes that have not ended are at .common; .at is not valid
                              then */
    uint32_t common, here; /* common position of all lanes, and position of the lanes in .group */
    /* executed instructions of each lane, and an upper bound of these numbers */
    uint64_t executed[A2XX_LANES], most;
    uint64_t step; /* number of instructions of the current clause that are not counted in .executed
                      yet */
    uint32_t line; /* position at which findings are reported: 2 * slot + half */
    bool stop;     /* true to stop before the next instruction; .watch sets it */
    /* a clause in which the lanes have stopped */
    struct {
        bool open;
        uint8_t number;  /* next instruction of the clause */
        a2xx_mask lanes; /* lanes that execute the clause */
    } clause;

    /* Exports. */
    uint64_t export_numbers;                  /* exports that have been written, as bits */
    a2xx_mask exported[TESS_A2XX_EXPORTS][4]; /* lanes that have exported each component */
    /* lanes that exported each component to memory before the last ALLOC */
    a2xx_mask sent[A2XX_EXPORT_DATA_LAST - A2XX_EXPORT_ADDRESS + 1][4];
    uint16_t memory_line[A2XX_LANES];
    struct a2xx_memory_writes writes;
    size_t earlier_writes; /* number of elements of .writes that earlier lanes have made */

    /* Operands and results of the current instruction. */
    struct a2xx_values values;
    struct a2xx_row operand[3][4], operand_a, operand_b, gathered, clamped;
    uint8_t operand_ready[3];

    /* Program and batch. */
    const struct a2xx_code *code;
    const struct a2xx_handlers *handlers;
    const struct a2xx_constants *constants;
    struct a2xx_window *window;
    struct a2xx_fetch_unit fetch;
    const struct tess_a2xx_batch *batch;
    size_t first; /* index of lane 0 in the batch */
    uint64_t limit;
    bool checked, runaway, failed;
    a2xx_mask helpers;

    /* Results. */
    struct a2xx_shadow shadow;
    struct tess_a2xx_stats stats;
    struct item_log faults;

    /* Tracing. The functions are called before and after each instruction. */
    void (*watch_before)(struct a2xx_machine *machine);
    void (*watch)(struct a2xx_machine *machine, enum tess_a2xx_step_kind kind, a2xx_mask lanes,
                  a2xx_mask done);
    void *watcher;
    uint32_t watched_exports; /* components that the current instruction exports */
};

#endif
