/* SPDX-License-Identifier: MIT */
/* facts.c - see facts.h. */
#include "isa/a2xx/facts.h"

/* --- operations --- */

/* Components of operands, before the swizzle. */
enum { X = 1, Y = 2, Z = 4, W = 8, XY = X | Y, XYZ = X | Y | Z, XYZW = XYZ | W };

/* Rule for the components of a source that an operation reads. */
enum shape {
    EACH,     /* the components that the operation writes */
    FIXED,    /* fixed components, if the operation writes at least one component */
    DISTANCE, /* the components that the operation DSTv reads */
};

/* clang-format off */
struct vector_row {
    uint8_t sources;
    enum shape shape;
    uint8_t fixed[3]; /* components of each source, for FIXED */
    /* components of sources 1 and 2 that are read for a side effect, even if the write mask is 0 */
    uint8_t always;
    uint8_t effects;
};

#define PUSH {2, FIXED, {XYZW, XYZW, 0}, X | W, A2XX_SETS_PREDICATE}
#define KILL {2, FIXED, {XYZW, XYZW, 0}, XYZW, A2XX_KILLS}

static const struct vector_row vector_rows[32] = {
    [A2XX_V_ADD] = {.sources = 2},
    [A2XX_V_MUL] = {.sources = 2},
    [A2XX_V_MAX] = {.sources = 2},
    [A2XX_V_MIN] = {.sources = 2},
    [A2XX_V_SETE] = {.sources = 2},
    [A2XX_V_SETGT] = {.sources = 2},
    [A2XX_V_SETGTE] = {.sources = 2},
    [A2XX_V_SETNE] = {.sources = 2},
    [A2XX_V_FRAC] = {.sources = 1},
    [A2XX_V_TRUNC] = {.sources = 1},
    [A2XX_V_FLOOR] = {.sources = 1},
    [A2XX_V_MULADD] = {.sources = 3},
    [A2XX_V_CNDE] = {.sources = 3},
    [A2XX_V_CNDGTE] = {.sources = 3},
    [A2XX_V_CNDGT] = {.sources = 3},
    [A2XX_V_DOT4] = {2, FIXED, {XYZW, XYZW}, 0, 0},
    [A2XX_V_DOT3] = {2, FIXED, {XYZ, XYZ}, 0, 0},
    [A2XX_V_DOT2ADD] = {3, FIXED, {XY, XY, X}, 0, 0},
    [A2XX_V_CUBE] = {2, FIXED, {XYZW, XYZW}, 0, 0},
    [A2XX_V_MAX4] = {1, FIXED, {XYZW}, 0, 0},
    [A2XX_V_PRED_SETE_PUSH] = PUSH,
    [A2XX_V_PRED_SETNE_PUSH] = PUSH,
    [A2XX_V_PRED_SETGT_PUSH] = PUSH,
    [A2XX_V_PRED_SETGTE_PUSH] = PUSH,
    [A2XX_V_KILLE] = KILL,
    [A2XX_V_KILLGT] = KILL,
    [A2XX_V_KILLGTE] = KILL,
    [A2XX_V_KILLNE] = KILL,
    [A2XX_V_DST] = {.sources = 2, .shape = DISTANCE},
    [A2XX_V_MOVA] = {2, EACH, {0}, W, A2XX_SETS_ADDRESS},
};

/* True for each of the scalar operands a and b that an operation reads. See a2xx_second_slot() for
 * b. */
struct scalar_row {
    bool a, b;
    uint8_t effects;
};

enum { PREVIOUS = A2XX_READS_PREVIOUS, PREDICATE = A2XX_SETS_PREDICATE, KILLS = A2XX_KILLS };

