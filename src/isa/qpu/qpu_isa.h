/* SPDX-License-Identifier: MIT */
/* qpu_isa.h - the QPU instruction word: fields, tables, decode and encode (manual, section 3).
 *
 * This module executes no instructions. The tables are fields.def and ops.def. The decoder, the
 * encoder, the printer, the parser and the explainer all use these two tables. */
#ifndef ISA_QPU_ISA_H
#define ISA_QPU_ISA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Signals (manual table 4). */
enum qpu_sig {
    QPU_SIG_BREAKPOINT,
    QPU_SIG_NONE,
    QPU_SIG_THREAD_SWITCH,
    QPU_SIG_PROGRAM_END,
    QPU_SIG_SCOREBOARD_WAIT,
    QPU_SIG_SCOREBOARD_UNLOCK,
    QPU_SIG_LAST_THREAD_SWITCH,
    QPU_SIG_COVERAGE_LOAD,
    QPU_SIG_COLOUR_LOAD,
    QPU_SIG_COLOUR_LOAD_END,
    QPU_SIG_LOAD_TMU0,
    QPU_SIG_LOAD_TMU1,
    QPU_SIG_ALPHA_MASK_LOAD,
    QPU_SIG_SMALL_IMMEDIATE,
    QPU_SIG_LOAD_IMMEDIATE,
    QPU_SIG_BRANCH,
};

/* Add and mul opcodes (tables 12 and 13): QPU_ADD_NOP, QPU_ADD_FADD and so on; QPU_MUL_NOP,
 * QPU_MUL_FMUL and so on. */
enum qpu_add_op {
#define ADD_OP(code, NAME, mnemonic, sources, is_float, words) QPU_ADD_##NAME = (code),
#include "isa/qpu/ops.def"
};
enum qpu_mul_op {
#define MUL_OP(code, NAME, mnemonic, sources, is_float, words) QPU_MUL_##NAME = (code),
#include "isa/qpu/ops.def"
};

/* Input muxes (table 3). */
enum qpu_mux {
    QPU_MUX_R0,
    QPU_MUX_R1,
    QPU_MUX_R2,
    QPU_MUX_R3,
    QPU_MUX_R4,
    QPU_MUX_R5,
    QPU_MUX_A,
    QPU_MUX_B
};

/* Conditions (table 2). */
enum qpu_cond {
    QPU_COND_NEVER,
    QPU_COND_ALWAYS,
    QPU_COND_ZS,
    QPU_COND_ZC,
    QPU_COND_NS,
    QPU_COND_NC,
    QPU_COND_CS,
    QPU_COND_CC
};

/* Addresses of special registers (table 14): RD when read, WR when written. */
enum {
    QPU_RD_UNIFORM = 32,
    QPU_RD_VARYING = 35,
    QPU_RD_ELEMENT_QPU = 38,
    QPU_NOP = 39,
    QPU_RD_XY_COORD = 41,
    QPU_RD_MS_REV = 42,
    QPU_RD_VPM = 48,
    QPU_RD_VPM_BUSY = 49,
    QPU_RD_VPM_WAIT = 50,
    QPU_RD_MUTEX = 51,

    QPU_WR_ACC0 = 32,
    QPU_WR_ACC3 = 35,
    QPU_WR_TMU_NOSWAP = 36,
    QPU_WR_ACC5 = 37,
    QPU_WR_HOST_INT = 38,
    QPU_WR_UNIFORM_ADDRESS = 40,
    QPU_WR_QUAD_XY = 41,
    QPU_WR_MS_REV = 42,
    QPU_WR_STENCIL_SETUP = 43,
    QPU_WR_TLB_Z = 44,
    QPU_WR_TLB_COLOUR_MS = 45,
    QPU_WR_TLB_COLOUR_ALL = 46,
    QPU_WR_TLB_ALPHA_MASK = 47,
    QPU_WR_VPM = 48,
    QPU_WR_VPM_SETUP = 49,
    QPU_WR_VPM_ADDRESS = 50,
    QPU_WR_MUTEX_RELEASE = 51,
    QPU_WR_SFU_RECIP = 52,
    QPU_WR_SFU_RECIPSQRT = 53,
    QPU_WR_SFU_EXP = 54,
    QPU_WR_SFU_LOG = 55,
    QPU_WR_TMU0_S = 56,
    QPU_WR_TMU1_S = 60,
};

