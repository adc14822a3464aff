/* SPDX-License-Identifier: MIT */
/* state.h - what may and what must have happened before an instruction, merged from all ways that lead to it; and which
 * values are where. */
#ifndef ISA_GP_CHECK_STATE_H
#define ISA_GP_CHECK_STATE_H

#include "isa/gp/check/internal.h"

enum {
    REGISTER_WAIT = 2,  /* instructions behind a store that load the old value */
    TEMPORARY_WAIT = 3, /* the same of temporaries, */
    ADDRESS_WAIT = 3,   /* and of addr1 to addr3 */
    ROW_UNKNOWN = 0xffff,
    COMPONENTS = 64, /* of all registers, or of all varyings */
};

/* Number of a value; two sources that have the same one are the same, bit for bit. */
typedef uint16_t gpc_value;

/* Who made a value. */
enum {
    VALUE_UNKNOWN = 0,
    VALUE_ATTRIBUTE = 1,
    VALUE_ROW = VALUE_ATTRIBUTE + COMPONENTS,
    VALUE_MADE = VALUE_ROW + GP_ROWS * 4
};

/* A result of a unit: VALUE_MADE + instruction * GP_UNITS + unit. */
static inline gpc_value value_made(uint32_t at, enum gp_unit unit)
{
    return (gpc_value)(VALUE_MADE + at * GP_UNITS + unit);
}

/* The instruction and the unit that made such a value. */
static inline uint32_t value_maker(gpc_value value)
{
    return ((uint32_t)value - VALUE_MADE) / GP_UNITS;
}

static inline enum gp_unit value_unit(gpc_value value)
{
    return (enum gp_unit)(((uint32_t)value - VALUE_MADE) % GP_UNITS);
}

/* What was stored or set so many instructions before. */
struct recent {
    uint64_t mask; /* components, or address registers */
    uint16_t at;   /* one of the instructions that did */
    uint16_t row;  /* of temporaries; ROW_UNKNOWN */
};

struct gpc_state {
    bool reached;
    uint64_t registers_must,
        registers_may; /* components that have been stored; 4 * number + component */
    struct recent registers[REGISTER_WAIT], temporaries[TEMPORARY_WAIT], addresses[ADDRESS_WAIT];
    bool temporary_must;
    uint8_t address_must;
    uint16_t row0;                      /* what addr0 names; ROW_UNKNOWN */
    uint64_t outputs_must, outputs_may; /* components of varyings */

    gpc_value one_back[GP_UNITS], two_back[GP_UNITS]; /* results of ALUs */
    gpc_value load_back[4];         /* what load unit 0 gave, one instruction back */
    gpc_value contents[COMPONENTS]; /* of registers */
};

/* The start of a program. */
void gpc_state_begin(struct gpc_state *state);

/* Merges what comes along another way. Returns whether anything changed. */
bool gpc_state_merge(struct gpc_state *to, const struct gpc_state *from);

/* A taken branch waits until all stores are visible. */
void gpc_state_drain(struct gpc_state *state);

/* --- an instruction with the state before it --- */

struct gpc_walk {
    struct gpc_checker *checker;
    const struct gpc_facts *facts;
    struct gpc_state *state;
    uint32_t at;
    gpc_value (
        *operands)[GP_OPERANDS_MAX]; /* values of each instruction's operands, in their order */
};

/* What the state becomes behind the instruction. */
void gpc_step(struct gpc_walk *walk);

/* The value that a unit makes; a move hands on its operand. Operands must be known: gpc_step() sets them. */
gpc_value gpc_result(const struct gpc_walk *walk, enum gp_unit unit);

/* hazards.c: registers, temporaries and address registers. */
void gpc_check_hazards(struct gpc_walk *walk);

/* chains.c: complex functions. */
void gpc_check_chains(struct gpc_walk *walk);

/* Whether a value is 1/x, as complex1 makes it, clamped or not. */
bool gpc_is_reciprocal(const struct gpc_walk *walk, gpc_value value);

/* outputs.c: varyings, at each instruction and behind the last one; stores whose value no path to the end keeps. */
void gpc_check_outputs(struct gpc_walk *walk);
void gpc_check_lost_stores(struct gpc_checker *checker);
void gpc_check_end(struct gpc_walk *walk);

#endif
