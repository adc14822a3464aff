/* SPDX-License-Identifier: MIT */
/* breaks.c - rules about predicated breaks of loops whose condition differs between lanes.
 *
 * In:     the words of a program, and its reached control flow.
 * Out: findings: a further iteration changes registers of lanes whose break condition already
 *      holds.
 * Source: docs/hardware/a2xx.md, sections 4 and 27: a loop ends only when the break condition holds
 * in all lanes. Choice: a predicate that is computed from constants only is the same in all lanes.
 * Constants relative to a0 can differ between lanes if a0 can differ. Registers relative to aL are
 * always assumed to differ. */
#include "check/a2xx/a2xx_check_state.h"
#include "isa/a2xx/round.h"

/* Registers and other state that may differ between lanes. The analysis only adds to this set, so
 * that it ends. */
struct different {
    struct a2c_set registers;
    bool predicate, a0, ps;
};

/* Result of values_of(). */
struct values {
    /* true for each unit, by enum a2xx_unit, whose result may differ between lanes */
    bool differs[2];
};

static struct values values_of(const struct a2c_checker *checker, const struct different *different,
                               const struct a2xx_alu *alu, bool predicated)
{
    struct a2xx_operand list[A2XX_OPERANDS_MAX];
    bool previous = a2xx_scalar_effects(alu->scalar_opc) & A2XX_READS_PREVIOUS;
    bool stays = predicated && different->predicate;
    struct values values = {{stays, stays || (previous && different->ps)}};
    unsigned count = a2xx_operands(alu, checker->variant, list);
    for (unsigned i = 0; i < count; i++) {
        const struct a2xx_operand *operand = &list[i];
        bool from = a2c_get(&different->registers, operand->number) & operand->components;
        bool relative = !operand->constant || (alu->address_mode && different->a0);
        values.differs[operand->by] |= operand->relative ? relative : !operand->constant && from;
    }
    return values;
}

static void note_result(struct different *different, unsigned reg, bool relative,
                        unsigned components)
{
    for (unsigned i = 0; i < SET_WORDS && relative && components; i++)
        different->registers.bits[i] = UINT64_MAX;
    a2c_put(&different->registers, reg, components);
}

static void note_effects(struct different *different, unsigned effects, bool differs)
{
    different->predicate |= differs && effects & A2XX_SETS_PREDICATE;
    different->a0 |= differs && effects & A2XX_SETS_ADDRESS;
}

static void note_alu(const struct a2c_checker *checker, struct different *different,
                     const struct a2xx_alu *alu, bool clause)
{
    struct values values = values_of(checker, different, alu, clause || alu->is_predicated);
    bool vector = values.differs[A2XX_UNIT_VECTOR], scalar = values.differs[A2XX_UNIT_SCALAR];
    note_effects(different, a2xx_vector_effects(alu->vector_opc), vector);
    note_effects(different, a2xx_scalar_effects(alu->scalar_opc), scalar);
    different->ps |= scalar;
    if (vector && !alu->export_data)
        note_result(different, alu->vector_dest, alu->vector_dest_rel,
                    a2xx_result_mask(alu, A2XX_UNIT_VECTOR));
    if (scalar && !alu->export_data)
        note_result(different, alu->scalar_dest, alu->scalar_dest_rel,
                    a2xx_result_mask(alu, A2XX_UNIT_SCALAR));
}

static void note_fetch(struct different *different, const struct a2xx_fetch *fetch,
                       enum tess_a2xx_variant variant, bool clause)
{
    struct a2xx_fetch_register source = a2xx_fetch_source(fetch, variant),
                               result = a2xx_fetch_result(fetch);
    bool condition, predicated = a2xx_fetch_is_predicated(fetch, &condition) || clause;
    bool mini = a2xx_is_mini_fetch(fetch, variant); /* a mini fetch uses the index that the last
                                                     * full fetch has read */
    if (mini || source.relative ||
        a2c_get(&different->registers, source.number) & source.components ||
        (predicated && different->predicate))
        note_result(different, result.number, result.relative, result.components);
}

static void note_clause(const struct a2c_checker *checker, const struct a2xx_exec *exec,
                        struct different *different)
{
    uint32_t count = a2c_count(checker, exec);
    bool predicated = a2xx_is_predicated_exec(exec->opcode);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *words = a2c_words(checker, exec->address + i);
        struct a2xx_fetch fetch = a2xx_decode_fetch(words);
        struct a2xx_alu alu = a2xx_decode_alu(words);
        if (a2xx_is_fetch(exec, i))
            note_fetch(different, &fetch, checker->variant, predicated);
        else
            note_alu(checker, different, &alu, predicated);
    }
}

static bool is_equal(const struct different *a, const struct different *b)
{
    bool same = a->predicate == b->predicate && a->a0 == b->a0 && a->ps == b->ps;
    for (unsigned i = 0; i < SET_WORDS; i++)
        same &= a->registers.bits[i] == b->registers.bits[i];
    return same;
}

/* Returns true if the predicate may differ between lanes. All inputs of a program may differ. */
static bool predicate_differs(const struct a2c_checker *checker)
{
    struct a2c_state start = {0};
    struct different now, before;
    a2c_state_begin(&start, checker);
    now = (struct different){.registers = start.written};
    do {
        before = now;
        for (uint32_t i = 0; i < checker->cf_count; i++)
            if (checker->cfs[i].form == A2XX_FORM_EXEC)
                note_clause(checker, &checker->cfs[i].exec, &now);
    } while (!is_equal(&now, &before));
    return now.predicate;
}

static bool is_break(const struct a2c_checker *checker, uint32_t cf)
{
    return checker->reached[cf] && checker->cfs[cf].opcode == A2XX_CF_LOOP_END &&
           checker->cfs[cf].loop.predicated_break;
}

void a2c_check_breaks(const struct a2c_walk *walk)
{
    struct a2c_checker *checker = walk->checker;
    const struct a2xx_body body = {.words = checker->words,
                                   .slots = checker->slots,
                                   .cfs = checker->cfs,
                                   .cf_count = checker->cf_count,
                                   .variant = checker->variant};
    bool asked = false, differs = false;
    for (uint32_t i = 0; i < checker->cf_count; i++) {
        unsigned number = is_break(checker, i) ? a2xx_changed_by_round(&body, i) : A2XX_REGISTERS;
        if (number < A2XX_REGISTERS && !asked)
            differs = predicate_differs(checker);
        asked |= number < A2XX_REGISTERS;
        if (number < A2XX_REGISTERS && differs)
            check_report(
                &checker->out, CHECK_A2XX_DIVERGENT, a2c_cf(i), CHECK_SUBJECT(number),
                "the loop ends only when all lanes meet the break condition, and a further "
                "iteration changes R%u of lanes that already meet it",
                number);
    }
}
