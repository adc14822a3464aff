/* SPDX-License-Identifier: MIT */
/* shader_instruction.h - QPU instructions as the validation of shaders sees them.
 *
 * In:  an instruction word.
 * Out: fields and properties of the instruction.
 *
 * Like the kernel, the validation reads a field wherever it is in the word, also in a form of
 * instruction that does not have that field. */
#ifndef SHIM_DRM_VC4_SHADER_INSTRUCTION_H
#define SHIM_DRM_VC4_SHADER_INSTRUCTION_H

#include <stdbool.h>
#include <stdint.h>

#include "isa/qpu/qpu_isa.h"

/* Registers whose values the validator tracks: files A and B, r0 to r3. */
enum {
    FILE_B = 32,
    ACCUMULATORS = 64,
    REGISTERS = 68,
    UPPER_HALF = 16, /* number of the first register of a file that belongs to the second thread */
    NO_REGISTER = -1,
};

/* Reads the fields of all forms. */
struct qpu_insn instruction_decode(uint64_t word);

bool instruction_reads_uniform(const struct qpu_insn *now);

/* True if the second operand of the add ALU is a uniform. */
bool instruction_adds_uniform(const struct qpu_insn *now);

/* Returns the register in the first operand of the add ALU, or NO_REGISTER if the operand's value
 * is not tracked. */
int instruction_first_operand(const struct qpu_insn *now);

/* instruction_is_tmu() returns true for the write addresses of the TMUs.
 * instruction_written_register() returns the register with a write address, or NO_REGISTER for
 * other destinations. */
bool instruction_is_tmu(uint32_t waddr);
int instruction_written_register(uint32_t waddr, bool file_b);

/* True if the register belongs to the second thread when a program runs with two threads. */
bool instruction_is_upper_half(uint32_t address);

#endif
