/* SPDX-License-Identifier: MIT */
/* gp_isa.h - the instruction word of the Mali Utgard GP, the vertex processor: fields, tables,
 * decoder and encoder.
 *
 * In:      four 32-bit words.
 * Out: struct gp_insn, with one member for each field of fields.def; also the words of such a
 *      struct.
 * Source: the sources that fields.def and ops.def name. */
#ifndef ISA_GP_ISA_H
#define ISA_GP_ISA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    GP_WORDS = 4, /* 32-bit words per instruction */
    GP_INSN_BYTES = 16,
    GP_PROGRAM_MAX = 512, /* maximum number of instructions; branches can reach 0 to 511 */
    GP_REGISTERS = 16,    /* number of registers, each with x, y, z and w */
    GP_ATTRIBUTES = 16,
    GP_VARYINGS = 16, /* number of varyings that the instruction word can name */
    /* number of rows of uniforms, constants and temporaries that the instruction word can name */
    GP_ROWS = 512,
    GP_ROWS_DRIVER = 304, /* number of rows that Mesa's driver uses (lima_screen.c) */
    GP_NO_OFFSET = 7,     /* value of load_offset that adds no address register */
    GP_SOURCES = 32,
};

/* Unit that produces a value. */
enum gp_unit {
    GP_UNIT_NONE,
    GP_UNIT_LOAD0, /* loads an attribute or a register */
    GP_UNIT_LOAD1, /* loads a register */
    GP_UNIT_ROW,   /* loads a row: a uniform or a temporary */
    GP_UNIT_ACC0,
    GP_UNIT_ACC1,
    GP_UNIT_MUL0,
    GP_UNIT_MUL1,
    GP_UNIT_COMPLEX,
    GP_UNIT_PASS,
    GP_UNITS
};

enum gp_acc_op {
#define ACC_OP(code, NAME, mnemonic, operands, words) GP_ACC_##NAME = (code),
#include "isa/gp/ops.def"
};
enum gp_mul_op {
#define MUL_OP(code, NAME, mnemonic, operands, words) GP_MUL_##NAME = (code),
#include "isa/gp/ops.def"
};
enum gp_pass_op {
#define PASS_OP(code, NAME, mnemonic, words) GP_PASS_##NAME = (code),
#include "isa/gp/ops.def"
};
enum gp_complex_op {
#define COMPLEX_OP(code, NAME, mnemonic, words) GP_COMPLEX_##NAME = (code),
#include "isa/gp/ops.def"
};
enum gp_source {
#define SOURCE(code, NAME, unit, component, back, words) GP_SRC_##NAME = (code),
#include "isa/gp/ops.def"
    /* Code 22: the complex unit's result as a first operand. As second operand it is the
     * constant 0 (accumulator) or 1 (multiplier). */
    GP_SRC_IDENTITY = GP_SRC_COMPLEX_P1,
    /* Code 8 means "nothing", like code 21. Only one known instruction uses code 8. It has no row
     * in ops.def. */
    GP_SRC_UNUSED_ALIAS = 8,
};
enum gp_store_source {
#define STORE_SOURCE(code, NAME, unit, words) GP_STORE_##NAME = (code),
#include "isa/gp/ops.def"
};

/* Values of unknown_1 that known compilers write. */
enum { GP_FLAGS_NONE = 0, GP_FLAGS_TEMPORARY = 12, GP_FLAGS_BRANCH = 13 };

/* A decoded instruction. */
struct gp_insn {
#define FIELD(name, low, bits, idle, kind, meaning) uint16_t name;
#include "isa/gp/fields.def"
};

/* Kind of a field: how its value is interpreted and printed. */
enum gp_kind {
    GP_KIND_FLAG,
    GP_KIND_NUMBER,
    GP_KIND_ROW,
    GP_KIND_LOAD_OFFSET,
    GP_KIND_SOURCE,
    GP_KIND_MUL_SOURCE1, /* code 22 is the constant 1 */
    GP_KIND_ACC_SOURCE1, /* code 22 is the constant 0 */
    GP_KIND_STORE_SOURCE,
    GP_KIND_ACC_OP,
    GP_KIND_MUL_OP,
    GP_KIND_PASS_OP,
    GP_KIND_COMPLEX_OP,
    GP_KIND_UNKNOWN_1,
};

/* A row of fields.def. */
struct gp_field {
    const char *name, *meaning;
    uint8_t low, bits;
    uint8_t idle;
    enum gp_kind kind;
    size_t offset; /* offset of the field's member in struct gp_insn, in bytes */
};

enum {
#define FIELD(name, low, bits, idle, kind, meaning) GP_FIELD_##name,
#include "isa/gp/fields.def"
    GP_FIELDS
};

/* A row of ops.def. .operands is the number of operands, 1 to 4. The pass and complex units have 1
 * operand. All members are zero for codes without a row. */
struct gp_op {
    const char *mnemonic; /* NULL if no known program uses the code */
    uint8_t operands;
    const char *words;
};
struct gp_source_row {
    const char *words; /* NULL if no known program uses the code */
    enum gp_unit unit;
    char component; /* 'x' to 'w', or 0 for a unit with a single result */
    uint8_t back;   /* number of instructions since the unit produced the value: 0, 1 or 2 */
};

extern const struct gp_field gp_fields[GP_FIELDS];
extern const struct gp_op gp_acc_ops[8], gp_mul_ops[8], gp_pass_ops[8], gp_complex_ops[16];
extern const struct gp_source_row gp_sources[GP_SOURCES], gp_store_sources[8];

/* Decode and encode an instruction. Every bit pattern can be decoded, and gp_encode() restores all
 * 128 bits. */
struct gp_insn gp_decode(const uint32_t words[GP_WORDS]);
void gp_encode(const struct gp_insn *insn, uint32_t words[GP_WORDS]);

/* Returns the idle instruction. */
struct gp_insn gp_nop(void);

/* Read and write a field by its number (GP_FIELD_...). */
unsigned gp_field_get(const struct gp_insn *insn, unsigned field);
void gp_field_set(struct gp_insn *insn, unsigned field, unsigned value);

/* Read and write the branch target, an instruction number from 0 to 511. Both functions ignore the
 * field branch. */
unsigned gp_branch_target(const struct gp_insn *insn);
void gp_set_branch_target(struct gp_insn *insn, unsigned target);

/* Returns true if the source code, as second operand of an accumulator or a multiplier, is the
 * identity (0 or 1). */
static inline bool gp_is_identity(unsigned source)
{
    return source == GP_SRC_IDENTITY;
}

/* Returns true if both multipliers work together and the only result is on mul0. */
static inline bool gp_is_wide(unsigned mul_op)
{
    return mul_op == GP_MUL_COMPLEX1 || mul_op == GP_MUL_SELECT;
}

#endif
