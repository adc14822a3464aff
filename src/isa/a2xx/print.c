/* SPDX-License-Identifier: MIT */
/* print.c - see print.h. docs/isa/a2xx.md describes the syntax. */
#include "isa/a2xx/print.h"

#include <inttypes.h>
#include <string.h>

#include "isa/a2xx/a2xx_isa.h"
#include "isa/a2xx/facts.h"

static const char components[] = "xyzw";

/* Letters for the values of a fetch result's component: 0 to 3 are x to w, 4 is zero, 5 is one, 6
 * is unknown, 7 keeps the old value. */
static const char results[] = "xyzw01?_";

/* Slots of source 3's swizzle for the scalar operands a and b of MUL_CONST and similar
 * operations. */
enum { SLOT_A = 3, SLOT_B = 0, ALL_SLOTS = 4 };

enum { SWIZZLE_IDENTITY = 0, MASK_ALL = 15, MNEMONIC_WIDTH = 7 };

static unsigned bit(uint32_t value, unsigned number)
{
    return value >> number & 1;
}

/* --- control flow --- */

static void put_flag(struct text *text, uint32_t value, const char *name)
{
    if (value)
        text_put(text, " %s", name);
}

static void put_exec(struct text *text, const struct a2xx_exec *exec, bool in_memory)
{
    text_put(text, "%s", a2xx_cf_ops[exec->opcode].mnemonic);
    if (in_memory)
        text_put(text, " ADDR(0x%x) CNT(0x%x) SEQ(0x%x)", (unsigned)exec->address,
                 (unsigned)exec->count, (unsigned)exec->sequence);
    put_flag(text, exec->yield, "YIELD");
    if (exec->vertex_cache)
        text_put(text, " VC(0x%x)", (unsigned)exec->vertex_cache);
    if (exec->bool_address || a2xx_is_boolean_exec(exec->opcode))
        text_put(text, " BOOL_ADDR(0x%x)", (unsigned)exec->bool_address);
    if (exec->condition || a2xx_is_boolean_exec(exec->opcode) ||
        a2xx_is_predicated_exec(exec->opcode))
        text_put(text, " COND(%u)", (unsigned)exec->condition);
    put_flag(text, exec->address_mode, "ABSOLUTE_ADDR");
}

static void put_target(struct text *text, uint32_t target, const struct a2xx_surroundings *around)
{
    const char *label = around->label ? around->label(around->user, target) : NULL;
    if (label && strlen(label) < A2XX_LABEL_MAX)
        text_put(text, " ADDR(%s)", label);
    else
        text_put(text, " ADDR(0x%x)", (unsigned)target);
}

static void put_loop(struct text *text, const struct a2xx_loop *loop,
                     const struct a2xx_surroundings *around)
{
    text_put(text, "%s", a2xx_cf_ops[loop->opcode].mnemonic);
    put_target(text, loop->address, around);
    text_put(text, " LOOP_ID(%u)", (unsigned)loop->loop_id);
    put_flag(text, loop->repeat, "REPEAT");
    put_flag(text, loop->predicated_break, "PRED_BREAK");
    if (loop->condition || loop->predicated_break)
        text_put(text, " COND(%u)", (unsigned)loop->condition);
    put_flag(text, loop->address_mode, "ABSOLUTE_ADDR");
}

/* Writes the test of a jump. COND without BOOL_ADDR tests the predicate. */
static void put_test(struct text *text, const struct a2xx_jump *jump)
{
    bool boolean = !jump->predicated && (!jump->unconditional || jump->condition);
    put_flag(text, jump->predicated && jump->bool_address, "PRED");
    if (jump->predicated || boolean || jump->bool_address)
        text_put(text, " COND(%u)", (unsigned)jump->condition);
    if (boolean || jump->bool_address)
        text_put(text, " BOOL_ADDR(0x%x)", (unsigned)jump->bool_address);
}

static void put_jump(struct text *text, const struct a2xx_jump *jump,
                     const struct a2xx_surroundings *around)
{
    bool goes = jump->opcode != A2XX_CF_RETURN || jump->address;
    bool computed = jump->opcode == A2XX_CF_COND_JMP;
    text_put(text, "%s", a2xx_cf_ops[jump->opcode].mnemonic);
    if (goes)
        put_target(text, jump->address, around);
    if (computed ? jump->direction != (jump->address > around->number) : goes || jump->direction)
        text_put(text, " DIR(%u)", (unsigned)jump->direction);
    put_flag(text, jump->unconditional, "FORCE_CALL");
    put_test(text, jump);
    put_flag(text, jump->address_mode, "ABSOLUTE_ADDR");
}

