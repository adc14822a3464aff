/* SPDX-License-Identifier: MIT */
/* explain.c - see explain.h.
 *
 * In:      any instruction.
 * Out:     its fields, and a plain-language comment.
 * Source:  fields.def and ops.def; digest a2xx.md, sections 4 to 15. */
#include "isa/a2xx/explain.h"

#include <stdio.h>
#include <string.h>

#include "isa/a2xx/facts.h"
#include "isa/a2xx/names.h"
#include "isa/a2xx/print.h"

enum { WORDS_MAX = 240, PLACE_MAX = 48 };

static const char components[] = "xyzw", undefined[] = "undefined";

struct a2xx_insn a2xx_insn_cf(uint64_t cf, enum tess_a2xx_variant variant)
{
    struct a2xx_insn insn = {.variant = variant, .cf = a2xx_decode_cf(cf)};
    insn.form = insn.cf.form;
    return insn;
}

struct a2xx_insn a2xx_insn_alu(const uint32_t words[A2XX_WORDS], enum tess_a2xx_variant variant)
{
    return (struct a2xx_insn){A2XX_FORM_ALU, variant, .alu = a2xx_decode_alu(words)};
}

struct a2xx_insn a2xx_insn_fetch(const uint32_t words[A2XX_WORDS], enum tess_a2xx_variant variant)
{
    struct a2xx_insn insn = {.variant = variant, .fetch = a2xx_decode_fetch(words)};
    insn.form = insn.fetch.form;
    return insn;
}

/* --- fields --- */

/* The struct that the fields of the instruction's form are members of. */
static const void *form_of(const struct a2xx_insn *insn)
{
    switch (insn->form) {
    case A2XX_FORM_ALU: return &insn->alu;
    case A2XX_FORM_VERTEX: return &insn->fetch.vertex;
    case A2XX_FORM_TEXTURE: return &insn->fetch.texture;
    default: return &insn->cf.exec; /* members of the union */
    }
}

static void put_operation(struct text *text, const struct a2xx_op *op)
{
    if (op->mnemonic)
        text_put(text, "%s: %s", op->mnemonic, op->words);
    else
        text_put(text, "%s", undefined);
}

static void put_mask(struct text *text, uint32_t mask)
{
    for (unsigned i = 0; i < 4; i++)
        text_put(text, "%c", mask >> i & 1 ? components[i] : '_');
}

/* The bits of a swizzle: so many for each of count components; relative ones count from the component itself. */
static void put_swizzle(struct text *text, uint32_t swizzle, unsigned bits, unsigned count,
                        bool relative)
{
    for (unsigned i = 0; i < count; i++) {
        uint32_t value = swizzle >> bits * i & ((1u << bits) - 1);
        text_put(text, "%c", "xyzw01?_"[relative ? (value + i) & 3 : value]);
    }
}

static void put_source_field(struct text *text, uint32_t value)
{
    text_put(text, "constant %u, or register %u%s%s", (unsigned)value, (unsigned)value & 63,
             value >> 6 & 1 ? " + aL" : "", value >> 7 & 1 ? ", absolute" : "");
}

static void put_sequence(struct text *text, uint32_t value)
{
    for (unsigned i = 0; i < A2XX_CLAUSE_MAX; i++)
        text_put(text, "%s%s%s", i ? " " : "", value >> (2 * i + 1) & 1 ? "(S)" : "",
                 value >> 2 * i & 1 ? "FETCH" : "ALU");
}

static void put_named(struct text *text, const struct a2xx_field *field, uint32_t value)
{
    const char *name = a2xx_value_name(field->kind, value);
    bool of_constant = value + 1 == 1u << field->bits;
    text_put(text, "%s", name ? name : of_constant ? "as the fetch constant says" : undefined);
}

