/* SPDX-License-Identifier: MIT */
/* gp_isa.h - the instruction word of the Mali Utgard GP, the vertex processor: fields, tables, decode and encode.
 *
 * In:      four 32-bit words.
 * Out:     struct gp_insn, one member for each field of fields.def, and back.
 * Source:  fields.def and ops.def name theirs. Pure knowledge: nothing here executes. */
#ifndef ISA_GP_ISA_H
#define ISA_GP_ISA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    GP_WORDS = 4, /* 32-bit words of an instruction */
    GP_INSN_BYTES = 16,
    GP_PROGRAM_MAX = 512, /* instructions: what a branch can reach */
    GP_REGISTERS = 16,    /* each with x, y, z, w */
    GP_ATTRIBUTES = 16,
    GP_VARYINGS = 16, /* as far as the word can name them */
    GP_ROWS = 512,    /* of uniforms, constants and temporaries, as far as the word can name them */
    GP_ROWS_DRIVER = 304, /* as many does Mesa's driver use (lima_screen.c) */
    GP_NO_OFFSET = 7,     /* load_offset: no address register */
    GP_SOURCES = 32,
};

/* Who makes a value. */
enum gp_unit {
    GP_UNIT_NONE,
    GP_UNIT_LOAD0, /* attribute or register */
    GP_UNIT_LOAD1, /* register */
    GP_UNIT_ROW,   /* uniform or temporary */
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
    /* As second operand of an accumulator (0) or a multiplier (1), code 22 is not the complex unit's result. */
    GP_SRC_IDENTITY = GP_SRC_COMPLEX_P1,
    GP_SRC_UNUSED_ALIAS = 8, /* seen where 21 is expected; not a row of ops.def */
};
enum gp_store_source {
#define STORE_SOURCE(code, NAME, unit, words) GP_STORE_##NAME = (code),
#include "isa/gp/ops.def"
};

/* unknown_1 as every known compiler writes it. */
enum { GP_FLAGS_NONE = 0, GP_FLAGS_TEMPORARY = 12, GP_FLAGS_BRANCH = 13 };

/* One instruction. */
struct gp_insn {
#define FIELD(name, low, bits, idle, kind, meaning) uint16_t name;
#include "isa/gp/fields.def"
};

/* How the value of a field reads. */
enum gp_kind {
    GP_KIND_FLAG,
    GP_KIND_NUMBER,
    GP_KIND_ROW,
    GP_KIND_LOAD_OFFSET,
    GP_KIND_SOURCE,
    GP_KIND_MUL_SOURCE1, /* 22 is 1 */
    GP_KIND_ACC_SOURCE1, /* 22 is 0 */
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
    size_t offset; /* of the member in struct gp_insn */
};

enum {
#define FIELD(name, low, bits, idle, kind, meaning) GP_FIELD_##name,
#include "isa/gp/fields.def"
    GP_FIELDS
};

/* Rows of ops.def. operands: 1 to 4; 0 for the pass and complex units, which always have one. */
struct gp_op {
    const char *mnemonic; /* NULL: the code has never been seen */
    uint8_t operands;
    const char *words;
};
struct gp_source_row {
    const char *words; /* NULL: the code has never been seen */
    enum gp_unit unit;
    char component; /* 'x' to 'w'; 0: the unit has one result */
    uint8_t back;   /* instructions ago */
};

extern const struct gp_field gp_fields[GP_FIELDS];
extern const struct gp_op gp_acc_ops[8], gp_mul_ops[8], gp_pass_ops[8], gp_complex_ops[16];
extern const struct gp_source_row gp_sources[GP_SOURCES], gp_store_sources[8];

/* Total: every word decodes, and gp_encode() gives back all 128 bits. */
struct gp_insn gp_decode(const uint32_t words[GP_WORDS]);
void gp_encode(const struct gp_insn *insn, uint32_t words[GP_WORDS]);

/* The instruction that does nothing. */
struct gp_insn gp_nop(void);

/* A field by its number. */
unsigned gp_field_get(const struct gp_insn *insn, unsigned field);
void gp_field_set(struct gp_insn *insn, unsigned field, unsigned value);

/* The number of the instruction, 0 to 511, that a branch goes to, whatever .branch says; and the other way round. */
unsigned gp_branch_target(const struct gp_insn *insn);
void gp_set_branch_target(struct gp_insn *insn, unsigned target);

/* Whether a source code as the second operand of an accumulator or a multiplier is the identity. */
static inline bool gp_is_identity(unsigned source)
{
    return source == GP_SRC_IDENTITY;
}

/* Whether the multipliers work together, with one result on mul0. */
static inline bool gp_is_wide(unsigned mul_op)
{
    return mul_op == GP_MUL_COMPLEX1 || mul_op == GP_MUL_SELECT;
}

#endif
