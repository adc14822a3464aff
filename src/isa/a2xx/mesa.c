/* SPDX-License-Identifier: MIT */
/* mesa.c - prints programs of the A2xx in the notation of Mesa's disassembler, for comparison with
 * Mesa's output.
 *
 * In:       the words of a program.
 * Out:      each control-flow instruction, followed by the instructions of its clause.
 * Source: Mesa 22.3.6, src/freedreno/ir2/disasm-a2xx.c. Like Mesa, this file does not print
 *           relative registers and constants, abs_constants, and bits 6 and 7 of the numbers of
 *           constants. docs/dis.md lists the differences. Choice: the names of exports in comments
 *           depend on the stage. Mesa's caller passes the stage; here, the stage follows from the
 *           exports. */
#include "isa/a2xx/a2xx_isa.h"
#include "isa/a2xx/print.h"

#include "isa/a2xx/facts.h"

#define PUT(l, ...) buffer_printf((l)->out, __VA_ARGS__)

struct listing {
    struct buffer *out;
    const uint32_t *words;
    size_t slots;
    bool pixel;
};

/* Masks of the address fields, which are narrower in Mesa than in the hardware. */
enum { CLAUSE_BITS = 0x1ff, TARGET_BITS = 0x3ff };

static const char components[] = "xyzw01?_";

static struct a2xx_cf cf_at(const struct listing *l, size_t number)
{
    const uint32_t *words = l->words + number / A2XX_CF_PER_SLOT * A2XX_WORDS;
    return a2xx_decode_cf(a2xx_cf_half(words, number % A2XX_CF_PER_SLOT));
}

/* --- ALU instructions --- */

/* Writes a source. In a register field, bits 0 to 5 are the number, bit 6 is the relative flag and
 * bit 7 selects the absolute value. Mesa also prints constants in this way, although the number of
 * a constant has eight bits. */
static void put_source(const struct listing *l, uint32_t field, uint32_t select, uint32_t swizzle,
                       uint32_t negate)
{
    bool absolute = field >> 7 & 1;
    PUT(l, "%s%s%c%u", negate ? "-" : "", absolute ? "|" : "", select ? 'R' : 'C',
        (unsigned)field & 63);
    for (unsigned i = 0; swizzle && i < 4; i++)
        PUT(l, "%s%c", i ? "" : ".", components[a2xx_swizzle(swizzle, i)]);
    PUT(l, "%s", absolute ? "|" : "");
}

static void put_third(const struct listing *l, const struct a2xx_alu *alu)
{
    put_source(l, alu->src3, alu->src3_sel, alu->src3_swiz, alu->src3_negate);
}

static void put_destination(const struct listing *l, uint32_t number, uint32_t mask, bool export)
{
    PUT(l, "%s%u", export ? "export" : "R", (unsigned)number);
    for (unsigned i = 0; mask != 15 && i < 4; i++)
        PUT(l, "%s%c", i ? "" : ".", mask >> i & 1 ? components[i] : '_');
    PUT(l, " = ");
}

/* Ends a line of an ALU instruction. */
static void put_end(const struct listing *l, bool clamp, bool export, uint32_t number)
{
    PUT(l, "%s", clamp ? " CLAMP" : "");
    if (export && l->pixel && number == 0)
        PUT(l, "\t; gl_FragColor");
    if (export && !l->pixel && number == A2XX_EXPORT_POSITION)
        PUT(l, "\t; gl_Position");
    if (export && !l->pixel && number == A2XX_EXPORT_POINT)
        PUT(l, "\t; gl_PointSize");
    PUT(l, "\n");
}

/* Writes a mnemonic, or "OP(n)" for an operation without a mnemonic, as Mesa does. */
static void put_name(const struct listing *l, const char *name, uint32_t opcode)
{
    if (name)
        PUT(l, "%s", name);
    else
        PUT(l, "OP(%u)", (unsigned)opcode);
}

