/* SPDX-License-Identifier: MIT */
/* comment.c - explains an instruction of the A2xx in plain words.
 *
 * In:      any instruction.
 * Out:     the computation, its operands and its destination; conditions, and unusual values.
 * Source:  ops.def; docs/hardware/a2xx.md, sections 4 to 15. */
#include "isa/a2xx/a2xx_isa.h"
#include "isa/a2xx/explain.h"
#include "isa/a2xx/facts.h"
#include "isa/a2xx/print.h"

static const char undefined[] = "undefined";

/* --- ALU instructions --- */

static void put_operand(struct text *text, const struct a2xx_alu *alu, const char *name,
                        unsigned number)
{
    struct a2xx_source source = a2xx_source_get(alu, number);
    text_put(text, "%s = ", name);
    a2xx_put_source(text, alu, &source);
}

static void put_destination(struct text *text, const struct a2xx_alu *alu, enum a2xx_unit unit)
{
    uint32_t mask = a2xx_result_mask(alu, unit);
    bool vector = unit == A2XX_UNIT_VECTOR || alu->export_data;
    if (!mask)
        return;
    text_put(text, ", to ");
    a2xx_put_place(text, alu->export_data ? "export" : "R", "aL",
                   vector ? alu->vector_dest : alu->scalar_dest,
                   vector ? alu->vector_dest_rel : alu->scalar_dest_rel, mask);
}

static void put_vector(struct text *text, const struct a2xx_alu *alu)
{
    const struct a2xx_op *op = &a2xx_vector_ops[alu->vector_opc];
    if (!a2xx_works(alu, A2XX_UNIT_VECTOR))
        return;
    text_put(text, "vector: %s", op->mnemonic ? op->words : undefined);
    text_put(text, ", where ");
    put_operand(text, alu, "s1", 1);
    if (op->sources != 1 || alu->vector_opc == A2XX_V_MOVA) {
        text_put(text, ", ");
        put_operand(text, alu, "s2", 2);
    }
    if (a2xx_has_third_source(alu->vector_opc)) {
        text_put(text, ", ");
        put_operand(text, alu, "s3", 3);
    }
    text_put(text, alu->vector_clamp ? ", limited to 0..1" : "");
    put_destination(text, alu, A2XX_UNIT_VECTOR);
    text_put(text, "\n");
}

enum { SLOT_A = 3 }; /* slot of source 3's swizzle for the scalar operand a */

/* Writes a scalar operand, which is a component of source 3. slot is the position in the swizzle of
 * source 3: w for operand a, and a2xx_second_slot() for operand b. */
static void put_component(struct text *text, const struct a2xx_alu *alu, const char *name,
                          unsigned slot)
{
    struct a2xx_source source = a2xx_source_get(alu, 3);
    text_put(text, "%s = ", name);
    if (slot != SLOT_A && a2xx_is_const_op(alu->scalar_opc))
        text_put(text, "R%u.%c", a2xx_const_op_register(alu),
                 "xyzw"[a2xx_swizzle(source.swizzle, slot)]);
    else
        a2xx_put_component(text, alu, &source, slot);
}

static void put_scalar(struct text *text, const struct a2xx_alu *alu,
                       enum tess_a2xx_variant variant)
{
    const struct a2xx_op *op = &a2xx_scalar_ops[alu->scalar_opc];
    if (a2xx_scalar_is_idle(alu))
        return;
    text_put(text, "scalar: %s", op->mnemonic ? op->words : undefined);
    if (op->sources > 0 || !op->mnemonic) {
        text_put(text, ", where ");
        put_component(text, alu, "a", SLOT_A);
    }
    if (op->sources > 1) {
        text_put(text, ", ");
        put_component(text, alu, "b", a2xx_second_slot(alu->scalar_opc, variant));
    }
    text_put(text, alu->scalar_clamp ? ", limited to 0..1" : "");
    put_destination(text, alu, A2XX_UNIT_SCALAR);
    text_put(text, alu->scalar_opc == A2XX_S_RETAIN_PREV ? "\n" : ", and ps\n");
}