static const struct scalar_row scalar_rows[64] = {
    [A2XX_S_ADD] = {true, true, 0},
    [A2XX_S_ADD_PREV] = {true, false, PREVIOUS},
    [A2XX_S_MUL] = {true, true, 0},
    [A2XX_S_MUL_PREV] = {true, false, PREVIOUS},
    [A2XX_S_MUL_PREV2] = {true, true, PREVIOUS},
    [A2XX_S_MAX] = {true, true, 0},
    [A2XX_S_MIN] = {true, true, 0},
    [A2XX_S_SETE] = {true, false, 0},
    [A2XX_S_SETGT] = {true, false, 0},
    [A2XX_S_SETGTE] = {true, false, 0},
    [A2XX_S_SETNE] = {true, false, 0},
    [A2XX_S_FRAC] = {true, false, 0},
    [A2XX_S_TRUNC] = {true, false, 0},
    [A2XX_S_FLOOR] = {true, false, 0},
    [A2XX_S_EXP_IEEE] = {true, false, 0},
    [A2XX_S_LOG_CLAMP] = {true, false, 0},
    [A2XX_S_LOG_IEEE] = {true, false, 0},
    [A2XX_S_RECIP_CLAMP] = {true, false, 0},
    [A2XX_S_RECIP_FF] = {true, false, 0},
    [A2XX_S_RECIP_IEEE] = {true, false, 0},
    [A2XX_S_RECIPSQ_CLAMP] = {true, false, 0},
    [A2XX_S_RECIPSQ_FF] = {true, false, 0},
    [A2XX_S_RECIPSQ_IEEE] = {true, false, 0},
    [A2XX_S_MOVA] = {true, true, A2XX_SETS_ADDRESS},
    [A2XX_S_MOVA_FLOOR] = {true, true, A2XX_SETS_ADDRESS},
    [A2XX_S_SUB] = {true, true, 0},
    [A2XX_S_SUB_PREV] = {true, false, PREVIOUS},
    [A2XX_S_PRED_SETE] = {true, false, PREDICATE},
    [A2XX_S_PRED_SETNE] = {true, false, PREDICATE},
    [A2XX_S_PRED_SETGT] = {true, false, PREDICATE},
    [A2XX_S_PRED_SETGTE] = {true, false, PREDICATE},
    [A2XX_S_PRED_SET_INV] = {true, false, PREDICATE},
    [A2XX_S_PRED_SET_POP] = {true, false, PREDICATE},
    [A2XX_S_PRED_SET_CLR] = {false, false, PREDICATE},
    [A2XX_S_PRED_SET_RESTORE] = {true, false, PREDICATE},
    [A2XX_S_KILLE] = {true, false, KILLS},
    [A2XX_S_KILLGT] = {true, false, KILLS},
    [A2XX_S_KILLGTE] = {true, false, KILLS},
    [A2XX_S_KILLNE] = {true, false, KILLS},
    [A2XX_S_KILLONE] = {true, false, KILLS},
    [A2XX_S_SQRT_IEEE] = {true, false, 0},
    [A2XX_S_MUL_CONST_0] = {true, true, 0},
    [A2XX_S_MUL_CONST_1] = {true, true, 0},
    [A2XX_S_ADD_CONST_0] = {true, true, 0},
    [A2XX_S_ADD_CONST_1] = {true, true, 0},
    [A2XX_S_SUB_CONST_0] = {true, true, 0},
    [A2XX_S_SUB_CONST_1] = {true, true, 0},
    [A2XX_S_SIN] = {true, false, 0},
    [A2XX_S_COS] = {true, false, 0},
    [A2XX_S_RETAIN_PREV] = {false, false, PREVIOUS},
};
/* clang-format on */

unsigned a2xx_vector_effects(unsigned vector_opc)
{
    return vector_rows[vector_opc & 31].effects;
}

unsigned a2xx_scalar_effects(unsigned scalar_opc)
{
    return scalar_rows[scalar_opc & 63].effects;
}

bool a2xx_has_third_source(unsigned vector_opc)
{
    return vector_rows[vector_opc & 31].sources == 3;
}

/* --- results --- */

unsigned a2xx_export_ones(const struct a2xx_alu *alu)
{
    return alu->export_data ? alu->vector_write_mask & alu->scalar_write_mask : 0;
}

unsigned a2xx_export_zeros(const struct a2xx_alu *alu)
{
    unsigned written = alu->vector_write_mask | alu->scalar_write_mask;
    return alu->export_data && alu->scalar_dest_rel ? XYZW & ~written : 0;
}

unsigned a2xx_export_mask(const struct a2xx_alu *alu)
{
    if (!alu->export_data)
        return 0;
    return alu->vector_write_mask | alu->scalar_write_mask | a2xx_export_zeros(alu);
}

unsigned a2xx_result_mask(const struct a2xx_alu *alu, enum a2xx_unit unit)
{
    unsigned mask = unit == A2XX_UNIT_VECTOR ? alu->vector_write_mask : alu->scalar_write_mask;
    return mask & ~a2xx_export_ones(alu);
}