static void put_alloc(struct text *text, const struct a2xx_alloc *alloc)
{
    text_put(text, "%s %s SIZE(0x%x)", a2xx_cf_ops[alloc->opcode].mnemonic,
             a2xx_value_name(A2XX_KIND_BUFFER, alloc->buffer_select), (unsigned)alloc->size);
    put_flag(text, alloc->no_serial, "NO_SERIAL");
    put_flag(text, alloc->alloc_mode, "ALLOC_MODE");
}

bool a2xx_has_reserved_bits(const struct a2xx_cf *cf)
{
    const struct a2xx_field_list *list = &a2xx_fields[cf->form];
    for (size_t i = 0; i < list->count; i++)
        if (list->fields[i].kind == A2XX_KIND_RESERVED &&
            a2xx_field_get(&cf->exec, &list->fields[i]))
            return true;
    return false;
}

void a2xx_put_place(struct text *text, const char *file, const char *index, uint32_t number,
                    bool relative, uint32_t mask)
{
    if (relative)
        text_put(text, "%s[%s+%u]", file, index, (unsigned)number);
    else
        text_put(text, "%s%u", file, (unsigned)number);
    text_put(text, mask ? "." : "");
    for (unsigned i = 0; i < 4; i++)
        if (mask >> i & 1)
            text_put(text, "%c", components[i]);
}

void a2xx_put_cf(struct text *text, uint64_t word, const struct a2xx_surroundings *around)
{
    struct a2xx_cf cf = a2xx_decode_cf(word);
    if (a2xx_has_reserved_bits(&cf)) {
        text_put(text, "CF 0x%012" PRIx64, word);
        return;
    }
    switch (cf.form) {
    case A2XX_FORM_EXEC: put_exec(text, &cf.exec, around->in_memory); break;
    case A2XX_FORM_LOOP: put_loop(text, &cf.loop, around); break;
    case A2XX_FORM_JUMP: put_jump(text, &cf.jump, around); break;
    case A2XX_FORM_ALLOC: put_alloc(text, &cf.alloc); break;
    default: text_put(text, "%s", a2xx_cf_ops[cf.opcode].mnemonic);
    }
}

/* --- ALU operands --- */

struct a2xx_source a2xx_source_get(const struct a2xx_alu *alu, unsigned source)
{
    bool const_op = a2xx_is_const_op(alu->scalar_opc);
    const struct {
        uint32_t field, select, swizzle, negative;
    } sources[] =
        {
            {alu->src1, alu->src1_sel, alu->src1_swiz, alu->src1_negate},
            {alu->src2, alu->src2_sel, alu->src2_swiz, alu->src2_negate},
            {alu->src3, alu->src3_sel && !const_op, alu->src3_swiz, alu->src3_negate},
        },
      *of = &sources[source - 1];
    struct a2xx_source result = {
        .constant = !of->select, .negative = of->negative, .swizzle = of->swizzle};
    if (result.constant) {
        result.number = of->field;
        result.absolute = alu->abs_constants;
        result.relative = a2xx_constant_is_relative(alu, source);
    } else {
        result.number = of->field & (A2XX_REGISTERS - 1);
        result.relative = bit(of->field, 6);
        result.absolute = bit(of->field, 7);
    }
    return result;
}

/* Writes the part of a source before its swizzle. */
static void put_source_name(struct text *text, const struct a2xx_alu *alu,
                            const struct a2xx_source *source)
{
    text_put(text, "%s%s", source->negative ? "-" : "", source->absolute ? "|" : "");
    a2xx_put_place(text, source->constant ? "C" : "R",
                   source->constant && alu->address_mode ? "a0" : "aL", source->number,
                   source->relative, 0);
}

void a2xx_put_source(struct text *text, const struct a2xx_alu *alu,
                     const struct a2xx_source *source)
{
    put_source_name(text, alu, source);
    text_put(text, source->swizzle != SWIZZLE_IDENTITY ? "." : "");
    for (unsigned i = 0; source->swizzle != SWIZZLE_IDENTITY && i < 4; i++)
        text_put(text, "%c", components[a2xx_swizzle(source->swizzle, i)]);
    text_put(text, source->absolute ? "|" : "");
}