enum qpu_form {
    QPU_FORM_ALU,
    QPU_FORM_ALU_IMMEDIATE, /* raddr_b is a small immediate */
    QPU_FORM_LOAD_32,       /* the four load forms share sig 14; the unpack field selects one */
    QPU_FORM_LOAD_SIGNED,
    QPU_FORM_LOAD_UNSIGNED,
    QPU_FORM_SEMAPHORE,
    QPU_FORM_LOAD_RESERVED, /* sig 14 with an unpack value that the manual does not define */
    QPU_FORM_BRANCH,
};

/* Layouts of fields.def, one bit each. Every form uses one of the three. */
enum { QPU_IN_ALU = 1, QPU_IN_LOAD = 2, QPU_IN_BRANCH = 4, QPU_IN_ALL = 7 };
unsigned qpu_layout(enum qpu_form form);

/* A decoded instruction, with the fields of all forms. Fields that the form does not have are 0. */
struct qpu_insn {
    enum qpu_form form;
    uint8_t sig, unpack, pm, pack, cond_add, cond_mul, sf, ws, waddr_add, waddr_mul;
    uint8_t op_mul, op_add, raddr_a, raddr_b, add_a, add_b, mul_a, mul_b;
    uint8_t cond_br, rel, reg; /* branches only; a branch's 5-bit raddr_a is in .raddr_a */
    uint8_t unused;            /* branches only: bits 59:56, preserved by qpu_encode() */
    uint32_t immediate;        /* low word of loads, semaphores and branches */
};

/* Decode and encode a word. Every word decodes, and qpu_encode(qpu_decode(w)) == w for all w. */
struct qpu_insn qpu_decode(uint64_t word);
uint64_t qpu_encode(const struct qpu_insn *insn);

/* Returns the value of a small immediate 0 to 47. Codes 48 to 63 select a rotation; as an operand
 * they have the values -16 to -1 (vc4asm's addendum). */
uint32_t qpu_small_immediate(unsigned field);

/* The canonical nop, 0x100009e7009e7000. */
#define QPU_WORD_NOP UINT64_C(0x100009e7009e7000)

/* Returns the value that element 0 to 15 receives from a per-element load, signed or unsigned. */
uint32_t qpu_element_immediate(const struct qpu_insn *insn, unsigned element);

/* qpu_add_float_in() returns true if an add opcode's inputs are unpacked as floats.
 * qpu_add_float_out() returns true if an add opcode's result is packed as a float. */
bool qpu_add_float_in(unsigned op);
bool qpu_add_float_out(unsigned op);

/* Returns true if the mul ALU has this pack mode: 0 and 3 to 7 (manual, table 9), and 11 to 15,
 * which convert as 3 to 7 do (vc4asm, src/AssembleInst.cpp, writes 11 for ".8abcdsf"). */
bool qpu_mul_pack_defined(unsigned pack);

/* qpu_bytes_written() returns the bytes of a register that an ALU's write to file A or B replaces.
 * qpu_bytes_read() returns the bytes that a read of file A uses. Bit 0 is the lowest byte. Packing
 * and unpacking do not change or use the other bytes (manual, tables 6, 7 and 9). */
enum { QPU_ALL_BYTES = 15 };
unsigned qpu_bytes_written(const struct qpu_insn *insn, bool from_mul, bool file_a);
unsigned qpu_bytes_read(const struct qpu_insn *insn);

/* Return register names in vc4asm's spelling: "ra3", "unif", "tlbc" and so on. file is 'a' or 'b'.
 * Return NULL if the address has no function in that file. */
const char *qpu_read_name(char file, unsigned address);
const char *qpu_write_name(char file, unsigned address);
extern const char *const qpu_accumulator_names[6]; /* "r0" to "r5" */

/* Writes the instruction in the vc4asm dialect. address is the address of the instruction, for
 * branch targets. The text assembles to exactly this word. A word that no mnemonic can express
 * becomes ".int 0xLOW, 0xHIGH # nearest text". Returns the length of the whole text. */
size_t qpu_print(char *text, size_t size, uint64_t word, uint32_t address);

/* Like qpu_print(), but always writes the mnemonic line, even if the line assembles to other values
 * of unused fields. */
size_t qpu_print_nearest(char *text, size_t size, uint64_t word, uint32_t address);

/* Writes one line for each field, "m_name value (meaning)", from mul_b up to the signal as
 * JayStation does, then the plain-language comment. Returns the length of the whole text. */
size_t qpu_explain(char *text, size_t size, uint64_t word, uint32_t address);

#endif