static void put_alu(const struct listing *l, const struct a2xx_alu *alu, bool serialized)
{
    const struct a2xx_op *vector = &a2xx_vector_ops[alu->vector_opc];
    PUT(l, "\t   %sALU:\t", serialized ? "(S)" : "   ");
    put_name(l, vector->mnemonic, alu->vector_opc);
    PUT(l, "%s\t", a2xx_predicate_name(alu->is_predicated, alu->pred_condition));
    put_destination(l, alu->vector_dest, alu->vector_write_mask, alu->export_data);
    if (a2xx_has_third_source(alu->vector_opc)) {
        put_third(l, alu);
        PUT(l, ", ");
    }
    put_source(l, alu->src1, alu->src1_sel, alu->src1_swiz, alu->src1_negate);
    if (vector->sources > 1) {
        PUT(l, ", ");
        put_source(l, alu->src2, alu->src2_sel, alu->src2_swiz, alu->src2_negate);
    }
    put_end(l, alu->vector_clamp, alu->export_data, alu->vector_dest);
    if (!alu->scalar_write_mask && alu->vector_write_mask)
        return;
    PUT(l, "\t\t    \t");
    put_name(l, a2xx_scalar_ops[alu->scalar_opc].mnemonic, alu->scalar_opc);
    PUT(l, "\t");
    put_destination(l, alu->scalar_dest, alu->scalar_write_mask, alu->export_data);
    put_third(l, alu);
    put_end(l, alu->scalar_clamp, alu->export_data, alu->scalar_dest);
}

/* --- fetches --- */

static void put_registers(const struct listing *l, uint32_t dst, uint32_t dst_swizzle, uint32_t src,
                          uint32_t src_swizzle, unsigned count)
{
    PUT(l, "\tR%u.", (unsigned)dst);
    for (unsigned i = 0; i < 4; i++)
        PUT(l, "%c", components[dst_swizzle >> 3 * i & 7]);
    PUT(l, " = R%u.", (unsigned)src);
    for (unsigned i = 0; i < count; i++)
        PUT(l, "%c", components[src_swizzle >> 2 * i & 3]);
}

/* Returns true if Mesa's disassembler has a name for the format. */
static bool is_named(uint32_t format)
{
    static const uint8_t named[] = {0, 2, 6, 10, 24, 25, 26, 33, 34, 35, 36, 37, 38, 57};
    for (size_t i = 0; i < sizeof named; i++)
        if (named[i] == format)
            return true;
    return false;
}

static void put_vertex(const struct listing *l, const struct a2xx_vertex *vertex)
{
    PUT(l, "%s", a2xx_predicate_name(vertex->pred_select, vertex->pred_condition));
    put_registers(l, vertex->dst_reg, vertex->dst_swiz, vertex->src_reg, vertex->src_swiz, 1);
    if (is_named(vertex->format))
        PUT(l, " FMT_%s", a2xx_formats[TESS_A2XX_ADRENO][vertex->format].name);
    else
        PUT(l, " TYPE(0x%x)", (unsigned)vertex->format);
    PUT(l, " %s%s STRIDE(%u)", vertex->format_comp_all ? "SIGNED" : "UNSIGNED",
        vertex->num_format_all ? "" : " NORMALIZED", (unsigned)vertex->stride);
    if (vertex->offset)
        PUT(l, " OFFSET(%u)", (unsigned)vertex->offset);
    PUT(l, " CONST(%u, %u)", (unsigned)vertex->const_index, (unsigned)vertex->const_sel);
}

/* Writes a filter. `constant` is the value that selects the filter of the fetch constant. */
static void put_filter(const struct listing *l, const char *name, enum a2xx_kind kind,
                       uint32_t value, uint32_t constant)
{
    const char *word = a2xx_value_name(kind, value);
    if (value == constant)
        return;
    if (word)
        PUT(l, " %s(%s)", name, word);
    else
        PUT(l, " %s(%u)", name, (unsigned)value);
}