static void put_export(struct text *text, const struct a2xx_alu *alu)
{
    const struct {
        const char *words;
        uint32_t mask;
    } constants[] = {
        {"become 1, since both masks contain them", a2xx_export_ones(alu)},
        {"become 0, since neither mask contains them", a2xx_export_zeros(alu)},
    };
    for (size_t i = 0; i < sizeof constants / sizeof constants[0]; i++) {
        if (!constants[i].mask)
            continue;
        text_put(text, "- export%u.", (unsigned)alu->vector_dest);
        a2xx_put_mask(text, constants[i].mask);
        text_put(text, ": these components %s\n", constants[i].words);
    }
}

static const char *export_words(uint32_t number)
{
    switch (number) {
    case A2XX_EXPORT_ADDRESS: return "address of memory exports";
    case A2XX_EXPORT_DEPTH: return "depth (pixel programs)";
    case A2XX_EXPORT_POSITION: return "position (vertex programs)";
    case A2XX_EXPORT_POINT: return "point size, edge flag and kill (vertex programs)";
    default: break;
    }
    if (number >= A2XX_EXPORT_DATA && number <= A2XX_EXPORT_DATA_LAST)
        return "data of memory exports";
    return number < A2XX_EXPORT_PARAMETERS
               ? "a parameter (vertex programs) or a colour (pixel programs)"
               : "unknown export";
}

static void put_alu(struct text *text, const struct a2xx_alu *alu, enum tess_a2xx_variant variant)
{
    put_vector(text, alu);
    put_scalar(text, alu, variant);
    put_export(text, alu);
    if (alu->export_data)
        text_put(text, "- export%u: %s\n", (unsigned)alu->vector_dest,
                 export_words(alu->vector_dest));
    if (alu->is_predicated)
        text_put(text, "- runs only where p0 is %u\n", (unsigned)alu->pred_condition);
    if (alu->address_mode && !alu->const_0_rel && !alu->const_1_rel)
        text_put(text, "- bit 61: constants are numbered from the start of the file, as in Mesa's "
                       "binning programs\n");
}

/* --- fetches --- */

static void put_vertex(struct text *text, const struct a2xx_insn *insn)
{
    const struct a2xx_vertex *vertex = &insn->fetch.vertex;
    const char *unit = insn->variant == TESS_A2XX_XENOS ? "dwords" : "bytes";
    const char *format = a2xx_formats[insn->variant][vertex->format].name;
    text_put(text, "fetch: %s, from vertex constant %u, ", format ? format : "an undefined format",
             (unsigned)(vertex->const_index * 3 + vertex->const_sel));
    text_put(text, "element ");
    a2xx_put_place(text, "R", "aL", vertex->src_reg, vertex->src_rel, 1u << vertex->src_swiz);
    text_put(text, " of %u %s each, %d %s in, to ", (unsigned)vertex->stride, unit,
             (int)a2xx_signed(vertex->offset | vertex->offset_sign << 22, 23), unit);
    a2xx_put_place(text, "R", "aL", vertex->dst_reg, vertex->dst_rel, 0);
    text_put(text, " as ");
    a2xx_put_swizzle(text, vertex->dst_swiz, 3, 4, false);
    text_put(text, "\n");
    if (insn->variant == TESS_A2XX_XENOS && vertex->mini_fetch)
        text_put(text,
                 "- a mini fetch: buffer, index and stride are those of the last full fetch\n");
}

static void put_texture(struct text *text, const struct a2xx_texture *texture)
{
    const struct a2xx_op *op = &a2xx_fetch_ops[texture->opcode];
    text_put(text, "fetch: %s, with texture constant %u and coordinates ",
             op->mnemonic ? op->words : undefined, (unsigned)texture->const_index);
    a2xx_put_place(text, "R", "aL", texture->src_reg, texture->src_rel, 0);
    text_put(text, ".");
    a2xx_put_swizzle(text, texture->src_swiz, 2, 3, false);
    text_put(text, ", to ");
    a2xx_put_place(text, "R", "aL", texture->dst_reg, texture->dst_rel, 0);
    text_put(text, " as ");
    a2xx_put_swizzle(text, texture->dst_swiz, 3, 4, false);
    text_put(text, "\n");
}

