/* SPDX-License-Identifier: MIT */
/* a2xx_isa.c - the tables of the A2xx's instruction words, their decoder and their encoder. */
#include "isa/a2xx/a2xx_isa.h"

#include <string.h>

/* --- tables --- */

enum { IS_XENOS_BOTH = 0, IS_XENOS_XENOS = 1 };

#define ROW(type, name, low, bits, kind, variants, meaning) \
    {#name, meaning, low, bits, A2XX_KIND_##kind, IS_XENOS_##variants, offsetof(struct type, name)},

static const struct a2xx_field exec_fields[] = {
#define EXEC_FIELD(...) ROW(a2xx_exec, __VA_ARGS__)
#include "isa/a2xx/fields.def"
};
static const struct a2xx_field loop_fields[] = {
#define LOOP_FIELD(...) ROW(a2xx_loop, __VA_ARGS__)
#include "isa/a2xx/fields.def"
};
static const struct a2xx_field jump_fields[] = {
#define JUMP_FIELD(...) ROW(a2xx_jump, __VA_ARGS__)
#include "isa/a2xx/fields.def"
};
static const struct a2xx_field alloc_fields[] = {
#define ALLOC_FIELD(...) ROW(a2xx_alloc, __VA_ARGS__)
#include "isa/a2xx/fields.def"
};
static const struct a2xx_field nop_fields[] = {
#define NOP_FIELD(...) ROW(a2xx_nop, __VA_ARGS__)
#include "isa/a2xx/fields.def"
};
static const struct a2xx_field alu_fields[] = {
#define ALU_FIELD(...) ROW(a2xx_alu, __VA_ARGS__)
#include "isa/a2xx/fields.def"
};
static const struct a2xx_field vertex_fields[] = {
#define VERTEX_FIELD(...) ROW(a2xx_vertex, __VA_ARGS__)
#include "isa/a2xx/fields.def"
};
static const struct a2xx_field texture_fields[] = {
#define TEXTURE_FIELD(...) ROW(a2xx_texture, __VA_ARGS__)
#include "isa/a2xx/fields.def"
};

#define LIST(table, bits)                             \
    {                                                 \
        table, sizeof(table) / sizeof(table)[0], bits \
    }
const struct a2xx_field_list a2xx_fields[A2XX_FORMS] = {
    [A2XX_FORM_EXEC] = LIST(exec_fields, 48),     [A2XX_FORM_LOOP] = LIST(loop_fields, 48),
    [A2XX_FORM_JUMP] = LIST(jump_fields, 48),     [A2XX_FORM_ALLOC] = LIST(alloc_fields, 48),
    [A2XX_FORM_NOP] = LIST(nop_fields, 48),       [A2XX_FORM_ALU] = LIST(alu_fields, 96),
    [A2XX_FORM_VERTEX] = LIST(vertex_fields, 96), [A2XX_FORM_TEXTURE] = LIST(texture_fields, 96),
};

const struct a2xx_cf_row a2xx_cf_ops[16] = {
#define CF_OP(code, NAME, form, xbox, words) [code] = {#NAME, A2XX_FORM_##form, xbox, words},
#include "isa/a2xx/ops.def"
};
const struct a2xx_op a2xx_vector_ops[32] = {
#define VECTOR_OP(code, NAME, mnemonic, sources, xbox, words) \
    [code] = {mnemonic, sources, xbox, words},
#include "isa/a2xx/ops.def"
};
const struct a2xx_op a2xx_scalar_ops[64] = {
#define SCALAR_OP(code, NAME, mnemonic, sources, xbox, words) \
    [code] = {mnemonic, sources, xbox, words},
#include "isa/a2xx/ops.def"
};
const struct a2xx_op a2xx_fetch_ops[32] = {
#define FETCH_OP(code, NAME, mnemonic, xbox, words) [code] = {mnemonic, 1, xbox, words},
#include "isa/a2xx/ops.def"
};
const struct a2xx_alias a2xx_scalar_aliases[] = {
#define SCALAR_ALIAS(mnemonic, NAME) {mnemonic, A2XX_S_##NAME},
#include "isa/a2xx/ops.def"
};
const size_t a2xx_scalar_alias_count = sizeof a2xx_scalar_aliases / sizeof a2xx_scalar_aliases[0];

/* clang-format off */
#define FORMAT_ROW(code, name, kind, bytes, width, height, c0, c1, c2, c3) \
    [code] = {name, A2XX_FORMAT_##kind, bytes, width, height, {c0, c1, c2, c3}},
/* clang-format on */
const struct a2xx_format a2xx_formats[A2XX_VARIANTS][64] = {
    [TESS_A2XX_ADRENO] =
        {
#define FORMAT(...)        FORMAT_ROW(__VA_ARGS__)
#define ADRENO_FORMAT(...) FORMAT_ROW(__VA_ARGS__)
#include "isa/a2xx/formats.def"
        },
    [TESS_A2XX_XENOS] =
        {
#define FORMAT(...)       FORMAT_ROW(__VA_ARGS__)
#define XENOS_FORMAT(...) FORMAT_ROW(__VA_ARGS__)
#include "isa/a2xx/formats.def"
        },
};

unsigned a2xx_format_components(const struct a2xx_format *format)
{
    unsigned count = 0;
    while (count < 4 && format->widths[count] > 0)
        count++;
    return count;
}

/* --- words and fields --- */

/* Returns a field. Fields of NOP and ALLOC can cross the boundary of two 32-bit words. */
static uint32_t get_bits(const uint32_t words[A2XX_WORDS], unsigned low, unsigned bits)
{
    uint64_t pair = words[low / 32];
    if (low / 32 + 1 < A2XX_WORDS)
        pair |= (uint64_t)words[low / 32 + 1] << 32;
    return (uint32_t)(pair >> low % 32 & ((UINT64_C(1) << bits) - 1));
}

static void put_bits(uint32_t words[A2XX_WORDS], unsigned low, unsigned bits, uint32_t value)
{
    uint64_t shifted = (value & ((UINT64_C(1) << bits) - 1)) << low % 32;
    words[low / 32] |= (uint32_t)shifted;
    if (low / 32 + 1 < A2XX_WORDS)
        words[low / 32 + 1] |= (uint32_t)(shifted >> 32);
}

static uint32_t *member(void *form, const struct a2xx_field *field)
{
    return (uint32_t *)(void *)((char *)form + field->offset);
}

uint32_t a2xx_field_get(const void *form, const struct a2xx_field *field)
{
    return *(const uint32_t *)(const void *)((const char *)form + field->offset);
}

/* Decodes words into the struct of a form (struct a2xx_alu and others). */
static void decode(enum a2xx_form form, const uint32_t words[A2XX_WORDS], void *to)
{
    const struct a2xx_field_list *list = &a2xx_fields[form];
    for (size_t i = 0; i < list->count; i++)
        *member(to, &list->fields[i]) = get_bits(words, list->fields[i].low, list->fields[i].bits);
}

static void encode(enum a2xx_form form, const void *from, uint32_t words[A2XX_WORDS])
{
    const struct a2xx_field_list *list = &a2xx_fields[form];
    for (unsigned i = 0; i < A2XX_WORDS; i++)
        words[i] = 0;
    for (size_t i = 0; i < list->count; i++)
        put_bits(words, list->fields[i].low, list->fields[i].bits,
                 a2xx_field_get(from, &list->fields[i]));
}

/* Offsets of the unions in their structs. */
enum {
    CF_FIELDS = offsetof(struct a2xx_cf, exec),
    FETCH_FIELDS = offsetof(struct a2xx_fetch, vertex),
};

struct a2xx_cf a2xx_decode_cf(uint64_t cf)
{
    const uint32_t words[A2XX_WORDS] = {(uint32_t)cf, (uint32_t)(cf >> 32) & 0xffff};
    uint8_t opcode = (uint8_t)(cf >> 44 & 15);
    struct a2xx_cf result = {.form = a2xx_cf_ops[opcode].form, .opcode = opcode};
    decode(result.form, words, (char *)&result + CF_FIELDS);
    return result;
}

uint64_t a2xx_encode_cf(const struct a2xx_cf *cf)
{
    uint32_t words[A2XX_WORDS];
    encode(cf->form, (const char *)cf + CF_FIELDS, words);
    return words[0] | (uint64_t)words[1] << 32;
}

struct a2xx_alu a2xx_decode_alu(const uint32_t words[A2XX_WORDS])
{
    struct a2xx_alu alu;
    decode(A2XX_FORM_ALU, words, &alu);
    return alu;
}

void a2xx_encode_alu(const struct a2xx_alu *alu, uint32_t words[A2XX_WORDS])
{
    encode(A2XX_FORM_ALU, alu, words);
}

struct a2xx_fetch a2xx_decode_fetch(const uint32_t words[A2XX_WORDS])
{
    uint8_t opcode = words[0] & 31;
    struct a2xx_fetch fetch = {.opcode = opcode};
    fetch.form = opcode == A2XX_FETCH_VERTEX ? A2XX_FORM_VERTEX : A2XX_FORM_TEXTURE;
    decode(fetch.form, words, (char *)&fetch + FETCH_FIELDS);
    return fetch;
}

void a2xx_encode_fetch(const struct a2xx_fetch *fetch, uint32_t words[A2XX_WORDS])
{
    encode(fetch->form, (const char *)fetch + FETCH_FIELDS, words);
}

uint64_t a2xx_cf_half(const uint32_t words[A2XX_WORDS], unsigned half)
{
    return half == 0 ? words[0] | (uint64_t)(words[1] & 0xffff) << 32
                     : words[1] >> 16 | (uint64_t)words[2] << 16;
}

void a2xx_set_cf_half(uint32_t words[A2XX_WORDS], unsigned half, uint64_t cf)
{
    if (half == 0) {
        words[0] = (uint32_t)cf;
        words[1] = (words[1] & 0xffff0000) | (uint32_t)(cf >> 32 & 0xffff);
    } else {
        words[1] = (words[1] & 0xffff) | (uint32_t)(cf & 0xffff) << 16;
        words[2] = (uint32_t)(cf >> 16);
    }
}

/* --- facts --- */

bool a2xx_is_exec(unsigned opcode)
{
    return opcode < 16 && a2xx_cf_ops[opcode].form == A2XX_FORM_EXEC;
}

bool a2xx_is_end(unsigned opcode)
{
    return opcode == A2XX_CF_EXEC_END || opcode == A2XX_CF_COND_EXEC_END ||
           opcode == A2XX_CF_COND_PRED_EXEC_END || opcode == A2XX_CF_COND_EXEC_PRED_CLEAN_END;
}

bool a2xx_is_const_op(unsigned scalar_opc)
{
    return scalar_opc >= A2XX_S_MUL_CONST_0 && scalar_opc <= A2XX_S_SUB_CONST_1;
}

/* The number of the register consists of bit 0 of the opcode, the select bit of source 3 (bit 1),
 * and bits 2 to 5 of source 3's swizzle (docs/hardware/a2xx.md, section 8). */
unsigned a2xx_const_op_register(const struct a2xx_alu *alu)
{
    return (alu->scalar_opc & 1) | alu->src3_sel << 1 | (alu->src3_swiz & 0x3c);
}

size_t a2xx_cf_slots(const uint32_t *words, size_t slots)
{
    size_t lowest = slots, end = slots;
    bool named = false;
    for (size_t i = 0; i < lowest * A2XX_CF_PER_SLOT; i++) {
        uint64_t half = a2xx_cf_half(words + i / 2 * A2XX_WORDS, i % 2);
        struct a2xx_cf cf = a2xx_decode_cf(half);
        if (cf.form != A2XX_FORM_EXEC)
            continue;
        if (cf.exec.count > 0 && cf.exec.address > i / 2 && cf.exec.address < lowest) {
            lowest = cf.exec.address;
            named = true;
        }
        if (a2xx_is_end(cf.opcode) && end == slots)
            end = i / 2 + 1;
    }
    return named ? lowest : end;
}

/* --- names of field values --- */

enum { VALUES_MAX = 8 };

static const char *const names[][VALUES_MAX] = {
    [A2XX_KIND_BUFFER] = {"NONE", "POSITION", "PARAM/PIXEL", "MEMORY"},
    [A2XX_KIND_FILTER] = {"POINT", "LINEAR", "BASEMAP"},
    [A2XX_KIND_ANISO] = {"DISABLED", "MAX_1_1", "MAX_2_1", "MAX_4_1", "MAX_8_1", "MAX_16_1"},
    [A2XX_KIND_ARBITRARY] = {"2x4_SYM", "2x4_ASYM", "4x2_SYM", "4x2_ASYM", "4x4_SYM", "4x4_ASYM"},
    [A2XX_KIND_LOCATION] = {"CENTROID", "CENTER"},
    [A2XX_KIND_DIMENSION] = {"1D", "2D", "3D", "CUBE"},
};

enum { KINDS = sizeof names / sizeof names[0] };

const char *a2xx_value_name(enum a2xx_kind kind, uint32_t value)
{
    return (unsigned)kind < KINDS && value < VALUES_MAX ? names[kind][value] : NULL;
}

const char *a2xx_predicate_name(bool predicated, bool condition)
{
    return !predicated ? "" : condition ? "EQ" : "NE";
}

bool a2xx_value_find(enum a2xx_kind kind, const char *name, size_t length, uint32_t *value)
{
    for (uint32_t i = 0; i < VALUES_MAX; i++) {
        const char *known = a2xx_value_name(kind, i);
        if (known && strlen(known) == length && memcmp(known, name, length) == 0) {
            *value = i;
            return true;
        }
    }
    return false;
}