void a2xx_put_component(struct text *text, const struct a2xx_alu *alu,
                        const struct a2xx_source *source, unsigned slot)
{
    put_source_name(text, alu, source);
    text_put(text, ".%c%s", components[a2xx_swizzle(source->swizzle, slot)],
             source->absolute ? "|" : "");
}

static uint8_t place_of(const struct a2xx_alu *alu, const struct a2xx_source *source)
{
    unsigned index = source->constant && alu->address_mode ? A2XX_PLACE_A0 : A2XX_PLACE_AL;
    return (uint8_t)((source->constant ? A2XX_PLACE_CONSTANT : 0) | (source->relative ? index : 0));
}

/* Writes a source, or only the component in a slot of its swizzle if `slot` is less than 4. */
static void put_operand(struct text *text, const struct a2xx_alu *alu,
                        const struct a2xx_source *source, unsigned slot,
                        struct operation_list *operations)
{
    size_t at = text->length;
    struct listed_operand operand = {.negative = source->negative,
                                     .absolute = source->absolute,
                                     .place = place_of(alu, source),
                                     .number = (uint8_t)source->number};
    unsigned first = slot < 4 ? slot : 0, end = slot < 4 ? slot + 1 : 4;
    for (unsigned i = first; i < end; i++)
        operand.components[operand.component_count++] = (uint8_t)a2xx_swizzle(source->swizzle, i);
    if (slot < 4)
        a2xx_put_component(text, alu, source, slot);
    else
        a2xx_put_source(text, alu, source);
    operation_list_operand(operations, text, at, operand);
}

static void put_source(struct text *text, const struct a2xx_alu *alu, unsigned source,
                       struct operation_list *operations)
{
    struct a2xx_source one = a2xx_source_get(alu, source);
    put_operand(text, alu, &one, ALL_SLOTS, operations);
}

/* Returns true if sources 1 and 2 are equal, so that only one of them is written. Returns false for
 * relative constants, because each source has its own relative flag. */
static bool repeats(const struct a2xx_alu *alu)
{
    struct a2xx_source one = a2xx_source_get(alu, 1), other = a2xx_source_get(alu, 2);
    return one.constant == other.constant && one.relative == other.relative &&
           !(one.constant && one.relative) && one.absolute == other.absolute &&
           one.negative == other.negative && one.number == other.number &&
           one.swizzle == other.swizzle;
}

/* --- ALU instructions --- */

/* Returns the scalar write mask without the components that the vector mask shows as "1". */
static uint32_t scalar_mask(const struct a2xx_alu *alu)
{
    return alu->scalar_write_mask & ~a2xx_export_ones(alu);
}

bool a2xx_is_scalar_default(const struct a2xx_alu *alu, enum a2xx_idle idle)
{
    struct a2xx_alu base = a2xx_idle_alu(idle);
    bool src3 = alu->src3 == base.src3 && alu->src3_sel == base.src3_sel &&
                alu->src3_swiz == base.src3_swiz && alu->src3_negate == base.src3_negate;
    return (src3 || a2xx_has_third_source(alu->vector_opc)) && alu->scalar_opc == base.scalar_opc &&
           alu->scalar_dest == base.scalar_dest && alu->scalar_dest_rel <= alu->export_data &&
           !alu->scalar_clamp && !scalar_mask(alu);
}

/* Returns true if each relative flag that is set belongs to a constant operand. */
static bool are_constants_expressible(const struct a2xx_alu *alu)
{
    struct a2xx_source third = a2xx_source_get(alu, 3);
    int constants = !alu->src1_sel + !alu->src2_sel + third.constant;
    return (constants > 0 || !alu->const_0_rel) && (constants > 1 || !alu->const_1_rel);
}

bool a2xx_is_alu_expressible(const struct a2xx_alu *alu)
{
    if (!a2xx_vector_ops[alu->vector_opc].mnemonic || !are_constants_expressible(alu))
        return false;
    if (a2xx_has_third_source(alu->vector_opc) && a2xx_is_const_op(alu->scalar_opc))
        return false;
    if (alu->export_data && alu->scalar_dest_rel && !a2xx_export_zeros(alu))
        return false;
    return alu->is_predicated || !alu->pred_condition;
}

/* Returns true if source 3 is a relative constant and is not an operand of the vector operation.
 * The scalar half must then be written, because its text is the only one that shows the
 * constant. */
