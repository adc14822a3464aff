/* SPDX-License-Identifier: MIT */
/* gp_check_state.h - the checker's state before an instruction: the stores that have happened on
 * every path and on some path to the instruction, and the values in registers and units. */
#ifndef CHECK_GP_GP_CHECK_STATE_H
#define CHECK_GP_GP_CHECK_STATE_H

#include "check/gp/gp_check_private.h"

enum {
    /* largest number of instructions after a store at which a load of the register still reads the
     * old value */
    REGISTER_WAIT = 2,
    TEMPORARY_WAIT = 3, /* largest number of instructions after a store at which a load of the
                         * temporary reads the old value */
    ADDRESS_WAIT = 3,   /* largest number of instructions after a change of addr1 to addr3 at which
                         * a load uses the old value */
    ROW_UNKNOWN = 0xffff,
    COMPONENTS = 64, /* components of all registers; the varyings have equally many */
};

/* First numbers of the values from each origin: attributes, rows, and results of units. */
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

/* The stores, or the changes of address registers, of an earlier instruction. Where paths merge,
 * the struct contains those of several instructions at the same distance. */
struct recent {
    uint64_t mask; /* stored components of registers or temporaries, or changed address registers */
    uint16_t at;   /* number of the instruction; if paths merge, the number of one of the
                    * instructions */
    uint16_t row;  /* row of a temporary, or ROW_UNKNOWN */
};

struct gpc_state {
    /* components of registers stored on every path, and on some path; bit 4 * number + component */
    uint64_t registers_must, registers_may;
    struct recent registers[REGISTER_WAIT], temporaries[TEMPORARY_WAIT], addresses[ADDRESS_WAIT];
    bool temporary_must;
    uint8_t address_must;
    uint16_t row0; /* row that addr0 selects, or ROW_UNKNOWN */
    /* components of varyings stored on every path, and on some path */
    uint64_t outputs_must, outputs_may;

    /* results of the units in the preceding instruction, and in the instruction before it */
    gpc_value one_back[GP_UNITS], two_back[GP_UNITS];
    gpc_value load_back[4];         /* values that load unit 0 loaded in the preceding
                                     * instruction */
    gpc_value contents[COMPONENTS]; /* values in the components of the registers */
};

/* Sets the state before the first instruction. */
void gpc_state_begin(struct gpc_state *state);

/* Merges the state from another path into a state (struct check_paths_machine). */
bool gpc_state_merge(void *into, const void *other, bool widen);

/* Makes all pending stores visible, as a taken branch does. */
void gpc_state_drain(struct gpc_state *state);

/* --- an instruction and the state before the instruction --- */

/* Changes the state before the instruction to the state after the instruction. */
void gpc_step(struct gpc_walk *walk);

/* Returns the value that a unit produces. A move returns the value of its operand. gpc_step()
 * must have set the operands first. */
gpc_value gpc_result(const struct gpc_walk *walk, enum gp_unit unit);

/* Returns true if the value is a reciprocal that complex1 has computed, or such a reciprocal after
 * a clamp. */
bool gpc_is_reciprocal(const struct gpc_walk *walk, gpc_value value);

#endif
