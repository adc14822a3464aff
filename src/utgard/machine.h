/* SPDX-License-Identifier: MIT */
/* machine.h - the state of a GP that runs up to GP_LANES vertices side by side.
 *
 * Vertices that are at the same place, with the same way behind them, are a group: they execute an instruction together.
 * What an instruction leaves behind for the next ones (results, late values, writes on their way) belongs to the group;
 * registers, temporaries, address registers and varyings belong to the lanes, and a group writes its own lanes only.
 * Source:  digest utgard.md, sections 3 to 8. */
#ifndef UTGARD_MACHINE_H
#define UTGARD_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tessera/utgard.h>

#include "isa/gp/gp_isa.h"
#include "utgard/fault.h"
#include "utgard/lanes.h"

struct gp_code;
struct gp_handlers;

enum {
    GP_COMPONENTS = 4,
    GP_ADDRESSES = 4,         /* address registers */
    GP_REGISTER_LATENCY = 3,  /* instructions from a store to the first load that sees it */
    GP_TEMPORARY_LATENCY = 4, /* the same for temporaries, and for address registers 1 to 3 */
    GP_SETS = 3,              /* results of this instruction, and of the two before it */
    GP_NOWHERE = -1,          /* instruction "before" the first */
};

/* What one instruction has made. */
struct gp_set {
    gp_lanes unit[TESS_GP_UNITS];
    gp_lanes late;    /* of complex1: takes the place of mul0's result one instruction later */
    gp_lanes operand; /* of a function of the complex unit, for the sanitizer */
    gp_lanes load0[GP_COMPONENTS]; /* kept where the next instruction reads them */
    gp_lanes row[GP_COMPONENTS];   /* of a load that depends on the vertex */
    gp_lanes flushed[12];          /* operands that may be raw bits, as arithmetic sees them */
};

/* Writes that land at the beginning of the same instruction. */
struct gp_landing {
    unsigned registers, temporaries, addresses; /* how many */
    uint8_t cell[GP_COMPONENTS];                /* 4 * register + component */
    uint8_t component[GP_COMPONENTS];
    uint8_t address[2];
    gp_lanes register_value[GP_COMPONENTS], temporary_value[GP_COMPONENTS], address_value[2];
    gp_lanes row; /* of the temporaries */
};

/* Vertices that execute together. */
struct gp_group {
    gp_mask mask;
    uint32_t lanes; /* in the mask */
    uint32_t pc;
    int32_t p1, p2;        /* the instructions executed before, GP_NOWHERE at the start */
    bool jumped1, jumped2; /* a branch was taken after p1; after p2 */
    bool pending;          /* some landing is not empty */
    uint64_t cycle;        /* instructions executed; lanes add their .offset */
    uint64_t deadline;     /* cycle before which no lane reaches the limit */
    uint8_t function1,
        function2; /* of complex1 one and two back: operations of the complex unit; for the sanitizer */
    unsigned slot;                /* of the set that the next instruction makes */
    struct gp_landing landing[4]; /* by cycle % 4 */
    struct gp_set set[GP_SETS];   /* in turn */
};

/* A way to an instruction, and what the sanitizer knows about it. */
struct gp_way {
    int32_t p1, p2;
    bool known, jumped1, jumped2, clean;
    uint8_t function2, function; /* of the complex1 two back, and of this one */
};

/* What belongs to lanes. Steps name its members by their offsets. */
struct gp_memory {
    gp_lanes attributes[TESS_GP_ATTRIBUTES][GP_COMPONENTS];
    gp_lanes registers[GP_REGISTERS * GP_COMPONENTS];
    gp_lanes varyings[TESS_GP_VARYINGS][GP_COMPONENTS];
    gp_lanes address[GP_ADDRESSES]; /* signed integers */
    gp_lanes zero, one;
};

/* Bases of the operands of steps. */
enum gp_base {
    GP_BASE_MEMORY,   /* struct gp_memory */
    GP_BASE_UNIFORMS, /* gp_lanes, one for each cell of struct gp_code */
    GP_BASE_NOW,      /* struct gp_set */
    GP_BASE_P1,
    GP_BASE_P2,
    GP_BASES
};

/* One for each thread. */
struct gp_machine {
    uint8_t *base[GP_BASES];
    uint32_t flush; /* what a denormal loses: 0x7fffffff, or 0 */
    bool alone;     /* no other group has lanes that must be left alone */

    /* The work. */
    const struct gp_code *code;
    const float (*rows)[4]; /* the uniform memory */
    const bool *row_set;    /* whether somebody has */
    const struct tess_gp_symbol *const *owner; /* of rows: a uniform or constant, or NULL */
    const struct tess_gp_batch *batch;
    uint64_t limit; /* instructions of a vertex */
    size_t first_vertex;
    const struct gp_handlers *handlers;
    gp_lanes *cells; /* of the code, spread */

    /* The vertices. */
    struct gp_memory *memory;
    gp_lanes (*temporaries)[GP_COMPONENTS]; /* rows of the lanes, where .stored says so */
    uint16_t stored_rows[TESS_GP_ROWS], stored_count;
    bool stored[TESS_GP_ROWS];
    gp_mask varyings_written[TESS_GP_VARYINGS][GP_COMPONENTS];
    gp_mask attributes_beyond[TESS_GP_ATTRIBUTES][GP_COMPONENTS]; /* what lies behind the buffer */
    bool any_beyond;
    gp_mask stored_by[TESS_GP_ROWS]; /* lanes, for the sanitizer */
    gp_mask registers_set[GP_REGISTERS * GP_COMPONENTS], addresses_set[GP_ADDRESSES];
    /* Where the complex unit has made a lane's first infinity or NaN: instruction + 1; and from what. */
    uint16_t odd_line[GP_LANES];
    uint32_t odd_operand[GP_LANES];
    uint64_t offset[GP_LANES]; /* of the lane's cycles from its group's */

    struct gp_group *group;            /* that executes */
    struct gp_group *groups[GP_LANES]; /* the first group_count are alive; NULL: not needed yet */
    unsigned group_count;

    /* What comes of it. */
    struct tess_gp_stats stats;
    struct fault_log faults;
    struct gp_way way[GP_PROGRAM_MAX]; /* the latest one to each instruction */
    bool runaway;                      /* a vertex has reached the limit */
    bool failed;                       /* for want of memory */

    /* Looking on. */
    void (*watch)(struct gp_machine *machine, bool done);
    void *watcher;
};

/* What a number from outside is in the machine: denormals flushed, NaN canonical. */
static inline uint32_t gp_number(const struct gp_machine *machine, uint32_t bits)
{
    const uint32_t infinite = 0x7f800000;
    if ((bits & 0x7fffffff) > infinite)
        return 0x7fc00000;
    return (bits & infinite) ? bits : bits & ~machine->flush;
}

#endif
