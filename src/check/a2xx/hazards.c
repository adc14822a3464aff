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
#include "check/a2xx/a2xx_check_state.h"

/* --- reading registers --- */

/* The kind of the instruction that reads a register. */
enum reader { BY_ALU, BY_VERTEX, BY_TEXTURE };

/* Returns true if the fetch that has written the register is of the same kind as the reader. */
static bool is_chain(const struct a2c_walk *walk, unsigned reg, enum reader reader)
{
    const uint32_t *words = a2c_words(walk->checker, walk->state->fetch_at[reg]);
    bool vertex = a2xx_decode_fetch(words).form == A2XX_FORM_VERTEX;
    return reader == (vertex ? BY_VERTEX : BY_TEXTURE);
}

static void check_landed(struct a2c_walk *walk, unsigned reg, unsigned components,
                         enum reader reader)
{
    const struct a2c_state *state = walk->state;
    unsigned fetched = a2c_get(&state->by_fetch, reg) & components,
             computed = a2c_get(&state->by_alu, reg) & components;
    char text[A2C_COMPONENTS_MAX];
    if (fetched)
        check_report(&walk->checker->out,
                     is_chain(walk, reg, reader) ? CHECK_A2XX_FETCH_CHAIN : CHECK_A2XX_FETCH_RESULT,
                     walk->slot, CHECK_OTHER(state->fetch_at[reg], 0, reg),
                     "R%u.%s is read without (S), but comes from a fetch", reg,
                     a2c_components(text, fetched));
    if (computed && reader != BY_ALU)
        check_report(&walk->checker->out, CHECK_A2XX_ALU_RESULT, walk->slot,
                     CHECK_OTHER(state->alu_at[reg], 0, reg),
                     "the fetch reads R%u.%s without (S), but it comes from an ALU instruction",
                     reg, a2c_components(text, computed));
}

static void check_read(struct a2c_walk *walk, unsigned reg, unsigned components, enum reader reader)
{
    unsigned written = a2c_get(&walk->state->written, reg), missing = components & ~written;
    char text[A2C_COMPONENTS_MAX];
    if (missing)
        check_report(&walk->checker->out,
                     written ? CHECK_A2XX_COMPONENT_UNWRITTEN : CHECK_A2XX_REGISTER_UNWRITTEN,
                     walk->slot, CHECK_SUBJECT(reg), "R%u.%s is read, but has not been written",
                     reg, a2c_components(text, missing));
    check_landed(walk, reg, components, reader);
}

/* --- a0, aL --- */

static void check_a0(struct a2c_walk *walk, bool sets)
{
    const struct a2c_state *state = walk->state;
    uint32_t place = walk->slot;
    if (sets)
        check_report_title(&walk->checker->out, CHECK_A2XX_A0_SAME, place, CHECK_ALONE);
    else if (state->a0 & MAY_LOST)
        check_report(&walk->checker->out, CHECK_A2XX_A0_LOST, place,
                     CHECK_OTHER(state->a0_at, 0, 0),
                     "a0 is set before (S), ALLOC or a fetch, but used after it");
    else if (!(state->a0 & MAY_SET))
        check_report_title(&walk->checker->out, CHECK_A2XX_A0_UNSET, place, CHECK_ALONE);
}

static void check_al(struct a2c_walk *walk)
{
    if (walk->state->loop_depth == 0)
        check_report_title(&walk->checker->out, CHECK_A2XX_AL_OUTSIDE, walk->slot, CHECK_ALONE);
}

static void check_relative_register(struct a2c_walk *walk, const struct a2xx_exec *exec)
{
    if (exec->address_mode)
        check_report(&walk->checker->out, CHECK_A2XX_REGISTER_A0, walk->slot,
                     CHECK_OTHER(a2c_cf(walk->cf), 0, 0),
                     "a register is relative to aL, but the clause has ABSOLUTE_ADDR");
    else
        check_al(walk);
}

/* --- predicate --- */

static void check_predicate(struct a2c_walk *walk, uint32_t place)
{
    if (!(walk->state->predicate & MAY_SET))
        check_report_title(&walk->checker->out, CHECK_A2XX_PREDICATE_UNSET, place, CHECK_ALONE);
}

