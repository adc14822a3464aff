/* SPDX-License-Identifier: MIT */
/* uniform_order.h - in which order a QPU program reads its uniforms, and what each is for.
 *
 * In:  the program in the memory of a machine.
 * Out: one entry for each uniform, up to the first place that memory alone does not decide: a branch that may or may not
 *      be taken, a write of the uniform address.
 * Source: manual section 3 (uniforms) and section 4: a write to a TMU's T, R or B, and to its S after one of them, takes the next
 *      uniform as a texture parameter. */
#ifndef SCENE_UNIFORM_ORDER_H
#define SCENE_UNIFORM_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "scene/machine.h"

enum { UNIFORM_READS = 512 };

struct uniform_read {
    uint32_t pc;       /* bus address of the instruction that reads it */
    bool texture;      /* by a write to a TMU */
    uint8_t unit;      /* of the texture: the TMU, as the program names it */
    uint8_t parameter; /* and which texture parameter: 0 to 3 */
};

enum uniform_end {
    UNIFORMS_PROGRAM_END,
    UNIFORMS_BRANCH,   /* at .end_pc: depends on flags, a register, or goes back */
    UNIFORMS_ADDRESS,  /* .end_pc writes the uniform address */
    UNIFORMS_UNMAPPED, /* .end_pc is not in mapped memory */
    UNIFORMS_TOO_MANY, /* reads or instructions */
};

struct uniform_order {
    struct uniform_read read[UNIFORM_READS];
    uint32_t count;
    enum uniform_end end;
    uint32_t end_pc;
};

/* Follows the program at a bus address. */
void uniform_order_find(struct uniform_order *order, const struct machine *machine, uint32_t code);

/* The entry that is a parameter of the same texture request as entry `at`; NULL: there is none. */
const struct uniform_read *uniform_order_parameter(const struct uniform_order *order, uint32_t at,
                                                   uint8_t parameter);

#endif
