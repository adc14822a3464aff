/* SPDX-License-Identifier: MIT */
/* round.c - see round.h. */
#include "isa/a2xx/round.h"

/* For each register, a mask of the components that an iteration of the loop reads before it writes
 * them, and a mask of the components that it writes. */
struct round {
    uint8_t read[A2XX_REGISTERS], written[A2XX_REGISTERS];
};

static void note_read(struct round *round, unsigned number, unsigned components)
{
    round->read[number] |= (uint8_t)(components & ~(unsigned)round->written[number]);
}

static void note_write(struct round *round, unsigned number, unsigned components)
{
    round->written[number] |= (uint8_t)components;
}

static void note_fetch(struct round *round, const struct a2xx_fetch *fetch,
                       enum tess_a2xx_variant variant)
{
    struct a2xx_fetch_register source = a2xx_fetch_source(fetch, variant),
                               result = a2xx_fetch_result(fetch);
    if (!source.relative)
        note_read(round, source.number, source.components);
    if (!result.relative)
        note_write(round, result.number, result.components);
}

static void note_alu(struct round *round, const struct a2xx_alu *alu,
                     enum tess_a2xx_variant variant)
{
    struct a2xx_operand operands[A2XX_OPERANDS_MAX];
    unsigned count = a2xx_operands(alu, variant, operands);
    for (unsigned i = 0; i < count; i++)
        if (!operands[i].constant && !operands[i].relative)
            note_read(round, operands[i].number, operands[i].components);
    if (alu->export_data)
        return;
    if (!alu->vector_dest_rel)
        note_write(round, alu->vector_dest, a2xx_result_mask(alu, A2XX_UNIT_VECTOR));
    if (!alu->scalar_dest_rel)
        note_write(round, alu->scalar_dest, a2xx_result_mask(alu, A2XX_UNIT_SCALAR));
}

static void note_slot(struct round *round, const struct a2xx_body *body, uint32_t slot, bool fetch,
                      bool condition)
{
    const uint32_t *words = body->words + (size_t)slot * A2XX_WORDS;
    struct a2xx_fetch fields = a2xx_decode_fetch(words);
    struct a2xx_alu alu = a2xx_decode_alu(words);
    if (fetch && !a2xx_fetch_rests(&fields, condition))
        note_fetch(round, &fields, body->variant);
    else if (!fetch && !a2xx_alu_rests(&alu, condition))
        note_alu(round, &alu, body->variant);
}

static void note_clause(struct round *round, const struct a2xx_body *body,
                        const struct a2xx_exec *exec, bool condition)
{
    for (uint32_t i = 0; i < exec->count && exec->address + i < body->slots; i++)
        note_slot(round, body, exec->address + i, a2xx_is_fetch(exec, i), condition);
}

unsigned a2xx_changed_by_round(const struct a2xx_body *body, uint32_t cf)
{
    const struct a2xx_loop *loop = &body->cfs[cf].loop;
    struct round round = {0};
    unsigned number = 0;
    for (uint32_t at = loop->address; at < cf && at < body->cf_count; at++) {
        const struct a2xx_cf *inside = &body->cfs[at];
        if (inside->form != A2XX_FORM_EXEC && inside->form != A2XX_FORM_NOP)
            return A2XX_REGISTERS;
        if (inside->form == A2XX_FORM_EXEC)
            note_clause(&round, body, &inside->exec, loop->condition);
    }
    while (number < A2XX_REGISTERS && !(round.read[number] & round.written[number]))
        number++;
    return number;
}