void a2c_step_test(struct a2c_walk *walk)
{
    if (walk->report)
        check_predicate(walk, a2c_cf(walk->cf));
}

/* Compares the instruction's condition with that of its clause. */
static void check_condition(struct a2c_walk *walk, bool predicated, bool condition)
{
    const struct a2xx_exec *exec = &walk->checker->cfs[walk->cf].exec;
    const struct check_about clause = CHECK_OTHER(a2c_cf(walk->cf), 0, 0);
    uint32_t place = walk->slot;
    if (predicated)
        check_predicate(walk, place);
    if (!a2xx_is_predicated_exec(exec->opcode))
        return;
    if (!predicated)
        check_report(&walk->checker->out, CHECK_A2XX_PREDICATE_MISSING, place, clause,
                     "the clause is predicated, but this instruction is not");
    else if (condition != exec->condition)
        check_report(
            &walk->checker->out, CHECK_A2XX_PREDICATE_CONTRARY, place, clause,
            "the clause is executed where the predicate is %u, but this instruction where it is %u",
            exec->condition, condition);
}

/* --- ALU instructions --- */

static void check_operands(struct a2c_walk *walk, const struct a2xx_alu *alu,
                           const struct a2xx_exec *exec, unsigned effects)
{
    struct a2xx_operand list[A2XX_OPERANDS_MAX];
    unsigned count = a2xx_operands(alu, walk->checker->variant, list);
    for (unsigned i = 0; i < count; i++) {
        const struct a2xx_operand *operand = &list[i];
        if (!operand->constant && !operand->relative)
            check_read(walk, operand->number, operand->components, BY_ALU);
        else if (!operand->constant)
            check_relative_register(walk, exec);
        else if (operand->relative && alu->address_mode)
            check_a0(walk, effects & A2XX_SETS_ADDRESS);
        else if (operand->relative)
            check_al(walk);
    }
}

static void check_alu(struct a2c_walk *walk, const struct a2xx_alu *alu,
                      const struct a2xx_exec *exec, unsigned effects)
{
    bool previous = a2xx_works(alu, A2XX_UNIT_SCALAR) &&
                    a2xx_scalar_effects(alu->scalar_opc) & A2XX_READS_PREVIOUS;
    check_operands(walk, alu, exec, effects);
    check_condition(walk, alu->is_predicated, alu->pred_condition);
    bool vector_relative = alu->vector_dest_rel && alu->vector_write_mask;
    bool scalar_relative = alu->scalar_dest_rel && alu->scalar_write_mask && !alu->export_data;
    if (vector_relative || scalar_relative)
        check_relative_register(walk, exec);
    if (previous && walk->state->ps & MAY_LOST)
        check_report_title(&walk->checker->out, CHECK_A2XX_PS_IDLE, walk->slot, CHECK_ALONE);
    else if (previous && !(walk->state->ps & MAY_SET))
        check_report_title(&walk->checker->out, CHECK_A2XX_PS_UNSET, walk->slot, CHECK_ALONE);
}

static void write_register(struct a2c_walk *walk, unsigned reg, bool relative, unsigned components)
{
    struct a2c_state *state = walk->state;
    if (relative && components) {
        for (unsigned i = 0; i < SET_WORDS; i++)
            state->written.bits[i] = UINT64_MAX;
        return;
    }
    a2c_put(&state->written, reg, components);
    a2c_put(&state->by_alu, reg, components);
    if (components)
        state->alu_at[reg] = (uint16_t)walk->slot;
}

/* Sets the possible states of a value. If the instruction is predicated, the old states remain
 * possible. */
static void set_bits(uint8_t *bits, bool predicated, uint8_t value)
{
    *bits = predicated ? *bits | value : value;
}

static void write_alu(struct a2c_walk *walk, const struct a2xx_alu *alu, unsigned effects)
{
    struct a2c_state *state = walk->state;
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
        state->a0_at = (uint16_t)walk->slot;
    }
    if (alu->scalar_opc != A2XX_S_RETAIN_PREV)
        set_bits(&state->ps, alu->is_predicated, a2xx_scalar_is_idle(alu) ? MAY_LOST : MAY_SET);
}

