/* SPDX-License-Identifier: MIT */
/* a2xx_isa.h - the instruction words of the Adreno A2xx and of the Xenos: forms, fields, tables,
 * decoder and encoder.
 *
 * In:      a control-flow instruction of 48 bits, or an ALU or fetch instruction of three 32-bit
 *          words.
 * Out: struct a2xx_cf, a2xx_alu or a2xx_fetch, with one member for each field of fields.def; also
 *      the words of such a struct.
 * Source: the sources that fields.def, ops.def and formats.def name. */
#ifndef ISA_A2XX_ISA_H
#define ISA_A2XX_ISA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tessera/isa.h>

enum {
    A2XX_WORDS = 3, /* 32-bit words per slot */
    /* bytes of a slot, which has an ALU or fetch instruction or two control-flow instructions */
    A2XX_SLOT_BYTES = 12,
    A2XX_CF_BYTES = 6,
    A2XX_CF_PER_SLOT = 2,
    A2XX_SLOTS_MAX = 4096, /* number of slots that a clause address can reach */
    /* number of slots that Mesa's driver reserves for each stage (register
     * SQ_INST_STORE_MANAGMENT) */
    A2XX_SLOTS_STORE = 384,
    A2XX_CLAUSE_MAX = 6, /* number of instructions of a clause that have sequence bits */
    A2XX_REGISTERS = 64,
    /* number of constants that an operand can name; the hardware adds the base of the stage */
    A2XX_CONSTANTS = 256,
    A2XX_CONSTANT_FILE = 512,
    A2XX_BOOLS = 256,
    A2XX_LOOPS = 32,
    A2XX_FETCH_CONSTANTS = 32, /* number of texture constants; each can contain three vertex
                                * constants instead */
    A2XX_VERTEX_CONSTANTS = 96,
    A2XX_STACK = 4, /* maximum depth of loops, and of calls */
};

/* Export registers (docs/hardware/a2xx.md, section 11). */
enum {
    A2XX_EXPORT_PARAMETERS = 16, /* vertex programs: 0 to 15 */
    A2XX_EXPORT_COLOURS = 4,     /* pixel programs: 0 to 3 */
    A2XX_EXPORT_ADDRESS = 32,    /* address of a memory export */
    A2XX_EXPORT_DATA = 33,       /* data of a memory export: 33 to 37 */
    A2XX_EXPORT_DATA_LAST = 37,
    A2XX_EXPORT_DEPTH = 61,
    A2XX_EXPORT_POSITION = 62,
    A2XX_EXPORT_POINT = 63, /* x is the point size, y the edge flag, z kills the vertex */
};

enum {
    /* enum tess_a2xx_variant; docs/hardware/a2xx.md, section 26, lists the differences */
    A2XX_VARIANTS = 2
};

enum a2xx_form {
    A2XX_FORM_EXEC,
    A2XX_FORM_LOOP,
    A2XX_FORM_JUMP,
    A2XX_FORM_ALLOC,
    A2XX_FORM_NOP,
    A2XX_FORM_ALU,
    A2XX_FORM_VERTEX,
    A2XX_FORM_TEXTURE,
    A2XX_FORMS
};

enum a2xx_cf_op {
#define CF_OP(code, NAME, form, xbox, words) A2XX_CF_##NAME = (code),
#include "isa/a2xx/ops.def"
};
enum a2xx_vector_op {
#define VECTOR_OP(code, NAME, mnemonic, sources, xbox, words) A2XX_V_##NAME = (code),
#include "isa/a2xx/ops.def"
};
enum a2xx_scalar_op {
#define SCALAR_OP(code, NAME, mnemonic, sources, xbox, words) A2XX_S_##NAME = (code),
#include "isa/a2xx/ops.def"
};
enum a2xx_fetch_op {
#define FETCH_OP(code, NAME, mnemonic, xbox, words) A2XX_FETCH_##NAME = (code),
#include "isa/a2xx/ops.def"
};

/* Values of ALLOC's field buffer_select. */
enum a2xx_buffer {
    A2XX_BUFFER_NONE,
    A2XX_BUFFER_POSITION,
    A2XX_BUFFER_PARAM_PIXEL,
    A2XX_BUFFER_MEMORY
};

/* One struct for each form, with the form's fields. */
struct a2xx_exec {
#define EXEC_FIELD(name, low, bits, kind, variants, meaning) uint32_t name;
#include "isa/a2xx/fields.def"
};
struct a2xx_loop {
#define LOOP_FIELD(name, low, bits, kind, variants, meaning) uint32_t name;
#include "isa/a2xx/fields.def"
};
struct a2xx_jump {
#define JUMP_FIELD(name, low, bits, kind, variants, meaning) uint32_t name;
#include "isa/a2xx/fields.def"
};
struct a2xx_alloc {
#define ALLOC_FIELD(name, low, bits, kind, variants, meaning) uint32_t name;
#include "isa/a2xx/fields.def"
};
struct a2xx_nop {
#define NOP_FIELD(name, low, bits, kind, variants, meaning) uint32_t name;
#include "isa/a2xx/fields.def"
};
struct a2xx_alu {
#define ALU_FIELD(name, low, bits, kind, variants, meaning) uint32_t name;
#include "isa/a2xx/fields.def"
};
struct a2xx_vertex {
#define VERTEX_FIELD(name, low, bits, kind, variants, meaning) uint32_t name;
#include "isa/a2xx/fields.def"
};
struct a2xx_texture {
#define TEXTURE_FIELD(name, low, bits, kind, variants, meaning) uint32_t name;
#include "isa/a2xx/fields.def"
};

