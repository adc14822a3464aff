/* SPDX-License-Identifier: MIT */
/* first.h - registers that a program may have written when it first reaches an instruction.
 *
 * In:  the graph of a program.
 * Out: true if a register may have been written on a path that has not passed the instruction
 *      before. */
#ifndef CHECK_QPU_FIRST_H
#define CHECK_QPU_FIRST_H

#include "check/qpu/qpu_check_private.h"

/* Frees the search results that first_may_be_written() keeps for the program. */
void first_free(struct checker *checker);

/* Returns true if a register (numbered as in struct places) may have been written when the program
 * first reaches the node's instruction. Also returns true if the search limit prevents an
 * answer. */
bool first_may_be_written(struct checker *checker, uint32_t node, unsigned place);

#endif