bool a2xx_works(const struct a2xx_alu *alu, enum a2xx_unit unit)
{
    unsigned effects = unit == A2XX_UNIT_VECTOR ? a2xx_vector_effects(alu->vector_opc)
                                                : a2xx_scalar_effects(alu->scalar_opc);
    return a2xx_result_mask(alu, unit) || (effects & ~(unsigned)A2XX_READS_PREVIOUS);
}

bool a2xx_scalar_is_idle(const struct a2xx_alu *alu)
{
    bool zero = alu->scalar_opc == A2XX_S_ADD && alu->src3 == 0 && alu->src3_sel == 0;
    return alu->scalar_write_mask == 0 && (alu->scalar_opc == A2XX_S_MAX || zero);
}

/* --- operands --- */

bool a2xx_constant_is_relative(const struct a2xx_alu *alu, unsigned source)
{
    bool first = source == 1 || (alu->src1_sel && (source == 2 || alu->src2_sel));
    return first ? alu->const_0_rel : alu->const_1_rel;
}

struct source_fields {
    uint32_t number, swizzle;
    bool reg;
};

static struct source_fields fields_of(const struct a2xx_alu *alu, unsigned source)
{
    const struct source_fields all[3] = {
        {alu->src1, alu->src1_swiz, alu->src1_sel},
        {alu->src2, alu->src2_swiz, alu->src2_sel},
        {alu->src3, alu->src3_swiz, alu->src3_sel},
    };
    return all[source - 1];
}

struct listing {
    struct a2xx_operand *list;
    unsigned count;
};

/* Adds an operand. wanted is a mask of the components that the operation reads, before the
 * swizzle. */
static void list_source(struct listing *to, const struct a2xx_alu *alu, enum a2xx_unit by,
                        unsigned source, unsigned wanted)
{
    struct source_fields fields = fields_of(alu, source);
    unsigned components = 0;
    for (unsigned i = 0; i < 4; i++)
        if (wanted >> i & 1)
            components |= 1u << a2xx_swizzle(fields.swizzle, i);
    if (!components)
        return;
    to->list[to->count++] = (struct a2xx_operand){
        .by = by,
        .source = (uint8_t)source,
        .constant = !fields.reg,
        .relative = fields.reg ? fields.number >> 6 & 1 : a2xx_constant_is_relative(alu, source),
        .number = (uint8_t)(fields.reg ? fields.number & 63 : fields.number),
        .components = (uint8_t)components,
    };
}

/* Returns the components of a vector source that the operation reads to compute the result
 * components in mask (docs/hardware/a2xx.md, section 7). */
static unsigned vector_components(const struct vector_row *row, unsigned source, unsigned mask)
{
    switch (row->shape) {
    case EACH: return mask;
    case FIXED: return mask ? row->fixed[source - 1] : 0;
    default: return mask & (source == 1 ? Y | Z : Y | W);
    }
}

unsigned a2xx_vector_reads(const struct a2xx_alu *alu, unsigned source)
{
    const struct vector_row *row = &vector_rows[alu->vector_opc & 31];
    if (source > row->sources)
        return 0;
    return vector_components(row, source, a2xx_result_mask(alu, A2XX_UNIT_VECTOR)) | row->always;
}

unsigned a2xx_second_slot(unsigned scalar_opc, enum tess_a2xx_variant variant)
{
    enum { SLOT_X = 0, SLOT_Z = 2 };
    return variant == TESS_A2XX_XENOS && !a2xx_is_const_op(scalar_opc) ? SLOT_Z : SLOT_X;
}

unsigned a2xx_scalar_reads(unsigned scalar_opc, enum tess_a2xx_variant variant)
{
    const struct scalar_row *row = &scalar_rows[scalar_opc & 63];
    return (row->a ? W : 0u) | (row->b ? 1u << a2xx_second_slot(scalar_opc, variant) : 0u);
}

static void list_vector(struct listing *to, const struct a2xx_alu *alu)
{
    for (unsigned source = 1; source <= vector_rows[alu->vector_opc].sources; source++)
        list_source(to, alu, A2XX_UNIT_VECTOR, source, a2xx_vector_reads(alu, source));
}

/* Lists the operands of MUL_CONST, ADD_CONST and SUB_CONST. Source 3 is the constant, and the bits
 * of the register's number are in several fields of the word (docs/hardware/a2xx.md, section 8). */
