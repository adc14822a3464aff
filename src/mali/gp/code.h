/* SPDX-License-Identifier: MIT */
/* code.h - a GP program, decoded into small steps.
 *
 * In:      instruction words, and the user's choices for open points of the hardware.
 * Out:     for each instruction, its steps (step.h): flushes of operands, loads, operations of the
 *          units, and stores.
 * The decoder takes shortcuts that no valid program can observe. A register store takes effect
 * immediately, unless an instruction within the store's delay reads the old value. Idle units keep
 * their results only if an instruction reads them. */
#ifndef MALI_GP_CODE_H
#define MALI_GP_CODE_H

#include <tessera/utgard.h>

#include "isa/gp/gp_isa.h"
#include "mali/gp/step.h"

struct gp_line {
    struct gp_insn insn;
    /* results of one instruction back (needed1) and of two instructions back (needed2) that this
     * instruction or a later one reads; bits of enum gp_need */
    uint8_t needed1, needed2;
    uint32_t steps; /* index of the instruction's first step */
    bool late;      /* true if the result of complex1 is stored separately until the result becomes
                       visible */
    bool branch;
    uint32_t target;
    gp_ref condition;
};

/* A component of a row, which is copied to all lanes before the run. Instructions read this copy if
 * they load the row without an address register and the program stores no temporaries. */
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
    uint8_t attributes[GP_ATTRIBUTES]; /* components that the program reads, as bits 1 << c */
    uint8_t varyings[GP_VARYINGS];     /* components that the program stores, as bits 1 << c */
    bool temporaries;                  /* true if the program stores temporaries */
    bool checked;                      /* true if the steps include those of the sanitizer */
    int position;                      /* number of the varying gl_Position, or -1 if there is
                                          none */
    /* register components that may be read before they are written, as bits 1 << (4 * register +
     * component) */
    uint64_t unset_registers;
    /* address registers that may be read before they are written, as bits 1 << number */
    uint8_t unset_addresses;
    /* true if an instruction may read a result that no instruction has computed; such a result is 0
     * at the start */
    bool holds;
};

struct gp_decode_options {
    const struct gp_handlers *handlers;
    struct tess_gp_choices choices;
    bool watched; /* true to make every write take effect at its exact time, which traces need */
    bool checked; /* true to include the steps of the sanitizer */
    int position; /* number of the varying gl_Position, or -1 if there is none */
};

/* Decodes a program of 1 to 512 instructions. The caller frees *code with gp_code_free().
 * Returns TESS_NO_MEMORY if the host is out of memory. */
enum tess_status gp_decode_program(const uint32_t *words, uint32_t instructions,
                                   const struct gp_decode_options *options, struct gp_code **code);
void gp_code_free(struct gp_code *code); /* code may be NULL */

#endif
