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

/* The kind of the instruction that reads a register. */
enum reader { BY_ALU, BY_VERTEX, BY_TEXTURE };

/* Returns true if the fetch that has written the register is of the same kind as the reader. */
static bool is_chain(const struct a2c_walk *walk, unsigned reg, enum reader reader)
{
    const uint32_t *words = a2c_words(walk->checker, walk->state->fetch_at[reg]);
    bool vertex = a2xx_decode_fetch(words).form == A2XX_FORM_VERTEX;
    return reader == (vertex ? BY_VERTEX : BY_TEXTURE);
}

static void check_landed(const struct a2c_walk *walk, unsigned reg, unsigned components,
                         enum reader reader)
{
    const struct a2c_state *state = walk->state;
    unsigned fetched = a2c_get(&state->by_fetch, reg) & components,
             computed = a2c_get(&state->by_alu, reg) & components;
    char text[A2C_COMPONENTS_MAX];
    if (fetched)
        REPORT(walk, is_chain(walk, reg, reader) ? CHECK_A2XX_FETCH_CHAIN : CHECK_A2XX_FETCH_RESULT,
               CHECK_OTHER(state->fetch_at[reg], 0, reg),
               "R%u.%s is read without (S), but comes from a fetch", reg,
               a2c_components(text, fetched));
    if (computed && reader != BY_ALU)
        REPORT(walk, CHECK_A2XX_ALU_RESULT, CHECK_OTHER(state->alu_at[reg], 0, reg),
               "the fetch reads R%u.%s without (S), but it comes from an ALU instruction", reg,
               a2c_components(text, computed));
}

static void check_read(const struct a2c_walk *walk, unsigned reg, unsigned components,
                       enum reader reader)
{
    unsigned written = a2c_get(&walk->state->written, reg), missing = components & ~written;
    char text[A2C_COMPONENTS_MAX];
    if (missing)
        REPORT(walk, written ? CHECK_A2XX_COMPONENT_UNWRITTEN : CHECK_A2XX_REGISTER_UNWRITTEN,
               CHECK_SUBJECT(reg), "R%u.%s is read, but has not been written", reg,
               a2c_components(text, missing));
    check_landed(walk, reg, components, reader);
}

/* --- a0, aL --- */

void a2c_check_a0(const struct a2c_walk *walk)
{
    struct a2xx_operand list[A2XX_OPERANDS_MAX];
    const struct a2xx_alu *alu = walk->alu;
    unsigned count = alu && alu->address_mode ? a2xx_operands(alu, walk->checker->variant, list)
                                              : 0;
    bool uses = false, lost = walk->state->a0 & MAY_LOST;
    for (unsigned i = 0; i < count; i++)
        uses |= list[i].constant && list[i].relative;
    if (!uses)
        return;
    if ((a2xx_vector_effects(alu->vector_opc) | a2xx_scalar_effects(alu->scalar_opc)) &
        A2XX_SETS_ADDRESS)
        TITLE(walk, CHECK_A2XX_A0_SAME);
    else if (lost)
        REPORT(walk, CHECK_A2XX_A0_LOST, CHECK_OTHER(walk->state->a0_at, 0, 0),
               "a0 is set before (S), ALLOC or a fetch, but used after it");
    else if (!(walk->state->a0 & MAY_SET))
        TITLE(walk, CHECK_A2XX_A0_UNSET);
}

static void check_al(const struct a2c_walk *walk)
{
    if (walk->state->loop_depth == 0)
        TITLE(walk, CHECK_A2XX_AL_OUTSIDE);
}

static void check_relative_register(const struct a2c_walk *walk, const struct a2xx_exec *exec)
{
    if (exec->address_mode)
        REPORT(walk, CHECK_A2XX_REGISTER_A0, CHECK_OTHER(a2c_cf(walk->cf), 0, 0),
               "a register is relative to aL, but the clause has ABSOLUTE_ADDR");
    else
        check_al(walk);
}

