/* SPDX-License-Identifier: MIT */
/* machine.h - the state of a shader core that runs up to 64 vertices or pixels side by side.
 *
 * Everything belongs to lanes: each has its own place in the program, its own stacks, predicate and address registers. Lanes
 * at the same place execute together, those at the lowest place first, so that ways that have parted meet again.
 * Source:  digest a2xx.md, sections 1, 4 and 12; that lanes go their own ways is a choice (section 27). */
#ifndef A2XX_MACHINE_H
#define A2XX_MACHINE_H

#include <tessera/a2xx.h>

#include "a2xx/code.h"
#include "a2xx/fetch.h"
#include "a2xx/ops.h"

struct a2xx_constants;
struct a2xx_window;

/* Bytes that a lane has exported to memory. */
struct a2xx_memory_write {
    uint32_t address;
    uint16_t line;
    uint8_t lane, size;
    uint8_t bytes[16];
    uint64_t item, cycle;
};
struct a2xx_memory_writes {
    struct a2xx_memory_write *list;
    size_t count, room;
};

/* What the sanitizer knows. Masks of lanes. */
struct a2xx_shadow {
    a2xx_mask written[A2XX_REGISTERS][4]; /* registers with a value */
    a2xx_mask pending[A2XX_REGISTERS][4]; /* that a fetch has written, and nobody has waited for */
    a2xx_mask by_texture[A2XX_REGISTERS][4]; /* of these, those whose fetch was one of a texture */
    uint64_t any_pending;                 /* registers with some */
    a2xx_mask bad_fetch; /* lanes whose values follow from a fetch that has been reported */
    a2xx_mask predicate, address, previous;               /* have been set */
    a2xx_mask space[4];                                   /* ALLOC of the kind has been executed */
    uint8_t reserved[4][A2XX_LANES], used[4][A2XX_LANES]; /* exports of the kind */
    a2xx_mask exported[TESS_A2XX_EXPORTS];                /* counted in .used */
    /* Where a scalar function has made the first infinity or NaN: slot + 1; and from what. */
    uint16_t odd_line[A2XX_LANES];
    uint32_t odd_operand[A2XX_LANES];
};

/* One for each thread. */
struct a2xx_machine {
    /* Registers. */
    struct a2xx_row registers[A2XX_REGISTERS][4];
    struct a2xx_row previous; /* ps */
    struct a2xx_row exports[TESS_A2XX_EXPORTS][4];
    struct a2xx_row index;     /* of the last full fetch, for mini fetches */
    uint16_t full[A2XX_LANES]; /* its slot + 1 */
    struct a2xx_texture_state texture;
    a2xx_mask predicate, killed;
    int16_t a0[A2XX_LANES], al[A2XX_LANES];

    /* Control flow. */
    uint16_t at[A2XX_LANES];                      /* control-flow instruction */
    uint8_t loops[A2XX_LANES], calls[A2XX_LANES]; /* how deep */
    uint8_t loop_id[A2XX_STACK][A2XX_LANES];
    uint16_t iteration[A2XX_STACK][A2XX_LANES];
    uint16_t back[A2XX_STACK][A2XX_LANES]; /* behind the calls */
    a2xx_mask alive;
    a2xx_mask group;       /* lanes that execute */
    bool together;         /* all that are alive are at .common, and .at does not count */
    uint32_t common, here; /* here: where the group is */
    uint64_t executed[A2XX_LANES], most; /* instructions; at most so many */
    uint64_t step;                       /* instructions of the group since it came .here */
    uint32_t line;                       /* of findings: slot and half */

    /* Exports. */
    uint64_t export_numbers;                  /* that have been written */
    a2xx_mask exported[TESS_A2XX_EXPORTS][4]; /* lanes */
    a2xx_mask sent[A2XX_EXPORT_DATA_LAST - A2XX_EXPORT_ADDRESS + 1]
                  [4]; /* those to memory before the last ALLOC */
    uint16_t memory_line[A2XX_LANES];
    struct a2xx_memory_writes writes;

    /* An instruction's operands and results. */
    struct a2xx_values values;
    struct a2xx_row operand[3][4], operand_a, operand_b, gathered, clamped;
    uint8_t operand_ready[3];

    /* The work. */
    const struct a2xx_code *code;
    const struct a2xx_handlers *handlers;
    const struct a2xx_constants *constants;
    struct a2xx_window *window;
    struct a2xx_fetch_unit fetch;
    const struct tess_a2xx_batch *batch;
    size_t first; /* lane of the batch */
    uint64_t limit;
    bool checked, runaway, failed;
    a2xx_mask helpers;

    /* What comes of it. */
    struct a2xx_shadow shadow;
    struct tess_a2xx_stats stats;
    struct fault_log faults;

    /* Looking on. */
    void (*watch)(struct a2xx_machine *machine, enum tess_a2xx_step_kind kind, a2xx_mask lanes,
                  a2xx_mask done);
    void *watcher;
    uint32_t watched_exports; /* components that the instruction exports */
};

#endif
