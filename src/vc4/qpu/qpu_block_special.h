/* SPDX-License-Identifier: MIT */
/* qpu_block_special.h - operations of blocks (qpu_block.h) that do more than compute 16 elements:
 * values that stay on a port, records of writes, waits and branches. */
#ifndef VC4_QPU_QPU_BLOCK_SPECIAL_H
#define VC4_QPU_QPU_BLOCK_SPECIAL_H

#include "vc4/qpu/qpu_op.h"

/* Stores elements 12 to 15 of a value that remains on a port or at the mul ALU's output. */
qpu_handler qpu_block_latch;

/* Saves the elements for which conditions a (add ALU) and b (mul ALU) hold, before the instruction
 * changes the flags. */
qpu_handler qpu_block_save_conditions;

/* Record the writes of an instruction, if the next instruction could see them: of file A, of file
 * B, and of the accumulators whose bits are set in value. Operand b of the first two has the
 * written bytes in the format of struct qpu_wrote. */
qpu_handler qpu_block_note_a;
qpu_handler qpu_block_note_b;
qpu_handler qpu_block_note_accumulator;

/* Loads a two-bit value per element, in the format of qpu_element_immediate(). */
qpu_handler qpu_block_load_elements;

/* Computes an ALU's result again and packs the result for register `to` of file A. Packing needs
 * the carry and overflow of each element. Stores the packed result in the ALU's entry of
 * discard[]. value has three fields: the pack mode, the opcode from bit 8, and the ALU in bit 16,
 * which is 1 for the mul ALU. */
qpu_handler qpu_block_pack;

/* Write r5 (value is not 0 for file A), an SFU register, and the uniform address. */
qpu_handler qpu_block_r5;
qpu_handler qpu_block_sfu;
qpu_handler qpu_block_uniform_address;

qpu_handler qpu_block_thread_switch;

/* Rotates by r5. If value is not 0, rotates the whole vector. Otherwise rotates each quad
 * separately. */
qpu_handler qpu_block_rotate_by_r5;

/* Makes the QPU wait if necessary, and leaves the block before the instruction in that case. a has
 * the possible waits of the instruction (qpu_may_wait()). value has three fields: the remaining
 * delay of an SFU result (2 bits), the remaining delay of a uniform address (2 bits), and the
 * number of the branch slot that contains the instruction, or 0. */
enum { LEAVE_SFU = 0, LEAVE_UNIFORM = 2, LEAVE_SLOT = 4 };
qpu_handler qpu_block_wait;

/* Increments or decrements a semaphore. value has its number, and from bit 4 the direction. */
qpu_handler qpu_block_semaphore;

/* Branches. value is added to the target. b has flags: BRANCH_RELATIVE if the target is relative,
 * BRANCH_REGISTER if element 15 of register a is added, BRANCH_LINK if the address after the delay
 * slots is written to a register. */
enum { BRANCH_RELATIVE = 1, BRANCH_REGISTER = 2, BRANCH_LINK = 4 };
qpu_handler qpu_block_branch;

#endif