static void put_fetch(struct text *text, const struct a2xx_insn *insn)
{
    bool condition;
    if (insn->form == A2XX_FORM_VERTEX)
        put_vertex(text, insn);
    else
        put_texture(text, &insn->fetch.texture);
    if (a2xx_fetch_is_predicated(&insn->fetch, &condition))
        text_put(text, "- runs only where p0 is %u\n", condition);
    text_put(text, "- the first instruction that needs the result must wait for it: (S)\n");
}

/* --- control flow --- */

static void put_exec(struct text *text, const struct a2xx_exec *exec)
{
    if (exec->count)
        text_put(text, "- %u instruction%s, starting at slot %u\n", (unsigned)exec->count,
                 exec->count > 1 ? "s" : "", (unsigned)exec->address);
    else
        text_put(text, "- no instructions\n");
    if (a2xx_is_boolean_exec(exec->opcode))
        text_put(text, "- only if boolean constant %u is %u\n", (unsigned)exec->bool_address,
                 (unsigned)exec->condition);
    if (a2xx_is_predicated_exec(exec->opcode))
        text_put(text, "- only where p0 is %u\n", (unsigned)exec->condition);
    if (a2xx_is_end(exec->opcode) && exec->opcode != A2XX_CF_EXEC_END)
        text_put(text, "- the program continues if the condition does not hold\n");
    if (exec->count > A2XX_CLAUSE_MAX)
        text_put(text, "- the seventh instruction has no sequence bits\n");
}

static void put_jump(struct text *text, const struct a2xx_jump *jump)
{
    if (jump->opcode != A2XX_CF_RETURN)
        text_put(text, "- to control-flow instruction %u\n", (unsigned)jump->address);
    if (jump->unconditional)
        text_put(text, "- unconditional\n");
    else if (jump->predicated)
        text_put(text, "- only where p0 is %u\n", (unsigned)jump->condition);
    else
        text_put(text, "- only if boolean constant %u is %u\n", (unsigned)jump->bool_address,
                 (unsigned)jump->condition);
}

static void put_loop(struct text *text, const struct a2xx_loop *loop)
{
    text_put(text, "- count, start and step are those of loop constant %u\n",
             (unsigned)loop->loop_id);
    text_put(text, "- target: control-flow instruction %u\n", (unsigned)loop->address);
    if (loop->predicated_break)
        text_put(text, "- LOOP_END leaves the loop if p0 is %u in all lanes\n",
                 (unsigned)loop->condition);
}

static void put_cf(struct text *text, const struct a2xx_cf *cf)
{
    text_put(text, "control flow: %s\n", a2xx_cf_ops[cf->opcode].words);
    switch (cf->form) {
    case A2XX_FORM_EXEC: put_exec(text, &cf->exec); break;
    case A2XX_FORM_LOOP: put_loop(text, &cf->loop); break;
    case A2XX_FORM_JUMP: put_jump(text, &cf->jump); break;
    case A2XX_FORM_ALLOC:
        text_put(text, "- %s, %u export%s\n",
                 a2xx_value_name(A2XX_KIND_BUFFER, cf->alloc.buffer_select),
                 (unsigned)cf->alloc.size + 1, cf->alloc.size ? "s" : "");
        break;
    default: break;
    }
}

void a2xx_put_comment(struct text *text, const struct a2xx_insn *insn)
{
    size_t start = text->length;
    if (insn->form == A2XX_FORM_ALU)
        put_alu(text, &insn->alu, insn->variant);
    else if (insn->form == A2XX_FORM_VERTEX || insn->form == A2XX_FORM_TEXTURE)
        put_fetch(text, insn);
    else
        put_cf(text, &insn->cf);
    if (text->length == start)
        text_put(text, "nothing\n");
}