static void list_const_op(struct listing *to, const struct a2xx_alu *alu)
{
    const struct a2xx_operand both[2] = {
        {.by = A2XX_UNIT_SCALAR,
         .source = 3,
         .constant = true,
         .relative = a2xx_constant_is_relative(alu, 3),
         .number = (uint8_t)alu->src3,
         .components = (uint8_t)(1u << a2xx_swizzle(alu->src3_swiz, 3))},
        {.by = A2XX_UNIT_SCALAR,
         .source = 3,
         .number = (uint8_t)a2xx_const_op_register(alu),
         .components = (uint8_t)(1u << a2xx_swizzle(alu->src3_swiz, 0))},
    };
    for (unsigned i = 0; i < 2; i++)
        to->list[to->count++] = both[i];
}

static void list_scalar(struct listing *to, const struct a2xx_alu *alu,
                        enum tess_a2xx_variant variant)
{
    if (!a2xx_works(alu, A2XX_UNIT_SCALAR))
        return;
    if (a2xx_is_const_op(alu->scalar_opc))
        list_const_op(to, alu);
    else
        list_source(to, alu, A2XX_UNIT_SCALAR, 3, a2xx_scalar_reads(alu->scalar_opc, variant));
}

unsigned a2xx_operands(const struct a2xx_alu *alu, enum tess_a2xx_variant variant,
                       struct a2xx_operand list[A2XX_OPERANDS_MAX])
{
    struct listing to = {.list = list};
    list_vector(&to, alu);
    list_scalar(&to, alu, variant);
    return to.count;
}

/* --- fetches --- */

/* Returns the smallest number of coordinates that a texture fetch can read. On Adreno this is 1,
 * because only the fetch constant specifies the dimension. */
static unsigned coordinates(const struct a2xx_texture *texture, enum tess_a2xx_variant variant)
{
    if (texture->opcode == A2XX_FETCH_SET_TEX_LOD)
        return 1;
    if (variant == TESS_A2XX_XENOS)
        return texture->dimension >= 2 ? 3 : texture->dimension + 1;
    return 1;
}

static struct a2xx_fetch_register texture_source(const struct a2xx_texture *texture,
                                                 enum tess_a2xx_variant variant)
{
    struct a2xx_fetch_register source = {.number = (uint8_t)texture->src_reg,
                                         .relative = texture->src_rel};
    unsigned sure = coordinates(texture, variant),
             all = texture->opcode == A2XX_FETCH_SET_TEX_LOD ? 1 : 3;
    for (unsigned i = 0; i < all; i++) {
        uint8_t component = (uint8_t)(1u << (texture->src_swiz >> 2 * i & 3));
        source.possible |= component;
        if (i < sure)
            source.components |= component;
    }
    return source;
}

/* Strides and offsets are in bytes on Adreno and in dwords on the Xenos, where offsets are
 * signed. */
struct a2xx_element a2xx_element(const struct a2xx_vertex *fetch, const struct a2xx_vertex *full,
                                 enum tess_a2xx_variant variant)
{
    const struct a2xx_format *format = &a2xx_formats[variant][fetch->format];
    struct a2xx_element element = {.offset = fetch->offset, .stride = full->stride};
    if (variant == TESS_A2XX_XENOS) {
        element.stride *= 4;
        element.offset = 4 * (int64_t)a2xx_signed(fetch->offset | fetch->offset_sign << 22, 23);
    }
    if (format->name && format->width == 1 && format->height == 1)
        element.bytes = format->bytes;
    return element;
}

bool a2xx_passes_stride(const struct a2xx_element *element)
{
    return element->stride > 0 && element->bytes &&
           element->offset + (int64_t)element->bytes > element->stride;
}

bool a2xx_is_mini_fetch(const struct a2xx_fetch *fetch, enum tess_a2xx_variant variant)
{
    return variant == TESS_A2XX_XENOS && fetch->form == A2XX_FORM_VERTEX &&
           fetch->vertex.mini_fetch;
}

