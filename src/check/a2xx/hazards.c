/* SPDX-License-Identifier: MIT */
/* hazards.c - rules about state that earlier instructions have set: registers, fetch results, the
 * predicate, a0 and ps.
 *
 * In:     an instruction of a clause, and the state before it.
 * Out:    findings, and the state after the instruction.
 * Source: docs/hardware/a2xx.md, sections 4, 12, 13 and 21. Choice: (S) and ALLOC wait for results.
 * The first listing on freedreno's wiki and Qualcomm's programs (freedreno, shaders/NOTES) use
 * fetch results after ALLOC without (S). Reads relative to aL are not checked. After a write
 * relative to aL, every register counts as written. A predicated write counts as a write. */
#include <string.h>

#include "check/a2xx/a2xx_check_state.h"

/* --- reading registers --- */

/* Returns the components in the set that an operand reads from its register. */
static unsigned reads(const struct a2xx_operand *operand, const struct a2c_set *set)
{
    bool known = !operand->constant && !operand->relative;
    return known ? operand->components & a2c_get(set, operand->number) : 0;
}

/* Reports components without a value. One rule is about registers that have other components with a
 * value. */
void a2c_check_unwritten(const struct a2c_walk *walk, enum check_rule rule)
{
    bool partly = rule == CHECK_A2XX_COMPONENT_UNWRITTEN;
    char text[A2C_COMPONENTS_MAX];
    for (unsigned i = 0; i < walk->operand_count; i++) {
        const struct a2xx_operand *operand = &walk->operands[i];
        unsigned written = a2c_get(&walk->state->written, operand->number);
        unsigned missing = operand->components & ~written;
        if (!operand->constant && !operand->relative && missing && partly == (written != 0))
            REPORT(walk, rule, CHECK_SUBJECT(operand->number),
                   "R%u.%s is read, but has not been written", operand->number,
                   a2c_components(text, missing));
    }
}

/* Returns true if the instruction and the fetch that has written the register are fetches of the
 * same kind. */
static bool is_chain(const struct a2c_walk *walk, unsigned reg)
{
    const uint32_t *words = a2c_words(walk->checker, walk->state->fetch_at[reg]);
    return walk->fetch && (walk->fetch->form == A2XX_FORM_VERTEX) ==
                              (a2xx_decode_fetch(words).form == A2XX_FORM_VERTEX);
}

void a2c_check_fetched(const struct a2c_walk *walk, enum check_rule rule)
{
    bool chain = rule == CHECK_A2XX_FETCH_CHAIN;
    const struct a2c_state *state = walk->state;
    char text[A2C_COMPONENTS_MAX];
    for (unsigned i = 0; i < walk->operand_count; i++) {
        unsigned reg = walk->operands[i].number;
        unsigned fetched = reads(&walk->operands[i], &state->by_fetch);
        if (fetched && chain == is_chain(walk, reg))
            REPORT(walk, rule, CHECK_OTHER(state->fetch_at[reg], 0, reg),
                   "R%u.%s is read without (S), but comes from a fetch", reg,
                   a2c_components(text, fetched));
    }
}

void a2c_check_alu_results(const struct a2c_walk *walk)
{
    const struct a2c_state *state = walk->state;
    unsigned reg = walk->operands[0].number;
    unsigned computed = walk->fetch ? reads(&walk->operands[0], &state->by_alu) : 0;
    char text[A2C_COMPONENTS_MAX];
    if (computed)
        REPORT(walk, CHECK_A2XX_ALU_RESULT, CHECK_OTHER(state->alu_at[reg], 0, reg),
               "the fetch reads R%u.%s without (S), but it comes from an ALU instruction", reg,
               a2c_components(text, computed));
}

/* --- a0, aL --- */

static unsigned effects_of(const struct a2xx_alu *alu)
{
    return a2xx_vector_effects(alu->vector_opc) | a2xx_scalar_effects(alu->scalar_opc);
}

static bool has_relative_constant(const struct a2c_walk *walk)
{
    for (unsigned i = 0; i < walk->operand_count; i++)
        if (walk->operands[i].relative && walk->operands[i].constant)
            return true;
    return false;
}

/* Returns true if a constant is relative to an a0 that the instruction sets, or does not set. */
static bool uses_a0(const struct a2c_walk *walk, bool sets)
{
    return has_relative_constant(walk) && walk->alu->address_mode &&
           sets == ((effects_of(walk->alu) & A2XX_SETS_ADDRESS) != 0);
}