void a2c_check_relative(const struct a2c_walk *walk)
{
    const struct a2xx_alu *alu = walk->alu;
    const struct a2xx_exec *exec = &walk->checker->cfs[walk->cf].exec;
    struct a2xx_operand list[A2XX_OPERANDS_MAX];
    bool relative;
    if (alu) {
        unsigned count = a2xx_operands(alu, walk->checker->variant, list);
        bool vector = alu->vector_dest_rel && alu->vector_write_mask;
        relative = vector || (alu->scalar_dest_rel && alu->scalar_write_mask && !alu->export_data);
        for (unsigned i = 0; i < count; i++) {
            relative |= list[i].relative && !list[i].constant;
            if (list[i].relative && list[i].constant && !alu->address_mode)
                check_al(walk);
        }
    } else {
        struct a2xx_fetch_register result = a2xx_fetch_result(walk->fetch);
        relative = a2xx_fetch_source(walk->fetch, walk->checker->variant).relative ||
                   (result.relative && result.components);
    }
    if (relative)
        check_relative_register(walk, exec);
}

/* --- predicate --- */

static void check_predicate(const struct a2c_walk *walk)
{
    if (!(walk->state->predicate & MAY_SET))
        TITLE(walk, CHECK_A2XX_PREDICATE_UNSET);
}

void a2c_step_test(struct a2c_walk *walk)
{
    if (walk->report)
        check_predicate(walk);
}

/* Compares the instruction's condition with that of its clause. */
void a2c_check_condition(const struct a2c_walk *walk)
{
    const struct a2xx_exec *exec = &walk->checker->cfs[walk->cf].exec;
    const struct check_about clause = CHECK_OTHER(a2c_cf(walk->cf), 0, 0);
    bool condition = walk->alu && walk->alu->pred_condition;
    bool predicated = walk->alu ? walk->alu->is_predicated
                                : a2xx_fetch_is_predicated(walk->fetch, &condition);
    if (predicated)
        check_predicate(walk);
    if (!a2xx_is_predicated_exec(exec->opcode))
        return;
    if (!predicated)
        REPORT(walk, CHECK_A2XX_PREDICATE_MISSING, clause,
               "the clause is predicated, but this instruction is not");
    else if (condition != exec->condition)
        REPORT(
            walk, CHECK_A2XX_PREDICATE_CONTRARY, clause,
            "the clause is executed where the predicate is %u, but this instruction where it is %u",
            exec->condition, condition);
}

/* --- ALU instructions --- */

void a2c_check_reads(const struct a2c_walk *walk)
{
    struct a2xx_operand list[A2XX_OPERANDS_MAX];
    unsigned count = walk->alu ? a2xx_operands(walk->alu, walk->checker->variant, list) : 0;
    for (unsigned i = 0; i < count; i++)
        if (!list[i].constant && !list[i].relative)
            check_read(walk, list[i].number, list[i].components, BY_ALU);
    if (walk->alu)
        return;
    struct a2xx_fetch_register source = a2xx_fetch_source(walk->fetch, walk->checker->variant);
    if (!source.relative)
        check_read(walk, source.number, source.components,
                   walk->fetch->form == A2XX_FORM_VERTEX ? BY_VERTEX : BY_TEXTURE);
}

/* Checks the use of ps, the previous scalar result. */
void a2c_check_ps(const struct a2c_walk *walk)
{
    bool previous = walk->alu && a2xx_works(walk->alu, A2XX_UNIT_SCALAR) &&
                    a2xx_scalar_effects(walk->alu->scalar_opc) & A2XX_READS_PREVIOUS;
    if (previous && walk->state->ps & MAY_LOST)
        TITLE(walk, CHECK_A2XX_PS_IDLE);
    else if (previous && !(walk->state->ps & MAY_SET))
        TITLE(walk, CHECK_A2XX_PS_UNSET);
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

void a2c_step_alu(struct a2c_walk *walk)
{
    const struct a2xx_alu *alu = walk->alu;
    if (reads_fetched(walk, alu))
        a2c_land(walk->state);
    a2c_step_export(walk);
    write_alu(walk, alu,
              a2xx_vector_effects(alu->vector_opc) | a2xx_scalar_effects(alu->scalar_opc));
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
    struct a2xx_fetch_register source = a2xx_fetch_source(fetch, walk->checker->variant),
                               result = a2xx_fetch_result(fetch);
    unsigned pending = a2c_get(&state->by_fetch, source.number) |
                       a2c_get(&state->by_alu, source.number);
    if (!source.relative && pending & source.components)
        a2c_land(walk->state);
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