/* What a value says, if the number itself does not. */
static void put_value(struct text *text, const struct a2xx_insn *insn,
                      const struct a2xx_field *field, uint32_t value)
{
    const char *format;
    switch (field->kind) {
    case A2XX_KIND_FLAG: text_put(text, value ? "yes" : "no"); break;
    case A2XX_KIND_SEQUENCE: put_sequence(text, value); break;
    case A2XX_KIND_ADDRESS_MODE: text_put(text, value ? "a0" : "aL"); break;
    case A2XX_KIND_CF_OP:
        text_put(text, "%s: %s", a2xx_cf_ops[value].mnemonic, a2xx_cf_ops[value].words);
        break;
    case A2XX_KIND_VECTOR_OP: put_operation(text, &a2xx_vector_ops[value]); break;
    case A2XX_KIND_SCALAR_OP: put_operation(text, &a2xx_scalar_ops[value]); break;
    case A2XX_KIND_FETCH_OP: put_operation(text, &a2xx_fetch_ops[value]); break;
    case A2XX_KIND_MASK: put_mask(text, value); break;
    case A2XX_KIND_SWIZZLE: put_swizzle(text, value, 2, 4, true); break;
    case A2XX_KIND_COMPONENT: put_swizzle(text, value, 2, 1, false); break;
    case A2XX_KIND_COMPONENTS: put_swizzle(text, value, 2, 3, false); break;
    case A2XX_KIND_FETCH_SWIZZLE: put_swizzle(text, value, 3, 4, false); break;
    case A2XX_KIND_SOURCE: put_source_field(text, value); break;
    case A2XX_KIND_SELECT: text_put(text, value ? "register" : "constant"); break;
    case A2XX_KIND_SIGNED: text_put(text, "%d", (int)a2xx_signed(value, field->bits)); break;
    case A2XX_KIND_FORMAT:
        format = a2xx_formats[insn->variant][value].name;
        text_put(text, "%s%s", format ? "FMT_" : "", format ? format : undefined);
        break;
    case A2XX_KIND_STRIDE:
    case A2XX_KIND_OFFSET:
        text_put(text, "%u %s", (unsigned)value,
                 insn->variant == TESS_A2XX_XENOS ? "dwords" : "bytes");
        break;
    case A2XX_KIND_BUFFER:
    case A2XX_KIND_FILTER:
    case A2XX_KIND_ANISO:
    case A2XX_KIND_ARBITRARY:
    case A2XX_KIND_LOCATION:
    case A2XX_KIND_DIMENSION: put_named(text, field, value); break;
    default: break;
    }
}

void a2xx_each_field(const struct a2xx_insn *insn, dis_field_visitor *visit, void *user)
{
    const struct a2xx_field_list *list = &a2xx_fields[insn->form];
    for (size_t i = 0; i < list->count; i++) {
        const struct a2xx_field *field = &list->fields[i];
        uint32_t value = a2xx_field_get(form_of(insn), field);
        char meaning[WORDS_MAX];
        struct text text = {meaning, sizeof meaning, 0};
        text_put(&text, "%s", field->meaning);
        size_t length = text.length;
        text_put(&text, ": ");
        put_value(&text, insn, field, value);
        if (text.length == length + 2)
            meaning[length] = 0;
        visit(user, &(struct dis_field){field->name, value, field->low + field->bits - 1u,
                                        field->low, meaning});
    }
}

static void put_field(void *user, const struct dis_field *field)
{
    char bits[16];
    if (field->high == field->low)
        snprintf(bits, sizeof bits, "%u", field->low);
    else
        snprintf(bits, sizeof bits, "%u-%u", field->low, field->high);
    text_put(user, "%-8s%-20s%-3u (%s)\n", bits, field->name, (unsigned)field->value,
             field->meaning);
}

void a2xx_put_fields(struct text *text, const struct a2xx_insn *insn)
{
    a2xx_each_field(insn, put_field, text);
}

/* --- what is read and written --- */

