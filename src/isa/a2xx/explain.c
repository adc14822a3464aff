/* SPDX-License-Identifier: MIT */
/* explain.c - see explain.h. comment.c writes the effect.
 *
 * In:      any instruction.
 * Out: the fields of the instruction, and the registers and constants that it reads and writes.
 * Source:  fields.def and ops.def; docs/hardware/a2xx.md, sections 4 to 15. */
#include "isa/a2xx/explain.h"

#include "isa/a2xx/a2xx_isa.h"
#include "isa/a2xx/facts.h"
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

/* Returns the struct of the instruction's form, whose members are the fields. */
static const void *form_of(const struct a2xx_insn *insn)
{
    switch (insn->form) {
    case A2XX_FORM_ALU: return &insn->alu;
    case A2XX_FORM_VERTEX: return &insn->fetch.vertex;
    case A2XX_FORM_TEXTURE: return &insn->fetch.texture;
    /* all control-flow structs start at the same address in the union */
    default: return &insn->cf.exec;
    }
}

static void put_operation(struct text *text, const struct a2xx_op *op)
{
    if (op->mnemonic)
        text_put(text, "%s: %s", op->mnemonic, op->words);
    else
        text_put(text, "%s", undefined);
}

void a2xx_put_mask(struct text *text, uint32_t mask)
{
    for (unsigned i = 0; i < 4; i++)
        text_put(text, "%c", mask >> i & 1 ? components[i] : '_');
}

void a2xx_put_swizzle(struct text *text, uint32_t swizzle, unsigned bits, unsigned count,
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
    text_put(text, "%s", name ? name : of_constant ? "taken from the fetch constant" : undefined);
}

/* Writes the meaning of a field's value. Writes nothing if the number needs no explanation. */
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
    case A2XX_KIND_MASK: a2xx_put_mask(text, value); break;
    case A2XX_KIND_SWIZZLE: a2xx_put_swizzle(text, value, 2, 4, true); break;
    case A2XX_KIND_COMPONENT: a2xx_put_swizzle(text, value, 2, 1, false); break;
    case A2XX_KIND_COMPONENTS: a2xx_put_swizzle(text, value, 2, 3, false); break;
    case A2XX_KIND_FETCH_SWIZZLE: a2xx_put_swizzle(text, value, 3, 4, false); break;
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

/* --- places that are read and written --- */

static void take_place(a2xx_place_taker *take, void *user, const char *file, const char *index,
                       uint32_t number, bool relative, uint32_t mask)
{
    char place[PLACE_MAX];
    struct text text = {place, sizeof place, 0};
    a2xx_put_place(&text, file, index, number, relative, mask);
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
    if (source.components)
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
    unsigned count = insn->form == A2XX_FORM_ALU
                         ? a2xx_operands(&insn->alu, insn->variant, operands)
                         : 0;
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
