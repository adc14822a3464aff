/* SPDX-License-Identifier: MIT */
/* batch.h - the state of a GP that runs up to GP_LANES vertices in parallel.
 *
 * Vertices that are at the same instruction, and whose latest instructions are the same, form a
 * group and execute together. Pipeline state (results, late values, pending writes) belongs to the
 * group. Registers, temporaries, address registers and varyings belong to single lanes. A group
 * writes only the values of its own lanes.
 * Source:  docs/hardware/utgard.md, sections 3 to 8. */
#ifndef MALI_GP_BATCH_H
#define MALI_GP_BATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tessera/utgard.h>

#include "isa/gp/facts.h"
#include "mali/gp/fault.h"
#include "mali/gp/lanes.h"

struct gp_code;
struct gp_handlers;

enum {
    GP_COMPONENTS = 4,
    GP_ADDRESSES = 4, /* number of address registers */
    GP_SETS = 3,      /* sets of results: of the current instruction and of the two instructions
                         before it */
    GP_NOWHERE = -1,  /* number of the "instruction" before the start of the program */
};

/* The results of one instruction. */
struct gp_set {
    gp_lanes unit[TESS_GP_UNITS];
    gp_lanes late;    /* result of complex1, which replaces mul0's result one instruction later */
    gp_lanes operand; /* operand of the complex unit, for the sanitizer */
    /* values of load unit 0, if the next instruction reads them */
    gp_lanes load0[GP_COMPONENTS];
    /* row that a load reads, if the number of the row differs between lanes */
    gp_lanes row[GP_COMPONENTS];
    gp_lanes flushed[12]; /* flushed copies of operands that may be raw bits */
};

/* Pending writes that all take effect at the same instruction. */
struct gp_landing {
    unsigned registers, temporaries, addresses; /* number of pending writes of each kind */
    uint8_t cell[GP_COMPONENTS];                /* register components, as 4 * register +
                                                   component */
    uint8_t component[GP_COMPONENTS];
    uint8_t address[2];
    gp_lanes register_value[GP_COMPONENTS], temporary_value[GP_COMPONENTS], address_value[2];
    gp_lanes row; /* row to which the temporaries are written */
};

/* Vertices that execute together. */
struct gp_group {
    gp_mask mask;
    uint32_t lanes; /* number of lanes in the mask */
    uint32_t pc;
    /* numbers of the last two executed instructions; GP_NOWHERE at the start of the program */
    int32_t p1, p2;
    bool jumped1, jumped2; /* true if a branch was taken after instruction p1 (jumped1) or after p2
                              (jumped2) */
    bool pending;          /* true if any landing is not empty */
    /* number of executed instructions; the number for a single lane is .cycle +
     * machine.offset[lane] */
    uint64_t cycle;
    uint64_t deadline; /* cycle before which no lane can reach the instruction limit */
    /* for the sanitizer: complex-unit operation that the complex1 one instruction back (function1)
     * or two instructions back (function2) has finished, or 0 */
    uint8_t function1, function2;
    unsigned slot;                /* index of the set for the next instruction's results */
    struct gp_landing landing[4]; /* pending writes; the index is the cycle at which they take
                                     effect, modulo 4 */
    struct gp_set set[GP_SETS];   /* ring of the results of the latest instructions */
};

/* A path to an instruction, and the result of the sanitizer's checks for this path. Members that
 * are compared with adjacent members of struct gp_group are not adjacent here. Otherwise compilers
 * load two members of the group at once, which stalls the host after two separate stores. */
struct gp_way {
    int32_t p1;
    bool known, jumped1, clean, jumped2;
    int32_t p2;
    /* complex-unit operations, or 0: .function2 was finished by the complex1 two instructions back,
     * .function is finished by the complex1 of this instruction */
    uint8_t function2, function;
};