/* Waits for all earlier results if the instruction has (S). */
static void serialize(struct a2c_walk *walk)
{
    if (!walk->serialized)
        return;
    a2c_land(walk->state);
    a2c_lose(&walk->state->a0);
    a2c_lose(&walk->state->memory);
}

/* Returns true if the ALU instruction reads a fetch result without (S). Such a read has already
 * been reported. The caller then marks all results as available, because the missing (S) would also
 * have made them available to later instructions. */
static bool reads_fetched(const struct a2c_walk *walk, const struct a2xx_alu *alu)
{
    struct a2xx_operand list[A2XX_OPERANDS_MAX];
    unsigned count = a2xx_operands(alu, walk->checker->variant, list);
    for (unsigned i = 0; i < count; i++)
        if (!list[i].constant && !list[i].relative &&
            a2c_get(&walk->state->by_fetch, list[i].number) & list[i].components)
            return true;
    return false;
}

void a2c_step_alu(struct a2c_walk *walk, const struct a2xx_exec *exec)
{
    struct a2xx_alu alu = a2xx_decode_alu(a2c_words(walk->checker, walk->slot));
    unsigned effects = a2xx_vector_effects(alu.vector_opc) | a2xx_scalar_effects(alu.scalar_opc);
    serialize(walk);
    if (walk->report)
        check_alu(walk, &alu, exec, effects);
    if (reads_fetched(walk, &alu))
        a2c_land(walk->state);
    a2c_step_export(walk, &alu);
    write_alu(walk, &alu, effects);
}

/* --- fetches --- */

static void check_fetch(struct a2c_walk *walk, const struct a2xx_fetch *fetch)
{
    struct a2c_checker *checker = walk->checker;
    const struct a2xx_exec *exec = &checker->cfs[walk->cf].exec;
    struct a2xx_fetch_register source = a2xx_fetch_source(fetch, checker->variant),
                               result = a2xx_fetch_result(fetch);
    bool condition, predicated = a2xx_fetch_is_predicated(fetch, &condition);
    if (!source.relative)
        check_read(walk, source.number, source.components,
                   fetch->form == A2XX_FORM_VERTEX ? BY_VERTEX : BY_TEXTURE);
    if (source.relative || (result.relative && result.components))
        check_relative_register(walk, exec);
    check_condition(walk, predicated, condition);
    if (a2xx_is_mini_fetch(fetch, checker->variant) && !walk->state->full_fetch)
        check_report_title(&checker->out, CHECK_A2XX_FETCH_MINI, walk->slot, CHECK_ALONE);
    if (fetch->form == A2XX_FORM_VERTEX && walk->state->fetch_done)
        check_report_title(&checker->out, CHECK_A2XX_FETCH_DONE, walk->slot, CHECK_ALONE);
}

void a2c_step_fetch(struct a2c_walk *walk)
{
    struct a2c_state *state = walk->state;
    struct a2xx_fetch fetch = a2xx_decode_fetch(a2c_words(walk->checker, walk->slot));
    struct a2xx_fetch_register source = a2xx_fetch_source(&fetch, walk->checker->variant),
                               result = a2xx_fetch_result(&fetch);
    serialize(walk);
    if (walk->report)
        check_fetch(walk, &fetch);
    unsigned pending = a2c_get(&state->by_fetch, source.number) |
                       a2c_get(&state->by_alu, source.number);
    if (!source.relative && pending & source.components)
        a2c_land(walk->state);
    a2c_lose(&state->a0);
    if (fetch.form == A2XX_FORM_VERTEX && !a2xx_is_mini_fetch(&fetch, walk->checker->variant))
        state->full_fetch = true;
    if (result.relative && result.components) {
        for (unsigned i = 0; i < SET_WORDS; i++)
            state->written.bits[i] = UINT64_MAX;
        return;
    }
    a2c_put(&state->written, result.number, result.components);
    a2c_put(&state->by_fetch, result.number, result.components);
    a2c_take(&state->by_alu, result.number, result.components);
    if (result.components)
        state->fetch_at[result.number] = (uint16_t)walk->slot;
}
