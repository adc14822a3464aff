/* SPDX-License-Identifier: MIT */
/* code.h - a GP program, decoded into small steps.
 *
 * In:      instruction words, and the choices of the user.
 * Out:     for each instruction its steps (step.h): flushing and loading, the units, stores.
 * What legal programs cannot tell apart is done in the shorter way: a register store takes effect at once unless some
 * instruction on its way reads the old value; idle units keep their results only where some instruction reads them. */
#ifndef UTGARD_CODE_H
#define UTGARD_CODE_H

#include <tessera/utgard.h>

#include "isa/gp/gp_isa.h"
#include "utgard/step.h"

struct gp_line {
    struct gp_insn insn;
    uint8_t needed1, needed2; /* enum gp_need: of what was made one and two back, here or behind */
    uint32_t steps;           /* where they begin */
    bool late; /* complex1, whose result has a place of its own until it is visible */
    bool branch;
    uint32_t target;
    gp_ref condition;
};

/* A component of a row, spread to all lanes: what instructions read that load it the plain way. */
struct gp_cell {
    uint16_t row;
    uint8_t component;
};

struct gp_code {
    struct gp_line line[GP_PROGRAM_MAX];
    uint32_t lines;
    struct gp_step *steps;
    struct gp_cell *cells;
    uint32_t cell_count;
    uint8_t attributes[GP_ATTRIBUTES]; /* components that are read, bits 1 << c */
    uint8_t varyings[GP_VARYINGS];     /* the same of those that are stored */
    bool temporaries;                  /* there are stores to them */
    bool checked;                      /* with the steps of the sanitizer */
    int position;                      /* number of the varying that is the position, or -1 */
    uint64_t
        unset_registers; /* bits 1 << (4 * register + component): may be read before they are written */
    uint8_t unset_addresses; /* the same */
    bool holds;              /* results may be read that nobody has made: they are 0 at the start */
};

struct gp_decode_options {
    const struct gp_handlers *handlers;
    struct tess_gp_choices choices;
    bool watched; /* everything as it is in the machine at each moment, for a trace */
    bool checked; /* with the steps of the sanitizer */
    int position; /* number of the varying that is the position, or -1 */
};

/* Decodes a program of 1 to 512 instructions. Free *code with gp_code_free(). Errors: TESS_NO_MEMORY. */
enum tess_status gp_decode_program(const uint32_t *words, uint32_t instructions,
                                   const struct gp_decode_options *options, struct gp_code **code);
void gp_code_free(struct gp_code *code); /* NULL is allowed */

#endif