static bool hides_constant(const struct a2xx_alu *alu)
{
    struct a2xx_source third = a2xx_source_get(alu, 3);
    return third.constant && third.relative && !a2xx_has_third_source(alu->vector_opc);
}

/* Writes a destination such as "R1.xy__" or "export0.xyz1". */
static void put_destination(struct text *text, const struct a2xx_alu *alu, bool vector)
{
    uint32_t mask = vector ? alu->vector_write_mask : alu->scalar_write_mask;
    uint32_t ones = vector ? a2xx_export_ones(alu) : 0;
    uint32_t zeros = vector ? a2xx_export_zeros(alu) : 0;
    bool relative = vector ? alu->vector_dest_rel : alu->scalar_dest_rel && !alu->export_data;
    a2xx_put_place(text, alu->export_data ? "export" : "R", "aL",
                   vector ? alu->vector_dest : alu->scalar_dest, relative, 0);
    if (mask == MASK_ALL && !ones)
        return;
    text_put(text, ".");
    for (unsigned i = 0; i < 4; i++) {
        char c = bit(mask, i) ? components[i] : '_';
        c = bit(ones, i) ? '1' : c;
        text_put(text, "%c", bit(zeros, i) ? '0' : c);
    }
}

/* Writes a mnemonic, padded to the width of its column. */
static void put_mnemonic(struct text *text, const char *name, const char *suffix)
{
    size_t length = strlen(name) + strlen(suffix);
    text_put(text, "%s%s%*s", name, suffix,
             length < MNEMONIC_WIDTH ? (int)(MNEMONIC_WIDTH - length) + 1 : 1, "");
}

static void put_vector(struct text *text, const struct a2xx_alu *alu, bool src3_written,
                       struct operation_list *operations)
{
    const struct a2xx_op *op = &a2xx_vector_ops[alu->vector_opc];
    bool third_constant = src3_written && a2xx_source_get(alu, 3).constant;
    bool relative = alu->const_0_rel || alu->const_1_rel;
    text_put(text, "ALU:    ");
    put_mnemonic(text, op->mnemonic, a2xx_predicate_name(alu->is_predicated, alu->pred_condition));
    put_destination(text, alu, true);
    text_put(text, " = ");
    if (a2xx_has_third_source(alu->vector_opc)) {
        put_source(text, alu, 3, operations);
        text_put(text, ", ");
    }
    put_source(text, alu, 1, operations);
    if (op->sources > 1 || !repeats(alu)) {
        text_put(text, ", ");
        put_source(text, alu, 2, operations);
    }
    put_flag(text, alu->vector_clamp, "CLAMP");
    put_flag(text, alu->address_mode && !relative, "ABSOLUTE_ADDR");
    put_flag(text, alu->abs_constants && alu->src1_sel && alu->src2_sel && !third_constant,
             "ABS_CONSTANTS");
}

/* Writes the operands of MUL_CONST and similar operations, such as "C4.x, R0.w". */
static void put_const_sources(struct text *text, const struct a2xx_alu *alu,
                              struct operation_list *operations)
{
    struct a2xx_source constant = a2xx_source_get(alu, 3);
    struct a2xx_source other = {.number = a2xx_const_op_register(alu), .swizzle = constant.swizzle};
    put_operand(text, alu, &constant, SLOT_A, operations);
    text_put(text, ", ");
    put_operand(text, alu, &other, SLOT_B, operations);
}

static void put_scalar(struct text *text, const struct a2xx_alu *alu,
                       struct operation_list *operations)
{
    const char *name = a2xx_scalar_ops[alu->scalar_opc].mnemonic;
    bool constant = a2xx_is_const_op(alu->scalar_opc);
    char other[16];
    struct text number = {other, sizeof other, 0};
    if (!name)
        text_put(&number, "OP(%u)", (unsigned)alu->scalar_opc);
    /* the text has the name without the suffix _0 or _1 */
    else if (constant)
        text_put(&number, "%.*s", (int)strlen(name) - 2, name);
    operation_list_end(operations, text);
    text_put(text, "\n              ");
    operation_list_begin(operations, text, A2XX_UNIT_SCALAR);
    put_mnemonic(text, number.length ? other : name, "");
    put_destination(text, alu, false);
    text_put(text, " = ");
    if (constant)
        put_const_sources(text, alu, operations);
    else
        put_source(text, alu, 3, operations);
    put_flag(text, alu->scalar_clamp, "CLAMP");
}

