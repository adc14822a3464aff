/* SPDX-License-Identifier: MIT */
/* uniform_order.h - the order in which a QPU program reads its uniforms, and the use of each
 * uniform.
 *
 * In:      the program in the memory of a machine.
 * Out:     one entry for each uniform that is read, up to the first conditional or backward branch
 *          or write of the uniform address. After such an instruction, the order does not follow
 *          from the program alone.
 * Source:  manual sections 3 (uniforms) and 4: a write to T, R or B of a TMU, and a write to S
 *          after one of these, reads the next uniform as a texture parameter. */
#ifndef SCENE_UNIFORM_ORDER_H
#define SCENE_UNIFORM_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "scene/scene_machine.h"

enum { UNIFORM_READS = 512 };

struct uniform_read {
    uint32_t pc;       /* bus address of the instruction that reads the uniform */
    bool texture;      /* true if a write to a TMU reads the uniform */
    uint8_t unit;      /* if texture is true, number of the TMU in the program, 0 or 1 */
    uint8_t parameter; /* if texture is true, number of the texture parameter, 0 to 3 */
};

enum uniform_end {
    UNIFORMS_PROGRAM_END,
    UNIFORMS_BRANCH,   /* the branch at .end_pc depends on flags or a register, or goes backward */
    UNIFORMS_ADDRESS,  /* the instruction at .end_pc writes the uniform address */
    UNIFORMS_UNMAPPED, /* .end_pc is not in mapped memory */
    UNIFORMS_TOO_MANY, /* limit on uniforms or instructions reached */
};

struct uniform_order {
    struct uniform_read read[UNIFORM_READS];
    uint32_t count;
    enum uniform_end end;
    uint32_t end_pc;
};

/* Follows the program at bus address code and fills *order. */
void uniform_order_find(struct uniform_order *order, const struct machine *machine, uint32_t code);

/* Returns the entry of a parameter (0 to 3) of the texture request to which entry `at` belongs.
 * Returns NULL if the request has no such parameter. */
const struct uniform_read *uniform_order_parameter(const struct uniform_order *order, uint32_t at,
                                                   uint8_t parameter);

#endif