static void put_filters(const struct listing *l, const struct a2xx_texture *texture)
{
    put_filter(l, "MAG", A2XX_KIND_FILTER, texture->mag_filter, 3);
    put_filter(l, "MIN", A2XX_KIND_FILTER, texture->min_filter, 3);
    put_filter(l, "MIP", A2XX_KIND_FILTER, texture->mip_filter, 3);
    put_filter(l, "ANISO", A2XX_KIND_ANISO, texture->aniso_filter, 7);
    put_filter(l, "ARBITRARY", A2XX_KIND_ARBITRARY, texture->arbitrary_filter, 7);
    put_filter(l, "VOL_MAG", A2XX_KIND_FILTER, texture->vol_mag_filter, 3);
    put_filter(l, "VOL_MIN", A2XX_KIND_FILTER, texture->vol_min_filter, 3);
}

static void put_texture(const struct listing *l, const struct a2xx_texture *texture)
{
    PUT(l, "%s", a2xx_predicate_name(texture->pred_select, texture->pred_condition));
    put_registers(l, texture->dst_reg, texture->dst_swiz, texture->src_reg, texture->src_swiz, 3);
    PUT(l, " CONST(%u)%s%s", (unsigned)texture->const_index,
        texture->fetch_valid_only ? " VALID_ONLY" : "", texture->coord_denorm ? " DENORM" : "");
    put_filters(l, texture);
    if (!texture->use_comp_lod)
        PUT(l, " LOD(0) LOD_BIAS(%u)", (unsigned)texture->lod_bias);
    if (texture->use_reg_lod)
        PUT(l, " REG_LOD(%u)", (unsigned)texture->use_reg_lod);
    PUT(l, "%s LOCATION(%s)", texture->use_reg_gradients ? " USE_REG_GRADIENTS" : "",
        a2xx_value_name(A2XX_KIND_LOCATION, texture->sample_location));
    if (texture->offset_x || texture->offset_y || texture->offset_z)
        PUT(l, " OFFSET(%u,%u,%u)", (unsigned)texture->offset_x, (unsigned)texture->offset_y,
            (unsigned)texture->offset_z);
}

/* Returns the name of a fetch. Mesa has names only for VERTEX, SAMPLE and SET_TEX_LOD, and prints
 * "?" for other fetches. */
static const char *fetch_name(unsigned opcode)
{
    bool named = opcode == A2XX_FETCH_VERTEX || opcode == A2XX_FETCH_SAMPLE ||
                 opcode == A2XX_FETCH_SET_TEX_LOD;
    return named ? a2xx_fetch_ops[opcode].mnemonic : "?";
}

static void put_fetch(const struct listing *l, const struct a2xx_fetch *fetch, bool serialized)
{
    PUT(l, "\t   %sFETCH:\t%s", serialized ? "(S)" : "   ", fetch_name(fetch->opcode));
    if (fetch->form == A2XX_FORM_VERTEX)
        put_vertex(l, &fetch->vertex);
    else
        put_texture(l, &fetch->texture);
    PUT(l, "\n");
}

/* --- control flow --- */

static void put_exec(const struct listing *l, const struct a2xx_exec *exec)
{
    PUT(l, " ADDR(0x%x) CNT(0x%x)%s", (unsigned)exec->address & CLAUSE_BITS, (unsigned)exec->count,
        exec->yield ? " YIELD" : "");
    if (exec->vertex_cache)
        PUT(l, " VC(0x%x)", (unsigned)exec->vertex_cache);
    if (exec->bool_address)
        PUT(l, " BOOL_ADDR(0x%x)", (unsigned)exec->bool_address);
    PUT(l, "%s", exec->address_mode ? " ABSOLUTE_ADDR" : "");
    if (a2xx_is_boolean_exec(exec->opcode) || a2xx_is_predicated_exec(exec->opcode))
        PUT(l, " COND(%u)", (unsigned)exec->condition);
}

static void put_jump(const struct listing *l, const struct a2xx_jump *jump)
{
    PUT(l, " ADDR(0x%x) DIR(%u)%s", (unsigned)jump->address & TARGET_BITS,
        (unsigned)jump->direction, jump->unconditional ? " FORCE_CALL" : "");
    if (jump->predicated)
        PUT(l, " COND(%u)", (unsigned)jump->condition);
    if (jump->bool_address)
        PUT(l, " BOOL_ADDR(0x%x)", (unsigned)jump->bool_address);
    PUT(l, "%s", jump->address_mode ? " ABSOLUTE_ADDR" : "");
}