void a2xx_put_alu(struct text *text, const uint32_t words[A2XX_WORDS],
                  const struct a2xx_surroundings *around)
{
    struct a2xx_alu alu = a2xx_decode_alu(words);
    if (!a2xx_is_alu_expressible(&alu)) {
        a2xx_put_raw(text, words, false);
        return;
    }
    bool scalar = !a2xx_is_scalar_default(&alu, around->idle) || hides_constant(&alu);
    put_vector(text, &alu, scalar || a2xx_has_third_source(alu.vector_opc), around->operations);
    if (scalar)
        put_scalar(text, &alu, around->operations);
}

/* --- fetches --- */

static void put_fetch_head(struct text *text, const char *name, const char *suffix)
{
    text_put(text, "FETCH:  ");
    put_mnemonic(text, name, suffix);
}

static void put_result(struct text *text, uint32_t number, bool relative, uint32_t swizzle)
{
    a2xx_put_place(text, "R", "aL", number, relative, 0);
    text_put(text, ".");
    for (unsigned i = 0; i < 4; i++)
        text_put(text, "%c", results[swizzle >> 3 * i & 7]);
    text_put(text, " = ");
}

static void put_index(struct text *text, uint32_t number, bool relative, uint32_t swizzle,
                      unsigned count, struct operation_list *operations)
{
    size_t at = text->length;
    struct listed_operand operand = {.place = relative ? A2XX_PLACE_AL : 0,
                                     .number = (uint8_t)number,
                                     .component_count = (uint8_t)count};
    a2xx_put_place(text, "R", "aL", number, relative, 0);
    text_put(text, ".");
    for (unsigned i = 0; i < count; i++) {
        operand.components[i] = swizzle >> 2 * i & 3;
        text_put(text, "%c", components[operand.components[i]]);
    }
    operation_list_operand(operations, text, at, operand);
}

bool a2xx_is_fetch_expressible(const struct a2xx_fetch *fetch, enum tess_a2xx_variant variant)
{
    const struct a2xx_vertex *vertex = &fetch->vertex;
    const struct a2xx_texture *texture = &fetch->texture;
    if (fetch->form == A2XX_FORM_VERTEX)
        return !vertex->reserved0 && (vertex->pred_select || !vertex->pred_condition) &&
               (variant == TESS_A2XX_XENOS || !vertex->offset_sign);
    return a2xx_fetch_ops[texture->opcode].mnemonic && !texture->reserved0 &&
           (texture->pred_select || !texture->pred_condition);
}

static void put_format(struct text *text, uint32_t format, enum tess_a2xx_variant variant)
{
    const char *name = a2xx_formats[variant][format].name;
    if (name)
        text_put(text, " FMT_%s", name);
    else
        text_put(text, " TYPE(0x%x)", (unsigned)format);
}

static void put_vertex(struct text *text, const struct a2xx_vertex *vertex,
                       const struct a2xx_surroundings *around)
{
    struct a2xx_vertex base = a2xx_default_vertex(around->variant, around->first_fetch);
    int offset = a2xx_signed(vertex->offset | vertex->offset_sign << 22, 23);
    put_fetch_head(text, "VERTEX",
                   a2xx_predicate_name(vertex->pred_select, vertex->pred_condition));
    put_result(text, vertex->dst_reg, vertex->dst_rel, vertex->dst_swiz);
    put_index(text, vertex->src_reg, vertex->src_rel, vertex->src_swiz, 1, around->operations);
    put_format(text, vertex->format, around->variant);
    put_flag(text, true, vertex->format_comp_all ? "SIGNED" : "UNSIGNED");
    put_flag(text, !vertex->num_format_all, "NORMALIZED");
    text_put(text, " STRIDE(%u)", (unsigned)vertex->stride);
    if (offset)
        text_put(text, " OFFSET(%d)", offset);
    text_put(text, " CONST(%u, %u)", (unsigned)vertex->const_index, (unsigned)vertex->const_sel);
    put_flag(text, vertex->index_round, "ROUND");
    put_flag(text, vertex->signed_rf_mode_all, "NO_ZERO");
    if (vertex->exp_adjust_all)
        text_put(text, " EXP_ADJUST(%d)", (int)a2xx_signed(vertex->exp_adjust_all, 6));
    if (around->whole_fetches || vertex->prefetch != base.prefetch)
        text_put(text, " PREFETCH(%u)", (unsigned)vertex->prefetch);
    if (around->whole_fetches || vertex->mini_fetch != base.mini_fetch)
        text_put(text, " MINI(%u)", (unsigned)vertex->mini_fetch);
    put_flag(text, !vertex->must_be_one, "MUST_BE_ONE(0)");
}

