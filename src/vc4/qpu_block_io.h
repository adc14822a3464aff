/* SPDX-License-Identifier: MIT */
/* qpu_block_io.h - operations of blocks (qpu_block.h) that reach outside of the QPU: they make the instruction that
 * they belong to the current one and call qpu_io.c, as qpu.c does for single instructions. */
#ifndef VC4_QPU_BLOCK_IO_H
#define VC4_QPU_BLOCK_IO_H

#include "vc4/qpu_ops.h"

/* A read of address a, in file A if b is not 0; value: an ALU takes it. */
qpu_handler qpu_block_io_read;

/* C of a varying that was read goes to r5. */
qpu_handler qpu_block_io_take_c;

/* The same of the VPM, and a write of a to it. */
qpu_handler qpu_block_io_take_vector;
qpu_handler qpu_block_io_give_vector;

/* A setup word for the VPM, in element 0 of a, for reads if value is not 0; and waiting for DMA, a read of file A if b is not 0. */
qpu_handler qpu_block_io_set_up;
qpu_handler qpu_block_io_wait_for_dma;

/* A memory lookup: a write of a to address b, S of a TMU; and its result, for the signal in value. */
qpu_handler qpu_block_io_look_up;
qpu_handler qpu_block_io_result;

/* A write of a to address b where condition holds, in file A if value is not 0. */
qpu_handler qpu_block_io_write;

/* Signals, in value: what a load brings; the scoreboard. */
qpu_handler qpu_block_io_load;
qpu_handler qpu_block_io_scoreboard;

/* Ends the block here if the QPU has broken. */
qpu_handler qpu_block_io_check;

#endif