/* State of all lanes. Steps access the members by their offsets. */
struct gp_memory {
    gp_lanes attributes[TESS_GP_ATTRIBUTES][GP_COMPONENTS];
    gp_lanes registers[GP_REGISTERS * GP_COMPONENTS];
    gp_lanes varyings[TESS_GP_VARYINGS][GP_COMPONENTS];
    gp_lanes address[GP_ADDRESSES]; /* values of the address registers, which are signed integers */
    gp_lanes zero, one;
};

/* Bases to which the operands of steps are relative. */
enum gp_base {
    GP_BASE_MEMORY,   /* struct gp_memory */
    GP_BASE_UNIFORMS, /* array of gp_lanes, one for each element of gp_code.cells */
    GP_BASE_NOW,      /* struct gp_set */
    GP_BASE_P1,
    GP_BASE_P2,
    GP_BASES
};

/* State of one host thread, which runs GP_LANES vertices at a time. */
struct gp_machine {
    uint8_t *base[GP_BASES];
    uint32_t flush; /* bits that are cleared in denormals: 0x7fffffff to flush them, or 0 to keep
                       them */
    bool alone;     /* true if there is only one group, so that stores need no mask */

    /* Program and batch. */
    const struct gp_code *code;
    const float (*rows)[4];                    /* rows of the uniform memory */
    const bool *row_set;                       /* true for each row that has a value */
    const struct tess_gp_symbol *const *owner; /* uniform or constant that the program has declared
                                                  at each row, or NULL */
    const struct tess_gp_batch *batch;
    uint64_t limit; /* limit of instructions per vertex */
    size_t first_vertex;
    const struct gp_handlers *handlers;
    gp_lanes *cells; /* the rows in gp_code.cells, copied to all lanes */

    /* State of the vertices. */
    struct gp_memory *memory;
    gp_lanes (*temporaries)[GP_COMPONENTS]; /* each lane's own copy of the rows; valid for rows with
                                               .stored set */
    uint16_t stored_rows[TESS_GP_ROWS], stored_count;
    bool stored[TESS_GP_ROWS];
    gp_mask varyings_written[TESS_GP_VARYINGS][GP_COMPONENTS];
    /* lanes whose attribute component is outside the buffer */
    gp_mask attributes_beyond[TESS_GP_ATTRIBUTES][GP_COMPONENTS];
    bool any_beyond;
    gp_mask stored_by[TESS_GP_ROWS]; /* for the sanitizer: lanes that have stored each row */
    gp_mask registers_set[GP_REGISTERS * GP_COMPONENTS], addresses_set[GP_ADDRESSES];
    /* For each lane, the number, plus 1, of the instruction whose complex unit computed the lane's
     * first infinity or NaN, and the operand of that unit. The number is 0 if the unit has computed
     * neither. */
    uint16_t odd_line[GP_LANES];
    uint32_t odd_operand[GP_LANES];
    uint64_t offset[GP_LANES]; /* cycle count of each lane minus the cycle count of the lane's
                                  group */

    struct gp_group *group; /* the executing group */
    /* the first group_count groups are in use; the others may be NULL */
    struct gp_group *groups[GP_LANES];
    unsigned group_count;

    /* Results. */
    struct tess_gp_stats stats;
    struct item_log faults;
    /* the latest path to each instruction, and the path before it, for loops */
    struct gp_way way[GP_PROGRAM_MAX], way_before[GP_PROGRAM_MAX];
    bool runaway; /* true if a vertex has reached the limit */
    bool failed;  /* true if the host is out of memory */
    bool stopped; /* true after gp_stop_lanes() */

    /* Tracing. */
    void (*watch)(struct gp_machine *machine, bool done);
    void *watcher;
};

/* Converts a number from outside of the processor. Flushes denormals, and replaces every NaN by
 * 0x7fc00000. */
static inline uint32_t gp_number(const struct gp_machine *machine, uint32_t bits)
{
    const uint32_t infinite = 0x7f800000;
    if ((bits & 0x7fffffff) > infinite)
        return 0x7fc00000;
    return (bits & infinite) ? bits : bits & ~machine->flush;
}

#endif
