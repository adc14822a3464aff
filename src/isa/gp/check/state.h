/* SPDX-License-Identifier: MIT */
/* state.h - the state before an instruction: stores that must or may have happened, merged from
 * all paths to the instruction, and the locations of values. */
#ifndef ISA_GP_CHECK_STATE_H
#define ISA_GP_CHECK_STATE_H

#include "isa/gp/check/internal.h"

enum {
    /* greatest distance from a store at which a register load still reads the old value */
    REGISTER_WAIT = 2,
    TEMPORARY_WAIT = 3, /* same limit for temporaries */
    ADDRESS_WAIT = 3,   /* same limit for addr1 to addr3 */
    ROW_UNKNOWN = 0xffff,
    COMPONENTS = 64, /* components of all registers, or of all varyings */
};

/* Number of a value. Two sources with the same number have the same bits. */
typedef uint16_t gpc_value;

/* Origins of a value: an attribute, a row, or a unit's result. */
enum {
    VALUE_UNKNOWN = 0,
    VALUE_ATTRIBUTE = 1,
    VALUE_ROW = VALUE_ATTRIBUTE + COMPONENTS,
    VALUE_MADE = VALUE_ROW + GP_ROWS * 4
};

/* Returns the number of a unit's result: VALUE_MADE + instruction * GP_UNITS + unit. */
static inline gpc_value value_made(uint32_t at, enum gp_unit unit)
{
    return (gpc_value)(VALUE_MADE + at * GP_UNITS + unit);
}

/* Return the instruction and the unit that produced a result. */
static inline uint32_t value_maker(gpc_value value)
{
    return ((uint32_t)value - VALUE_MADE) / GP_UNITS;
}

static inline enum gp_unit value_unit(gpc_value value)
{
    return (enum gp_unit)(((uint32_t)value - VALUE_MADE) % GP_UNITS);
}

/* Stores or address settings of one earlier instruction, or of several where paths merge. */
struct recent {
    uint64_t mask; /* components of registers or temporaries, or address registers */
    uint16_t at;   /* instruction of the store; one of several where paths merge */
    uint16_t row;  /* row of a temporary, or ROW_UNKNOWN */
};

struct gpc_state {
    bool reached;
    /* components stored on every path, and on some path; bit 4 * number + component */
    uint64_t registers_must, registers_may;
    struct recent registers[REGISTER_WAIT], temporaries[TEMPORARY_WAIT], addresses[ADDRESS_WAIT];
    bool temporary_must;
    uint8_t address_must;
    uint16_t row0; /* row that addr0 selects, or ROW_UNKNOWN */
    /* components of varyings stored on every path, and on some path */
    uint64_t outputs_must, outputs_may;

    /* results of the units, one and two instructions back */
    gpc_value one_back[GP_UNITS], two_back[GP_UNITS];
    gpc_value load_back[4];         /* values of load unit 0, one instruction back */
    gpc_value contents[COMPONENTS]; /* values in the registers */
};

/* Sets the state before the first instruction. */
void gpc_state_begin(struct gpc_state *state);

/* Merges the state from another path into *to. Returns true if *to changed. */
bool gpc_state_merge(struct gpc_state *to, const struct gpc_state *from);

/* Makes all pending stores visible, as a taken branch does. */
void gpc_state_drain(struct gpc_state *state);

/* --- one instruction and the state before it --- */

struct gpc_walk {
    struct gpc_checker *checker;
    const struct gpc_facts *facts;
    struct gpc_state *state;
    uint32_t at;
    /* values of each instruction's operands, in the order of gpc_facts.operands */
    gpc_value (*operands)[GP_OPERANDS_MAX];
};

/* Advances the state past the instruction. */
void gpc_step(struct gpc_walk *walk);

/* Returns the value that a unit produces. A move returns the value of its operand. gpc_step()
 * must have set the operands first. */
gpc_value gpc_result(const struct gpc_walk *walk, enum gp_unit unit);

/* Checks registers, temporaries and address registers (hazards.c). */
void gpc_check_hazards(struct gpc_walk *walk);

/* Checks the steps of complex functions (chains.c). */
void gpc_check_chains(struct gpc_walk *walk);

/* Returns true if the value is 1/x from complex1, clamped or not. */
bool gpc_is_reciprocal(const struct gpc_walk *walk, gpc_value value);

/* outputs.c: check varyings at each instruction, stores whose value no path keeps until the end,
 * and the state after the last instruction. */
void gpc_check_outputs(struct gpc_walk *walk);
void gpc_check_lost_stores(struct gpc_checker *checker);
void gpc_check_end(struct gpc_walk *walk);

#endif
