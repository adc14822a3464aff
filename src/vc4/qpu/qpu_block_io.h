/* SPDX-License-Identifier: MIT */
/* qpu_block_io.h - operations of blocks (qpu_block.h) that access units outside the QPU. Each
 * operation sets its instruction as the current one and calls qpu_io.c, as qpu.c does for single
 * instructions. */
#ifndef VC4_QPU_QPU_BLOCK_IO_H
#define VC4_QPU_QPU_BLOCK_IO_H

#include "vc4/qpu/qpu_op.h"

/* Reads I/O address a: of file A if b is not 0, otherwise of file B. value is not 0 if an ALU uses
 * the result. */
qpu_handler qpu_block_io_read;

/* Copies coefficient C of the varying that was read last to r5. */
qpu_handler qpu_block_io_take_c;

/* qpu_block_io_take_vector reads a vector from the VPM, with the operands of qpu_block_io_read.
 * qpu_block_io_give_vector writes the vector a to the VPM. */
qpu_handler qpu_block_io_take_vector;
qpu_handler qpu_block_io_give_vector;

/* qpu_block_io_set_up writes element 0 of a as a setup word of the VPM: for reads if value is not
 * 0, otherwise for writes. qpu_block_io_wait_for_dma waits for DMA loads (read through file A) if b
 * is not 0, otherwise for DMA stores. */
qpu_handler qpu_block_io_set_up;
qpu_handler qpu_block_io_wait_for_dma;

/* qpu_block_io_varying reads a varying, with the operands of qpu_block_io_read. */
qpu_handler qpu_block_io_varying;

/* qpu_block_io_look_up requests a memory lookup by writing a to address b (register S of a TMU).
 * qpu_block_io_request does the same, and requests texels if other registers were written before.
 * qpu_block_io_coordinate writes a to address b (register T, R or B). The last two must not be used
 * for instructions that read a uniform besides. qpu_block_io_result loads a result for the load
 * signal in value. */
qpu_handler qpu_block_io_look_up;
qpu_handler qpu_block_io_request;
qpu_handler qpu_block_io_coordinate;
qpu_handler qpu_block_io_result;

/* Writes a to I/O address b for the elements for which condition holds. The write is in file A if
 * value is not 0. */
qpu_handler qpu_block_io_write;

/* Writes all elements of a to address b, which is Z or a colour register of the tile buffer. */
qpu_handler qpu_block_io_write_tile;

/* qpu_block_io_load_colour executes the colour load signal. qpu_block_io_load executes the load
 * signal in value. qpu_block_io_scoreboard executes the scoreboard signal in value. */
qpu_handler qpu_block_io_load_colour;
qpu_handler qpu_block_io_load;
qpu_handler qpu_block_io_scoreboard;

/* Leaves the block at this instruction if the QPU has broken. */
qpu_handler qpu_block_io_check;

#endif