/* Writes an argument such as " MAG(POINT)", unless the value is the default. */
static void put_value(struct text *text, const char *name, enum a2xx_kind kind, uint32_t value,
                      uint32_t base)
{
    const char *word = a2xx_value_name(kind, value);
    if (value == base)
        return;
    if (word)
        text_put(text, " %s(%s)", name, word);
    else
        text_put(text, " %s(%u)", name, (unsigned)value);
}

static void put_level(struct text *text, const struct a2xx_texture *texture)
{
    put_flag(text, !texture->use_comp_lod, "LOD(0)");
    if (texture->lod_bias)
        text_put(text, " LOD_BIAS(%d)", (int)a2xx_signed(texture->lod_bias, 7));
    if (texture->use_reg_lod)
        text_put(text, " REG_LOD(%u)", (unsigned)texture->use_reg_lod);
    put_flag(text, texture->use_reg_gradients, "USE_REG_GRADIENTS");
}

static void put_texture(struct text *text, const struct a2xx_texture *texture,
                        struct operation_list *operations)
{
    const struct a2xx_texture base = a2xx_default_texture();
    put_fetch_head(text, a2xx_fetch_ops[texture->opcode].mnemonic,
                   a2xx_predicate_name(texture->pred_select, texture->pred_condition));
    put_result(text, texture->dst_reg, texture->dst_rel, texture->dst_swiz);
    put_index(text, texture->src_reg, texture->src_rel, texture->src_swiz, 3, operations);
    text_put(text, " CONST(%u)", (unsigned)texture->const_index);
    put_flag(text, texture->fetch_valid_only, "VALID_ONLY");
    put_flag(text, texture->coord_denorm, "DENORM");
    put_value(text, "MAG", A2XX_KIND_FILTER, texture->mag_filter, base.mag_filter);
    put_value(text, "MIN", A2XX_KIND_FILTER, texture->min_filter, base.min_filter);
    put_value(text, "MIP", A2XX_KIND_FILTER, texture->mip_filter, base.mip_filter);
    put_value(text, "ANISO", A2XX_KIND_ANISO, texture->aniso_filter, base.aniso_filter);
    put_value(text, "ARBITRARY", A2XX_KIND_ARBITRARY, texture->arbitrary_filter,
              base.arbitrary_filter);
    put_value(text, "VOL_MAG", A2XX_KIND_FILTER, texture->vol_mag_filter, base.vol_mag_filter);
    put_value(text, "VOL_MIN", A2XX_KIND_FILTER, texture->vol_min_filter, base.vol_min_filter);
    put_level(text, texture);
    put_value(text, "LOCATION", A2XX_KIND_LOCATION, texture->sample_location, base.sample_location);
    if (texture->offset_x || texture->offset_y || texture->offset_z)
        text_put(text, " OFFSET(%d, %d, %d)", (int)a2xx_signed(texture->offset_x, 5),
                 (int)a2xx_signed(texture->offset_y, 5), (int)a2xx_signed(texture->offset_z, 5));
    put_value(text, "DIM", A2XX_KIND_DIMENSION, texture->dimension, base.dimension);
}

void a2xx_put_fetch(struct text *text, const uint32_t words[A2XX_WORDS],
                    const struct a2xx_surroundings *around)
{
    struct a2xx_fetch fetch = a2xx_decode_fetch(words);
    if (!a2xx_is_fetch_expressible(&fetch, around->variant))
        a2xx_put_raw(text, words, true);
    else if (fetch.form == A2XX_FORM_VERTEX)
        put_vertex(text, &fetch.vertex, around);
    else
        put_texture(text, &fetch.texture, around->operations);
}

void a2xx_put_raw(struct text *text, const uint32_t words[A2XX_WORDS], bool fetch)
{
    text_put(text, "%s0x%08x, 0x%08x, 0x%08x", fetch ? "FETCH:  " : "ALU:    ", (unsigned)words[0],
             (unsigned)words[1], (unsigned)words[2]);
}
