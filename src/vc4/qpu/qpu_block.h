/* SPDX-License-Identifier: MIT */
/* qpu_block.h - blocks of QPU instructions, translated once into small operations (qpu_ops.h) and
 * then executed in order.
 *
 * A block contains consecutive instructions that break no rule by themselves. Their accesses
 * outside the QPU go through qpu_io.c (qpu_block_io.h). Effects that the next instruction could see
 * (the old value of a register, values left on ports) are stored only for the block's last
 * instruction. qpu.c executes all other instructions one by one, with the same effect.
 *
 * A block is used only while the words in memory equal the words that it was translated from. */
#ifndef VC4_QPU_QPU_BLOCK_H
#define VC4_QPU_QPU_BLOCK_H

#include <stdint.h>

#include "vc4/qpu/qpu_cache.h"

/* Returns the block at an address, and translates the block if needed. code points to size mapped
 * bytes, which contain at least one instruction. */
const struct qpu_block *qpu_block_find(struct qpu_blocks *blocks, uint32_t address,
                                       const uint8_t *code, uint32_t size);

#endif