static void put_alloc(const struct listing *l, const struct a2xx_alloc *alloc)
{
    const char *name = a2xx_value_name(A2XX_KIND_BUFFER, alloc->buffer_select);
    PUT(l, " %s SIZE(0x%x)%s%s", alloc->buffer_select == A2XX_BUFFER_NONE ? "NO ALLOC" : name,
        (unsigned)alloc->size, alloc->no_serial ? " NO_SERIAL" : "",
        alloc->alloc_mode ? " ALLOC_MODE" : "");
}

static void put_cf(const struct listing *l, const struct a2xx_cf *cf)
{
    PUT(l, "\t%s", a2xx_cf_ops[cf->opcode].mnemonic);
    switch (cf->form) {
    case A2XX_FORM_EXEC: put_exec(l, &cf->exec); break;
    case A2XX_FORM_LOOP:
        PUT(l, " ADDR(0x%x) LOOP_ID(%u)%s", (unsigned)cf->loop.address & TARGET_BITS,
            (unsigned)cf->loop.loop_id, cf->loop.address_mode ? " ABSOLUTE_ADDR" : "");
        break;
    case A2XX_FORM_JUMP: put_jump(l, &cf->jump); break;
    case A2XX_FORM_ALLOC: put_alloc(l, &cf->alloc); break;
    default: break;
    }
    PUT(l, "\n");
}

/* --- programs --- */

static void put_clause(const struct listing *l, const struct a2xx_exec *exec)
{
    for (unsigned i = 0; i < exec->count; i++) {
        size_t slot = (exec->address & CLAUSE_BITS) + i;
        if (slot >= l->slots)
            return;
        const uint32_t *words = l->words + slot * A2XX_WORDS;
        if (a2xx_is_fetch(exec, i)) {
            struct a2xx_fetch fetch = a2xx_decode_fetch(words);
            put_fetch(l, &fetch, a2xx_is_serialized(exec, i));
        } else {
            struct a2xx_alu alu = a2xx_decode_alu(words);
            put_alu(l, &alu, a2xx_is_serialized(exec, i));
        }
    }
}

/* Returns the number of control-flow instructions, which end at the first clause's address. */
static size_t count_cf(const struct listing *l)
{
    size_t all = l->slots * A2XX_CF_PER_SLOT;
    for (size_t i = 0; i < all; i++) {
        struct a2xx_cf cf = cf_at(l, i);
        size_t count = (size_t)A2XX_CF_PER_SLOT * (cf.exec.address & CLAUSE_BITS);
        if (cf.form == A2XX_FORM_EXEC)
            return count < all ? count : all;
    }
    return all;
}

static bool exports_position(const struct listing *l, const struct a2xx_exec *exec)
{
    for (unsigned i = 0; i < exec->count && exec->address + i < l->slots; i++) {
        struct a2xx_alu alu = a2xx_decode_alu(l->words + (exec->address + i) * A2XX_WORDS);
        uint32_t number = alu.vector_write_mask ? alu.vector_dest : alu.scalar_dest;
        if (!a2xx_is_fetch(exec, i) && alu.export_data && number == A2XX_EXPORT_POSITION)
            return true;
    }
    return false;
}

void a2xx_put_mesa(struct buffer *out, const uint32_t *words, size_t slots)
{
    struct listing l = {out, words, slots, true};
    size_t count = count_cf(&l);
    for (size_t i = 0; i < count; i++) {
        struct a2xx_cf cf = cf_at(&l, i);
        if (cf.form == A2XX_FORM_EXEC && exports_position(&l, &cf.exec))
            l.pixel = false;
    }
    for (size_t i = 0; i < count; i++) {
        struct a2xx_cf cf = cf_at(&l, i);
        put_cf(&l, &cf);
        if (cf.form == A2XX_FORM_EXEC)
            put_clause(&l, &cf.exec);
    }
}