/* A control-flow instruction. .form selects the member of the union. */
struct a2xx_cf {
    enum a2xx_form form; /* EXEC, LOOP, JUMP, ALLOC or NOP */
    uint8_t opcode;      /* enum a2xx_cf_op; the field opcode of the union's member has the same
                          * value */
    union {
        struct a2xx_exec exec;
        struct a2xx_loop loop;
        struct a2xx_jump jump;
        struct a2xx_alloc alloc;
        struct a2xx_nop nop;
    };
};

/* A fetch instruction. */
struct a2xx_fetch {
    enum a2xx_form form; /* A2XX_FORM_VERTEX or A2XX_FORM_TEXTURE */
    /* same value as the field opcode of the union's member; may be a code that enum a2xx_fetch_op
     * lacks */
    uint8_t opcode;
    union {
        struct a2xx_vertex vertex;
        struct a2xx_texture texture;
    };
};

/* Kind of a field: how its value is interpreted and printed. */
enum a2xx_kind {
    A2XX_KIND_NUMBER,
    A2XX_KIND_FLAG,
    A2XX_KIND_RESERVED,
    A2XX_KIND_SLOT,
    A2XX_KIND_TARGET,
    A2XX_KIND_SEQUENCE,
    A2XX_KIND_BOOL_ADDRESS,
    A2XX_KIND_ADDRESS_MODE,
    A2XX_KIND_CF_OP,
    A2XX_KIND_BUFFER,
    A2XX_KIND_MASK,
    A2XX_KIND_SCALAR_OP,
    A2XX_KIND_VECTOR_OP,
    A2XX_KIND_FETCH_OP,
    A2XX_KIND_SWIZZLE, /* four components, each relative to its position; see a2xx_swizzle() */
    A2XX_KIND_SOURCE,
    A2XX_KIND_SELECT,
    A2XX_KIND_COMPONENT,     /* one of x, y, z, w */
    A2XX_KIND_COMPONENTS,    /* three components, each 0 to 3 for x to w */
    A2XX_KIND_FETCH_SWIZZLE, /* 3 bits for each of four components: 0 to 3 for x to w, 4 for zero, 5
                              * for one, 7 for keep */
    A2XX_KIND_SIGNED,        /* two's complement */
    A2XX_KIND_FORMAT,
    A2XX_KIND_STRIDE,
    A2XX_KIND_OFFSET,
    A2XX_KIND_FILTER,
    A2XX_KIND_ANISO,
    A2XX_KIND_ARBITRARY,
    A2XX_KIND_LOCATION,
    A2XX_KIND_DIMENSION,
};

/* A row of fields.def. */
struct a2xx_field {
    const char *name, *meaning;
    uint8_t low, bits;
    enum a2xx_kind kind;
    bool xenos_only;
    size_t offset; /* offset of the field's member in the form's struct, in bytes */
};

/* The fields of a form, ordered from the lowest bit up. */
struct a2xx_field_list {
    const struct a2xx_field *fields;
    size_t count;
    unsigned bits; /* width of the form: 48 or 96 */
};
extern const struct a2xx_field_list a2xx_fields[A2XX_FORMS];

/* Rows of ops.def. .mnemonic is NULL if the code is undefined. */
struct a2xx_op {
    const char *mnemonic;
    uint8_t sources;
    const char *xbox; /* name in the Xbox assembler */
    const char *words;
};
struct a2xx_cf_row {
    const char *mnemonic;
    enum a2xx_form form;
    const char *xbox, *words;
};
struct a2xx_alias {
    const char *mnemonic;
    uint8_t opcode;
};
extern const struct a2xx_cf_row a2xx_cf_ops[16];
extern const struct a2xx_op a2xx_vector_ops[32], a2xx_scalar_ops[64], a2xx_fetch_ops[32];
extern const struct a2xx_alias a2xx_scalar_aliases[];
extern const size_t a2xx_scalar_alias_count;

/* Rows of formats.def. */
enum a2xx_format_kind {
    A2XX_FORMAT_NONE, /* the layout is unknown */
    A2XX_FORMAT_INTEGER,
    A2XX_FORMAT_FLOAT,
    A2XX_FORMAT_YUV,
    A2XX_FORMAT_DXT1,
    A2XX_FORMAT_DXT2_3,
    A2XX_FORMAT_DXT4_5,
    A2XX_FORMAT_DXT3A,
    A2XX_FORMAT_DXT5A,
    A2XX_FORMAT_DXN,
    A2XX_FORMAT_CTX1,
    A2XX_FORMAT_ETC1,
    A2XX_FORMAT_ATC_RGB,
    A2XX_FORMAT_ATC_RGBA,
    A2XX_FORMAT_ATC_INTERP,
};
struct a2xx_format {
    /* name without FMT_, such as "32_32_32_FLOAT", or NULL if the code is undefined */
    const char *name;
    enum a2xx_format_kind kind;
    uint8_t bytes, width, height; /* size of a block in bytes, and its width and height in texels */
    uint8_t widths[4];            /* bits of each component, from the lowest bit up */
};
extern const struct a2xx_format a2xx_formats[A2XX_VARIANTS][64];

