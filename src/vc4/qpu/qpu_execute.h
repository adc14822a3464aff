/* SPDX-License-Identifier: MIT */
/* qpu_execute.h - executes one instruction of any kind, except the fetch and the results that
 * arrive late, which qpu.c handles. */
#ifndef VC4_QPU_QPU_EXECUTE_H
#define VC4_QPU_QPU_EXECUTE_H

#include "vc4/qpu/qpu_run.h"

/* Executes the instruction run->insn: reports the rules that the instruction breaks, carries out
 * its signal, its operations and its writes, and begins a branch or the end of the program. Sets
 * the state to QPU_BROKEN if the program cannot continue. */
void qpu_execute(struct qpu_run *run);

#endif