bool a2c_uses_new_a0(const struct a2c_walk *walk)
{
    return uses_a0(walk, true);
}

void a2c_check_lost_a0(const struct a2c_walk *walk)
{
    if (walk->state->a0 & MAY_LOST && uses_a0(walk, false))
        REPORT(walk, CHECK_A2XX_A0_LOST, CHECK_OTHER(walk->state->a0_at, 0, 0),
               "a0 is set before (S), ALLOC or a fetch, but used after it");
}

bool a2c_uses_unset_a0(const struct a2c_walk *walk)
{
    return !(walk->state->a0 & (MAY_LOST | MAY_SET)) && uses_a0(walk, false);
}

static bool has_relative_register(const struct a2c_walk *walk)
{
    const struct a2xx_alu *alu = walk->alu;
    bool relative = false;
    if (alu)
        relative = (alu->vector_dest_rel && alu->vector_write_mask) ||
                   (alu->scalar_dest_rel && alu->scalar_write_mask && !alu->export_data);
    if (walk->fetch) {
        struct a2xx_fetch_register result = a2xx_fetch_result(walk->fetch);
        relative = result.relative && result.components;
    }
    for (unsigned i = 0; i < walk->operand_count; i++)
        relative |= walk->operands[i].relative && !walk->operands[i].constant;
    return relative;
}

void a2c_check_absolute_register(const struct a2c_walk *walk)
{
    if (has_relative_register(walk) && walk->checker->cfs[walk->cf].exec.address_mode)
        REPORT(walk, CHECK_A2XX_REGISTER_A0, CHECK_OTHER(a2c_cf(walk->cf), 0, 0),
               "a register is relative to aL, but the clause has ABSOLUTE_ADDR");
}

bool a2c_uses_al_outside(const struct a2c_walk *walk)
{
    return walk->state->loop_depth == 0 &&
           ((has_relative_constant(walk) && !walk->alu->address_mode) ||
            (has_relative_register(walk) && !walk->checker->cfs[walk->cf].exec.address_mode));
}

/* --- predicate --- */

/* Returns true if the instruction of a clause is predicated, and sets *condition. */
static bool is_predicated(const struct a2c_walk *walk, bool *condition)
{
    *condition = walk->alu && walk->alu->pred_condition;
    return walk->alu ? walk->alu->is_predicated
                     : walk->fetch && a2xx_fetch_is_predicated(walk->fetch, condition);
}

/* Returns true if a control-flow instruction tests the predicate. */
static bool tests(const struct a2xx_cf *cf)
{
    switch (cf->opcode) {
    case A2XX_CF_LOOP_END: return cf->loop.predicated_break;
    case A2XX_CF_COND_CALL:
    case A2XX_CF_COND_JMP: return cf->jump.predicated && !cf->jump.unconditional;
    default: return a2xx_is_predicated_exec(cf->opcode);
    }
}

bool a2c_tests_unset_predicate(const struct a2c_walk *walk)
{
    const struct a2xx_cf *cf = a2c_control(walk);
    bool condition;
    return !(walk->state->predicate & MAY_SET) &&
           (cf ? tests(cf) : is_predicated(walk, &condition));
}

/* Compares the instruction's condition with that of its clause. */
void a2c_check_condition(const struct a2c_walk *walk, enum check_rule rule)
{
    const struct a2xx_exec *exec = &walk->checker->cfs[walk->cf].exec;
    const struct check_about clause = CHECK_OTHER(a2c_cf(walk->cf), 0, 0);
    bool condition, predicated = is_predicated(walk, &condition);
    if (a2c_control(walk) || !a2xx_is_predicated_exec(exec->opcode))
        return;
    if (rule == CHECK_A2XX_PREDICATE_MISSING && !predicated)
        REPORT(walk, rule, clause, "the clause is predicated, but this instruction is not");
    if (rule == CHECK_A2XX_PREDICATE_CONTRARY && predicated && condition != exec->condition)
        REPORT(
            walk, rule, clause,
            "the clause is executed where the predicate is %u, but this instruction where it is %u",
            exec->condition, condition);
}

/* --- ALU instructions --- */