/* Returns the number of components of a format if each block is one texel. Returns 0 for other
 * formats. */
unsigned a2xx_format_components(const struct a2xx_format *format);

/* Decode and encode instructions. Every bit pattern can be decoded, and encoding restores all bits.
 * A control-flow instruction is in bits 0 to 47 of cf. */
struct a2xx_cf a2xx_decode_cf(uint64_t cf);
uint64_t a2xx_encode_cf(const struct a2xx_cf *cf);
struct a2xx_alu a2xx_decode_alu(const uint32_t words[A2XX_WORDS]);
void a2xx_encode_alu(const struct a2xx_alu *alu, uint32_t words[A2XX_WORDS]);
struct a2xx_fetch a2xx_decode_fetch(const uint32_t words[A2XX_WORDS]);
void a2xx_encode_fetch(const struct a2xx_fetch *fetch, uint32_t words[A2XX_WORDS]);

/* Read and write one of the two control-flow instructions of a slot. Half 0 consists of dword 0 and
 * the low 16 bits of dword 1. */
uint64_t a2xx_cf_half(const uint32_t words[A2XX_WORDS], unsigned half);
void a2xx_set_cf_half(uint32_t words[A2XX_WORDS], unsigned half, uint64_t cf);

/* Returns a field of a form's struct, without sign extension. Use a2xx_signed() for signed
 * fields. */
uint32_t a2xx_field_get(const void *form, const struct a2xx_field *field);

/* Sign-extends a number of `bits` bits in two's complement. */
static inline int32_t a2xx_signed(uint32_t value, unsigned bits)
{
    uint32_t sign = UINT32_C(1) << (bits - 1);
    return (int32_t)(value ^ sign) - (int32_t)sign;
}

/* a2xx_swizzle() returns the source component (0 to 3) that a component of an ALU operand reads.
 * a2xx_make_swizzle() returns the field for four source components. Each component of the field is
 * relative to its position, so the field 0 is .xyzw. */
static inline unsigned a2xx_swizzle(uint32_t field, unsigned component)
{
    return ((field >> 2 * component) + component) & 3;
}
static inline uint32_t a2xx_make_swizzle(const uint8_t components[4])
{
    uint32_t field = 0;
    for (unsigned i = 0; i < 4; i++)
        field |= ((components[i] - i) & 3u) << 2 * i;
    return field;
}

/* a2xx_is_exec() returns true if the control-flow opcode runs a clause. a2xx_is_end() returns true
 * if the opcode can end the program. */
bool a2xx_is_exec(unsigned opcode);
bool a2xx_is_end(unsigned opcode);

/* Return the two sequence bits of instruction i of a clause. a2xx_is_fetch() returns true for a
 * fetch and false for an ALU instruction. a2xx_is_serialized() returns true if the instruction
 * waits for earlier results. */
static inline bool a2xx_is_fetch(const struct a2xx_exec *exec, unsigned i)
{
    return i < A2XX_CLAUSE_MAX && (exec->sequence >> 2 * i & 1);
}
static inline bool a2xx_is_serialized(const struct a2xx_exec *exec, unsigned i)
{
    return i < A2XX_CLAUSE_MAX && (exec->sequence >> (2 * i + 1) & 1);
}

/* a2xx_is_const_op() returns true for MUL_CONST, ADD_CONST and SUB_CONST, which read a constant and
 * a register. a2xx_const_op_register() returns the number of the register, whose bits are in
 * several fields of the word. */
bool a2xx_is_const_op(unsigned scalar_opc);
unsigned a2xx_const_op_register(const struct a2xx_alu *alu);

/* Returns the number of slots with control flow in a program of `slots` slots. The control flow
 * ends at the lowest address among the clauses that it runs. If no clause has an instruction, the
 * control flow ends at the first opcode that ends the program. */
size_t a2xx_cf_slots(const uint32_t *words, size_t slots);

/* --- names of field values: filters, sample locations, dimensions, ALLOC's buffers. Source: Mesa
 * 22.3.6, src/freedreno/ir2/disasm-a2xx.c; xenia, src/xenia/gpu/xenos.h, for dimensions --- */

/* Returns the name of a value, or NULL if the value has no name. */
const char *a2xx_value_name(enum a2xx_kind kind, uint32_t value);

/* Returns the suffix of an instruction's name: "EQ" or "NE" if the instruction is predicated, and
 * otherwise "". */
const char *a2xx_predicate_name(bool predicated, bool condition);

/* Finds the value of a name. Returns false if the kind has no such name. */
bool a2xx_value_find(enum a2xx_kind kind, const char *name, size_t length, uint32_t *value);

#endif
