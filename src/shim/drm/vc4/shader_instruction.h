/* SPDX-License-Identifier: MIT */
/* shader_instruction.h - the fields of QPU instructions that the validation of shaders needs.
 *
 * In:  an instruction word.
 * Out: fields and properties of the instruction.
 *
 * Source: VideoCore IV 3D Architecture Reference Guide, section 3. */
#ifndef SHIM_DRM_VC4_SHADER_INSTRUCTION_H
#define SHIM_DRM_VC4_SHADER_INSTRUCTION_H

#include <stdbool.h>
#include <stdint.h>

enum signal {
    SIGNAL_NONE = 1,
    SIGNAL_THREAD_SWITCH = 2,
    SIGNAL_END = 3,
    SIGNAL_SCOREBOARD_WAIT = 4,
    SIGNAL_SCOREBOARD_UNLOCK = 5,
    SIGNAL_LAST_THREAD_SWITCH = 6,
    SIGNAL_COLOUR_LOAD = 8,
    SIGNAL_LOAD_TMU0 = 10,
    SIGNAL_LOAD_TMU1 = 11,
    SIGNAL_SMALL_IMMEDIATE = 13,
    SIGNAL_LOAD_IMMEDIATE = 14,
    SIGNAL_BRANCH = 15,
};

enum { ADD_ADD = 12, ADD_MIN = 18, ADD_MAX = 19 };
enum { MUX_R3 = 3, MUX_A = 6, MUX_B = 7 };
enum { ALWAYS = 1 };
enum { READ_UNIFORM = 32 };
enum {
    WRITE_R0 = 32,
    WRITE_R3 = 35,
    WRITE_TMU_NOSWAP = 36,
    WRITE_HOST_INTERRUPT = 38,
    WRITE_NOP = 39,
    WRITE_UNIFORM_ADDRESS = 40,
    WRITE_ALPHA_MASK = 47,
    WRITE_VPM_ADDRESS = 50,
    WRITE_MUTEX_RELEASE = 51,
    WRITE_TMU0_S = 56,
    WRITE_TMU1_S = 60,
};

/* Registers whose values the validator tracks: files A and B, r0 to r3. */
enum {
    FILE_B = 32,
    ACCUMULATORS = 64,
    REGISTERS = 68,
    UPPER_HALF = 16, /* number of the first register of a file that belongs to the second thread */
    NO_REGISTER = -1,
};

struct instruction {
    uint32_t signal, pack, cond_add, cond_mul, waddr_add, waddr_mul, op_add, raddr_a, raddr_b,
        add_a, add_b, immediate;
    bool pm, ws, is_relative, is_by_register;
};

struct instruction instruction_decode(uint64_t word);

bool instruction_reads_uniform(const struct instruction *now);

/* True if the second operand of the add ALU is a uniform. */
bool instruction_adds_uniform(const struct instruction *now);

/* Returns the register in the first operand of the add ALU, or NO_REGISTER if the operand's value
 * is not tracked. */
int instruction_first_operand(const struct instruction *now);

/* instruction_is_tmu() returns true for the write addresses of the TMUs.
 * instruction_written_register() returns the register with a write address, or NO_REGISTER for
 * other destinations. */
bool instruction_is_tmu(uint32_t waddr);
int instruction_written_register(uint32_t waddr, bool file_b);

/* True if the register belongs to the second thread when a program runs with two threads. */
bool instruction_is_upper_half(uint32_t address);

#endif