struct a2xx_fetch_register a2xx_fetch_source(const struct a2xx_fetch *fetch,
                                             enum tess_a2xx_variant variant)
{
    if (a2xx_is_mini_fetch(fetch, variant))
        return (struct a2xx_fetch_register){0};
    if (fetch->form == A2XX_FORM_TEXTURE)
        return texture_source(&fetch->texture, variant);
    uint8_t component = (uint8_t)(1u << fetch->vertex.src_swiz);
    return (struct a2xx_fetch_register){(uint8_t)fetch->vertex.src_reg, fetch->vertex.src_rel,
                                        component, component};
}

struct a2xx_fetch_register a2xx_fetch_result(const struct a2xx_fetch *fetch)
{
    enum { KEEP = 7 };
    bool vertex = fetch->form == A2XX_FORM_VERTEX;
    bool sets = fetch->opcode >= A2XX_FETCH_SET_TEX_LOD;
    uint32_t swizzle = vertex ? fetch->vertex.dst_swiz : fetch->texture.dst_swiz;
    struct a2xx_fetch_register result = {
        .number = (uint8_t)(vertex ? fetch->vertex.dst_reg : fetch->texture.dst_reg),
        .relative = vertex ? fetch->vertex.dst_rel : fetch->texture.dst_rel,
    };
    for (unsigned i = 0; i < 4 && !sets; i++)
        if ((swizzle >> 3 * i & 7) != KEEP)
            result.components |= (uint8_t)(1u << i);
    result.possible = result.components;
    return result;
}

bool a2xx_fetch_is_predicated(const struct a2xx_fetch *fetch, bool *condition)
{
    bool vertex = fetch->form == A2XX_FORM_VERTEX;
    *condition = vertex ? fetch->vertex.pred_condition : fetch->texture.pred_condition;
    return vertex ? fetch->vertex.pred_select : fetch->texture.pred_select;
}

bool a2xx_alu_rests(const struct a2xx_alu *alu, bool condition)
{
    unsigned effects = a2xx_vector_effects(alu->vector_opc) | a2xx_scalar_effects(alu->scalar_opc);
    return alu->is_predicated && alu->pred_condition != condition &&
           !(effects & A2XX_SETS_PREDICATE);
}

bool a2xx_fetch_rests(const struct a2xx_fetch *fetch, bool condition)
{
    bool its;
    return a2xx_fetch_is_predicated(fetch, &its) && its != condition;
}

/* --- exports --- */

enum a2xx_buffer a2xx_export_buffer(unsigned number)
{
    if (number < A2XX_EXPORT_PARAMETERS || number == A2XX_EXPORT_DEPTH)
        return A2XX_BUFFER_PARAM_PIXEL;
    if (number >= A2XX_EXPORT_ADDRESS && number <= A2XX_EXPORT_DATA_LAST)
        return A2XX_BUFFER_MEMORY;
    if (number == A2XX_EXPORT_POSITION || number == A2XX_EXPORT_POINT)
        return A2XX_BUFFER_POSITION;
    return A2XX_BUFFER_NONE;
}

/* --- control flow --- */

bool a2xx_is_predicated_exec(unsigned opcode)
{
    return opcode == A2XX_CF_COND_PRED_EXEC || opcode == A2XX_CF_COND_PRED_EXEC_END;
}

bool a2xx_is_boolean_exec(unsigned opcode)
{
    return a2xx_is_exec(opcode) && opcode != A2XX_CF_EXEC && opcode != A2XX_CF_EXEC_END &&
           !a2xx_is_predicated_exec(opcode);
}

/* --- slots --- */

static void mark_clause(const struct a2xx_exec *exec, size_t slots, uint8_t *kinds)
{
    for (unsigned i = 0; i < exec->count && exec->address + i < slots; i++)
        kinds[exec->address + i] |= a2xx_is_fetch(exec, i) ? A2XX_SLOT_FETCH : A2XX_SLOT_ALU;
}

void a2xx_slot_kinds(const uint32_t *words, size_t slots, size_t cf_slots, uint8_t *kinds)
{
    for (size_t i = 0; i < slots; i++)
        kinds[i] = i < cf_slots ? A2XX_SLOT_CONTROL : 0;
    for (size_t i = 0; i < cf_slots * A2XX_CF_PER_SLOT; i++) {
        struct a2xx_cf cf = a2xx_decode_cf(
            a2xx_cf_half(words + i / A2XX_CF_PER_SLOT * A2XX_WORDS, i % A2XX_CF_PER_SLOT));
        if (cf.form == A2XX_FORM_EXEC)
            mark_clause(&cf.exec, slots, kinds);
    }
}