static bool uses_ps(const struct a2c_walk *walk)
{
    return walk->alu && a2xx_works(walk->alu, A2XX_UNIT_SCALAR) &&
           a2xx_scalar_effects(walk->alu->scalar_opc) & A2XX_READS_PREVIOUS;
}

bool a2c_uses_idle_ps(const struct a2c_walk *walk)
{
    return uses_ps(walk) && walk->state->ps & MAY_LOST;
}

bool a2c_uses_unset_ps(const struct a2c_walk *walk)
{
    return uses_ps(walk) && !(walk->state->ps & (MAY_LOST | MAY_SET));
}

static void write_register(struct a2c_walk *walk, unsigned reg, bool relative, unsigned components)
{
    struct a2c_state *state = walk->state;
    if (relative && components) {
        memset(&state->written, 0xff, sizeof state->written);
        return;
    }
    a2c_put(&state->written, reg, components);
    a2c_put(&state->by_alu, reg, components);
    if (components)
        state->alu_at[reg] = (uint16_t)walk->at;
}

/* Sets the possible states of a value. If the instruction is predicated, the old states remain
 * possible. */
static void set_bits(uint8_t *bits, bool predicated, uint8_t value)
{
    *bits = predicated ? *bits | value : value;
}

static void write_alu(struct a2c_walk *walk, const struct a2xx_alu *alu)
{
    struct a2c_state *state = walk->state;
    unsigned effects = effects_of(alu);
    if (!alu->export_data) {
        write_register(walk, alu->vector_dest, alu->vector_dest_rel,
                       a2xx_result_mask(alu, A2XX_UNIT_VECTOR));
        write_register(walk, alu->scalar_dest, alu->scalar_dest_rel,
                       a2xx_result_mask(alu, A2XX_UNIT_SCALAR));
    }
    if (effects & A2XX_SETS_PREDICATE)
        set_bits(&state->predicate, alu->is_predicated, MAY_SET);
    if (effects & A2XX_SETS_ADDRESS) {
        set_bits(&state->a0, alu->is_predicated, MAY_SET);
        state->a0_at = (uint16_t)walk->at;
    }
    if (alu->scalar_opc != A2XX_S_RETAIN_PREV)
        set_bits(&state->ps, alu->is_predicated, a2xx_scalar_is_idle(alu) ? MAY_LOST : MAY_SET);
}

void a2c_serialize(struct a2c_state *state)
{
    a2c_land(state);
    a2c_lose(&state->a0);
    a2c_lose(&state->memory);
}

/* If the instruction reads a result without (S), marks all results as available, because the
 * missing (S) would also have made them available to later instructions. */
static void land_read(const struct a2c_walk *walk)
{
    struct a2c_state *state = walk->state;
    for (unsigned i = 0; i < walk->operand_count; i++)
        if (reads(&walk->operands[i], &state->by_fetch) ||
            (walk->fetch && reads(&walk->operands[i], &state->by_alu)))
            a2c_land(state);
}

void a2c_step_alu(struct a2c_walk *walk)
{
    land_read(walk);
    a2c_step_export(walk);
    write_alu(walk, walk->alu);
}

/* --- fetches --- */

bool a2c_lacks_full_fetch(const struct a2c_walk *walk)
{
    return walk->fetch && a2xx_is_mini_fetch(walk->fetch, walk->checker->variant) &&
           !walk->state->full_fetch;
}

bool a2c_fetches_after_done(const struct a2c_walk *walk)
{
    return walk->fetch && walk->fetch->form == A2XX_FORM_VERTEX && walk->state->fetch_done;
}

void a2c_step_fetch(struct a2c_walk *walk)
{
    struct a2c_state *state = walk->state;
    const struct a2xx_fetch *fetch = walk->fetch;
    struct a2xx_fetch_register result = a2xx_fetch_result(fetch);
    land_read(walk);
    a2c_lose(&state->a0);
    if (fetch->form == A2XX_FORM_VERTEX && !a2xx_is_mini_fetch(fetch, walk->checker->variant))
        state->full_fetch = true;
    if (result.relative && result.components) {
        memset(&state->written, 0xff, sizeof state->written);
        return;
    }
    a2c_put(&state->written, result.number, result.components);
    a2c_put(&state->by_fetch, result.number, result.components);
    a2c_take(&state->by_alu, result.number, result.components);
    if (result.components)
        state->fetch_at[result.number] = (uint16_t)walk->at;
}
