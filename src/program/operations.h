/* SPDX-License-Identifier: MIT */
/* operations.h - the operations of one instruction of a program, for traces.
 *
 * In:      a program and the number of an instruction.
 * Out:     the texts of the operations and of their operands, and what the operands refer to. The
 *          model adds the values. */
#ifndef PROGRAM_OPERATIONS_H
#define PROGRAM_OPERATIONS_H

#include <tessera/step.h>

#include "isa/operation_list.h"

struct tess_gp_program;
struct tess_a2xx_program;

enum { OPERATIONS_TEXT = 2048 };

struct operations {
    struct operation_list listed;                   /* one element for each operation */
    struct tess_operation list[OPERATION_LIST_MAX]; /* without values and results */
    char text[OPERATIONS_TEXT];
};

/* Read the operations of a GP instruction, of an ALU or fetch instruction, and of a control-flow
 * instruction, whose number is 2 * slot + half. */
void operations_of_gp(struct operations *operations, const struct tess_gp_program *program,
                      size_t instruction);
void operations_of_a2xx(struct operations *operations, const struct tess_a2xx_program *program,
                        size_t slot);
void operations_of_control(struct operations *operations, const struct tess_a2xx_program *program,
                           size_t number);

/* Notes the names of what a GP instruction accesses: attributes, varyings, and the loaded row. */
void operations_note(struct operations *operations, const struct tess_gp_program *program,
                     size_t instruction, uint32_t row);

#endif
