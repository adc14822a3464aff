/* SPDX-License-Identifier: MIT */
/* first.h - what a program may have done when it comes to an instruction for the first time.
 *
 * In:  the graph of a program.
 * Out: whether a register may have been written by then, on ways that do not pass the instruction
 *      before. */
#ifndef ISA_QPU_CHECK_FIRST_H
#define ISA_QPU_CHECK_FIRST_H

#include "isa/qpu/check/internal.h"

/* Frees what the questions below have kept of the program. */
void first_free(struct checker *checker);

/* Whether a register (a place of struct places) may have been written when the program comes to
 * the node's instruction for the first time. True if that is not known: time is bounded. */
bool first_may_be_written(struct checker *checker, uint32_t node, unsigned place);

#endif