static void put_place(struct text *text, const char *file, const char *index, uint32_t number,
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

static void take_place(a2xx_place_taker *take, void *user, const char *file, const char *index,
                       uint32_t number, bool relative, uint32_t mask)
{
    char place[PLACE_MAX];
    struct text text = {place, sizeof place, 0};
    put_place(&text, file, index, number, relative, mask);
    take(user, place);
}

static unsigned effects_of(const struct a2xx_alu *alu)
{
    unsigned effects = 0;
    if (a2xx_works(alu, A2XX_UNIT_VECTOR))
        effects |= a2xx_vector_effects(alu->vector_opc);
    if (a2xx_works(alu, A2XX_UNIT_SCALAR))
        effects |= a2xx_scalar_effects(alu->scalar_opc);
    return effects;
}

static bool is_predicated(const struct a2xx_insn *insn)
{
    bool condition;
    if (insn->form == A2XX_FORM_ALU)
        return insn->alu.is_predicated;
    if (insn->form == A2XX_FORM_VERTEX || insn->form == A2XX_FORM_TEXTURE)
        return a2xx_fetch_is_predicated(&insn->fetch, &condition);
    if (insn->form == A2XX_FORM_EXEC)
        return a2xx_is_predicated_exec(insn->cf.opcode);
    return (insn->form == A2XX_FORM_JUMP && insn->cf.jump.predicated) ||
           (insn->form == A2XX_FORM_LOOP && insn->cf.loop.predicated_break);
}

static void each_fetch_read(const struct a2xx_insn *insn, a2xx_place_taker *take, void *user)
{
    struct a2xx_fetch_register source = a2xx_fetch_source(&insn->fetch, insn->variant);
    take_place(take, user, "R", "aL", source.number, source.relative, source.components);
    if (insn->form == A2XX_FORM_VERTEX)
        take_place(take, user, "vertex constant ", "",
                   insn->fetch.vertex.const_index * 3 + insn->fetch.vertex.const_sel, false, 0);
    else
        take_place(take, user, "texture constant ", "", insn->fetch.texture.const_index, false, 0);
}

void a2xx_each_read(const struct a2xx_insn *insn, a2xx_place_taker *take, void *user)
{
    struct a2xx_operand operands[A2XX_OPERANDS_MAX];
    unsigned count = insn->form == A2XX_FORM_ALU ? a2xx_operands(&insn->alu, operands) : 0;
    for (unsigned i = 0; i < count; i++)
        take_place(take, user, operands[i].constant ? "C" : "R",
                   operands[i].constant && insn->alu.address_mode ? "a0" : "aL", operands[i].number,
                   operands[i].relative, operands[i].components);
    if (insn->form == A2XX_FORM_ALU && effects_of(&insn->alu) & A2XX_READS_PREVIOUS)
        take(user, "ps");
    if (insn->form == A2XX_FORM_VERTEX || insn->form == A2XX_FORM_TEXTURE)
        each_fetch_read(insn, take, user);
    if (insn->form == A2XX_FORM_LOOP)
        take_place(take, user, "loop constant ", "", insn->cf.loop.loop_id, false, 0);
    if (insn->form == A2XX_FORM_EXEC && a2xx_is_boolean_exec(insn->cf.opcode))
        take_place(take, user, "boolean ", "", insn->cf.exec.bool_address, false, 0);
    if (insn->form == A2XX_FORM_JUMP && !insn->cf.jump.unconditional && !insn->cf.jump.predicated)
        take_place(take, user, "boolean ", "", insn->cf.jump.bool_address, false, 0);
    if (is_predicated(insn))
        take(user, "p0");
}

static void each_result(const struct a2xx_alu *alu, a2xx_place_taker *take, void *user)
{
    uint32_t vector = a2xx_result_mask(alu, A2XX_UNIT_VECTOR);
    uint32_t scalar = a2xx_result_mask(alu, A2XX_UNIT_SCALAR);
    if (alu->export_data) {
        take_place(take, user, "export", "aL", alu->vector_dest, alu->vector_dest_rel,
                   a2xx_export_mask(alu));
        return;
    }
    if (vector)
        take_place(take, user, "R", "aL", alu->vector_dest, alu->vector_dest_rel, vector);
    if (scalar)
        take_place(take, user, "R", "aL", alu->scalar_dest, alu->scalar_dest_rel, scalar);
}

void a2xx_each_write(const struct a2xx_insn *insn, a2xx_place_taker *take, void *user)
{
    if (insn->form == A2XX_FORM_VERTEX || insn->form == A2XX_FORM_TEXTURE) {
        struct a2xx_fetch_register result = a2xx_fetch_result(&insn->fetch);
        if (result.components)
            take_place(take, user, "R", "aL", result.number, result.relative, result.components);
    }
    if (insn->form != A2XX_FORM_ALU)
        return;
    unsigned effects = effects_of(&insn->alu);
    each_result(&insn->alu, take, user);
    if (!a2xx_scalar_is_idle(&insn->alu))
        take(user, "ps");
    if (effects & A2XX_SETS_PREDICATE)
        take(user, "p0");
    if (effects & A2XX_SETS_ADDRESS)
        take(user, "a0");
    if (effects & A2XX_KILLS)
        take(user, "kill");
}

/* --- the comment: ALU --- */

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
    put_place(text, alu->export_data ? "export" : "R", "aL",
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

/* One component of source 3: the one chosen for slot w is a, the one for x is b. */
static void put_component(struct text *text, const struct a2xx_alu *alu, const char *name,
                          unsigned slot)
{
    struct a2xx_source source = a2xx_source_get(alu, 3);
    text_put(text, "%s = ", name);
    if (slot == 0 && a2xx_is_const_op(alu->scalar_opc))
        text_put(text, "R%u.%c", a2xx_const_op_register(alu),
                 components[a2xx_swizzle(source.swizzle, slot)]);
    else
        a2xx_put_component(text, alu, &source, slot);
}

static void put_scalar(struct text *text, const struct a2xx_alu *alu)
{
    const struct a2xx_op *op = &a2xx_scalar_ops[alu->scalar_opc];
    if (a2xx_scalar_is_idle(alu))
        return;
    text_put(text, "scalar: %s", op->mnemonic ? op->words : undefined);
    if (op->sources > 0 || !op->mnemonic) {
        text_put(text, ", where ");
        put_component(text, alu, "a", 3);
    }
    if (op->sources > 1) {
        text_put(text, ", ");
        put_component(text, alu, "b", 0);
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
        {"become 1, for both masks have them",  a2xx_export_ones(alu) },
        {"become 0, for neither mask has them", a2xx_export_zeros(alu)},
    };
    for (size_t i = 0; i < sizeof constants / sizeof constants[0]; i++) {
        if (!constants[i].mask)
            continue;
        text_put(text, "- export%u.", (unsigned)alu->vector_dest);
        put_mask(text, constants[i].mask);
        text_put(text, ": these components %s\n", constants[i].words);
    }
}

static const char *export_words(uint32_t number)
{
    switch (number) {
    case A2XX_EXPORT_ADDRESS: return "where memory exports go";
    case A2XX_EXPORT_DEPTH: return "depth, of pixels";
    case A2XX_EXPORT_POSITION: return "position, of vertices";
    case A2XX_EXPORT_POINT: return "point size, edge flag and kill, of vertices";
    default: break;
    }
    if (number >= A2XX_EXPORT_DATA && number <= A2XX_EXPORT_DATA_LAST)
        return "data of memory exports";
    return number < A2XX_EXPORT_PARAMETERS ? "a parameter of vertices, or a colour of pixels"
                                           : "no export that is known";
}

static void put_alu(struct text *text, const struct a2xx_alu *alu)
{
    put_vector(text, alu);
    put_scalar(text, alu);
    put_export(text, alu);
    if (alu->export_data)
        text_put(text, "- export%u: %s\n", (unsigned)alu->vector_dest,
                 export_words(alu->vector_dest));
    if (alu->is_predicated)
        text_put(text, "- runs only where p0 is %u\n", (unsigned)alu->pred_condition);
    if (alu->address_mode && !alu->const_0_rel && !alu->const_1_rel)
        text_put(text, "- bit 61: constants are numbered from the start of the file, as Mesa's "
                       "binning programs want it\n");
}

/* --- the comment: fetches --- */

static void put_vertex(struct text *text, const struct a2xx_insn *insn)
{
    const struct a2xx_vertex *vertex = &insn->fetch.vertex;
    const char *unit = insn->variant == TESS_A2XX_XENOS ? "dwords" : "bytes";
    const char *format = a2xx_formats[insn->variant][vertex->format].name;
    text_put(text, "fetch: %s, from vertex constant %u, ", format ? format : "an undefined format",
             (unsigned)(vertex->const_index * 3 + vertex->const_sel));
    text_put(text, "element ");
    put_place(text, "R", "aL", vertex->src_reg, vertex->src_rel, 1u << vertex->src_swiz);
    text_put(text, " of %u %s each, %d %s in, to ", (unsigned)vertex->stride, unit,
             (int)a2xx_signed(vertex->offset | vertex->offset_sign << 22, 23), unit);
    put_place(text, "R", "aL", vertex->dst_reg, vertex->dst_rel, 0);
    text_put(text, " as ");
    put_swizzle(text, vertex->dst_swiz, 3, 4, false);
    text_put(text, "\n");
    if (insn->variant == TESS_A2XX_XENOS && vertex->mini_fetch)
        text_put(text, "- a mini fetch: buffer, index and stride are those of the last full one\n");
}

static void put_texture(struct text *text, const struct a2xx_texture *texture)
{
    const struct a2xx_op *op = &a2xx_fetch_ops[texture->opcode];
    text_put(text, "fetch: %s, with texture constant %u and coordinates R",
             op->mnemonic ? op->words : undefined, (unsigned)texture->const_index);
    text_put(text, texture->src_rel ? "[aL+%u]." : "%u.", (unsigned)texture->src_reg);
    put_swizzle(text, texture->src_swiz, 2, 3, false);
    text_put(text, ", to ");
    put_place(text, "R", "aL", texture->dst_reg, texture->dst_rel, 0);
    text_put(text, " as ");
    put_swizzle(text, texture->dst_swiz, 3, 4, false);
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

/* --- the comment: control flow --- */

static void put_exec(struct text *text, const struct a2xx_exec *exec)
{
    if (exec->count)
        text_put(text, "- %u instructions from slot %u on\n", (unsigned)exec->count,
                 (unsigned)exec->address);
    else
        text_put(text, "- no instructions\n");
    if (a2xx_is_boolean_exec(exec->opcode))
        text_put(text, "- only if boolean constant %u is %u\n", (unsigned)exec->bool_address,
                 (unsigned)exec->condition);
    if (a2xx_is_predicated_exec(exec->opcode))
        text_put(text, "- only where p0 is %u\n", (unsigned)exec->condition);
    if (a2xx_is_end(exec->opcode) && exec->opcode != A2XX_CF_EXEC_END)
        text_put(text, "- the program goes on if the condition does not hold\n");
    if (exec->count > A2XX_CLAUSE_MAX)
        text_put(text, "- the seventh instruction has no sequence bits\n");
}

static void put_jump(struct text *text, const struct a2xx_jump *jump)
{
    if (jump->opcode != A2XX_CF_RETURN)
        text_put(text, "- to control-flow instruction %u\n", (unsigned)jump->address);
    if (jump->unconditional)
        text_put(text, "- whatever the condition\n");
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
    text_put(text, "- goes to control-flow instruction %u\n", (unsigned)loop->address);
    if (loop->predicated_break)
        text_put(text, "- LOOP_END leaves the loop if p0 is %u everywhere\n",
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
        text_put(text, "- %s, %u of them\n",
                 a2xx_value_name(A2XX_KIND_BUFFER, cf->alloc.buffer_select),
                 (unsigned)cf->alloc.size + 1);
        break;
    default: break;
    }
}

void a2xx_put_comment(struct text *text, const struct a2xx_insn *insn)
{
    size_t start = text->length;
    if (insn->form == A2XX_FORM_ALU)
        put_alu(text, &insn->alu);
    else if (insn->form == A2XX_FORM_VERTEX || insn->form == A2XX_FORM_TEXTURE)
        put_fetch(text, insn);
    else
        put_cf(text, &insn->cf);
    if (text->length == start)
        text_put(text, "nothing\n");
}
