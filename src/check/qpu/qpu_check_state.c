/* SPDX-License-Identifier: MIT */
/* qpu_check_state.c - see qpu_check_state.h.
 *
 * In:  states of the paths that join.
 * Out: a state that holds for all of these paths. */
#include "check/qpu/qpu_check_state.h"

#include <string.h>

/* --- ranges --- */

struct range range_add(struct range range, unsigned low, unsigned high)
{
    unsigned new_low = range.low + low, new_high = range.high + high;
    range.low = (uint8_t)(new_low < UNLIMITED ? new_low : UNLIMITED - 1);
    range.high = (uint8_t)(range.high == UNLIMITED || new_high > UNLIMITED ? UNLIMITED : new_high);
    return range;
}

struct range range_take(struct range range)
{
    range.low = (uint8_t)(range.low ? range.low - 1 : 0);
    range.high = (uint8_t)(range.high && range.high != UNLIMITED ? range.high - 1 : range.high);
    return range;
}

static struct range merge_range(struct range to, struct range from, bool widen)
{
    if (from.high > to.high)
        to.high = widen ? UNLIMITED : from.high;
    if (from.low < to.low)
        to.low = widen ? 0 : from.low;
    return to;
}

/* --- states --- */

static void merge_rows(struct rows *to, const struct rows *from)
{
    to->must &= from->must;
    to->may |= from->may;
    if (to->row != from->row || to->stride != from->stride || to->part != from->part ||
        to->parts_log2 != from->parts_log2)
        to->row = ROW_UNKNOWN;
}

void state_may(bool *to, uint32_t *to_at, bool from, uint32_t from_at)
{
    if (from && !*to) {
        *to = true;
        *to_at = from_at;
    }
}

static void merge_setup(struct setup *to, const struct setup *from)
{
    to->known = to->known && from->known && to->value == from->value;
    to->value = to->known ? to->value : 0;
    to->at = to->at == from->at ? to->at : CHECK_NONE;
}

static void merge_transfer(struct transfer *to, const struct transfer *from)
{
    to->rows |= from->busy ? from->rows : 0;
    to->may_setup |= from->may_setup;
    merge_setup(&to->setup, &from->setup);
    merge_setup(&to->stride, &from->stride);
    state_may(&to->busy, &to->at, from->busy, from->at);
}

/* --- sets of registers --- */

bool places_have(const struct places *set, unsigned place)
{
    return place < 64 ? set->files >> place & 1 : (uint64_t)set->accumulators >> (place - 64) & 1;
}

void places_put(struct places *set, unsigned place, bool in)
{
    uint64_t bit = UINT64_C(1) << (place & 63);
    if (place < 64)
        set->files = in ? set->files | bit : set->files & ~bit;
    else
        set->accumulators = (uint8_t)(in ? set->accumulators | bit : set->accumulators & ~bit);
}

static void keep_common(struct places *to, const struct places *from)
{
    to->files &= from->files;
    to->accumulators &= from->accumulators;
}

static void merge_registers(struct state *to, const struct state *from)
{
    keep_common(&to->surely, &from->surely);
    keep_common(&to->told, &from->told);
    keep_common(&to->integers, &from->integers);
    to->varying.files |= from->varying.files;
    to->varying.accumulators |= from->varying.accumulators;
}

void queue_forget(struct queue *queue)
{
    queue->count = 0;
    memset(queue->slots, 0, sizeof queue->slots);
    memset(queue->asked, 0, sizeof queue->asked);
}

static void merge_queue(struct queue *to, const struct queue *from, bool widen)
{
    to->results = merge_range(to->results, from->results, widen);
    to->parameters = merge_range(to->parameters, from->parameters, widen);
    to->exact = to->exact && from->exact && to->count == from->count &&
                memcmp(to->slots, from->slots, to->count) == 0;
    if (!to->exact)
        queue_forget(to);
    for (unsigned i = 0; i < to->count; i++)
        to->asked[i] = to->asked[i] == from->asked[i] ? to->asked[i] : CHECK_NONE;
    to->last_asked = to->last_asked == from->last_asked ? to->last_asked : CHECK_NONE;
    to->parameter_at = to->parameter_at == from->parameter_at ? to->parameter_at : CHECK_NONE;
    for (unsigned i = 0; i < PARAMETERS_MAX; i++)
        to->at[i] = to->at[i] == from->at[i] ? to->at[i] : UNLIMITED;
}

static void merge_constants(struct state *to, const struct state *from)
{
    for (unsigned i = 0; i < CONSTANTS; i++)
        to->constant[i] = to->constant[i] == from->constant[i] ? to->constant[i] : 0;
}

bool state_is_defined(const struct state *state, unsigned place)
{
    if (places_have(&state->told, place))
        return true;
    return place < 64 ? state->defined[place / 32] >> place % 32 & 1
                      : (uint32_t)state->accumulators_defined >> (place - 64) & 1;
}

/* Clears partial[] of each register that another path writes as a whole or under another
 * condition. */
static void merge_partial(struct state *to, const struct state *from)
{
    for (unsigned i = 0; i < CONSTANTS; i++) {
        if (!state_is_defined(from, i))
            continue;
        bool same = !state_is_defined(to, i) || to->partial[i] == from->partial[i];
        to->partial[i] = same ? from->partial[i] : 0;
    }
}

/* Merges the ages of one event on two paths, and the words of its instructions. The most recent
 * event is kept. */
static void merge_age(uint8_t *to, uint32_t *to_at, uint8_t from, uint32_t from_at)
{
    if (from && (!*to || from < *to)) {
        *to = from;
        *to_at = from_at;
    }
}

bool state_merge(void *into, const void *other, bool widen)
{
    struct state *to = into;
    const struct state *from = other;
    struct state before = *to;
    merge_partial(to, from);
    for (unsigned file = 0; file < 2; file++) {
        to->defined[file] |= from->defined[file];
        merge_queue(&to->tmu[file], &from->tmu[file], widen);
    }
    to->accumulators_defined |= from->accumulators_defined;
    if (from->accumulators_lost && !to->accumulators_lost)
        to->lost_at = from->lost_at;
    to->accumulators_lost |= from->accumulators_lost;
    merge_constants(to, from);
    merge_registers(to, from);
    to->old_results = merge_range(to->old_results, from->old_results, widen);
    to->new_results = merge_range(to->new_results, from->new_results, widen);
    to->varyings = merge_range(to->varyings, from->varyings, widen);
    to->varyings_used = merge_range(to->varyings_used, from->varyings_used, widen);
    to->uniforms = merge_range(to->uniforms, from->uniforms, widen);
    to->vpm_left = merge_range(to->vpm_left, from->vpm_left, widen);
    merge_age(&to->vpm_age, &to->vpm_setup_at, from->vpm_age, from->vpm_setup_at);
    merge_age(&to->uniform_age, &to->uniform_at, from->uniform_age, from->uniform_at);
    to->vpm_may_setup |= from->vpm_may_setup;
    to->vpm_may_write_setup |= from->vpm_may_write_setup;
    to->vpm_may_block |= from->vpm_may_block;
    to->loaded |= from->loaded;
    to->may_share |= from->may_share;
    to->must_interrupt &= from->must_interrupt;
    for (unsigned i = 0; i < 16; i++)
        to->raised[i] = merge_range(to->raised[i], from->raised[i], widen);
    merge_rows(&to->inputs, &from->inputs);
    merge_rows(&to->outputs, &from->outputs);
    if (to->queued.row != from->queued.row || to->queued.stride != from->queued.stride)
        to->inputs.may = UINT64_MAX;
    merge_rows(&to->queued, &from->queued);
    merge_transfer(&to->load, &from->load);
    merge_transfer(&to->store, &from->store);
    to->may_test |= from->may_test;
    state_may(&to->may_colour, &to->colour_at, from->may_colour, from->colour_at);
    to->may_lock |= from->may_lock;
    state_may(&to->may_unlock, &to->unlock_at, from->may_unlock, from->unlock_at);
    state_may(&to->may_hold, &to->hold_at, from->may_hold, from->hold_at);
    to->must_hold &= from->must_hold;
    state_may(&to->may_switch, &to->switch_at, from->may_switch, from->switch_at);
    state_may(&to->may_last, &to->last_at, from->may_last, from->last_at);
    state_may(&to->may_use_tmu, &to->tmu_at, from->may_use_tmu, from->tmu_at);
    return memcmp(&before, to, sizeof before) != 0;
}

void state_begin(struct state *state, enum tess_shader_kind kind)
{
    memset(state, 0, sizeof *state);
    state->tmu[0].exact = state->tmu[1].exact = true;
    state->inputs.row = state->outputs.row = state->queued.row = ROW_UNKNOWN;
    state->lost_at = CHECK_NONE;
    state->load.setup.at = state->store.setup.at = CHECK_NONE;
    state->load.stride.at = state->store.stride.at = CHECK_NONE;
    for (unsigned i = 0; i < 16; i++)
        state->raised[i] = (struct range){RAISED_ZERO, RAISED_ZERO};
    for (unsigned i = 0; i < 2; i++)
        state->tmu[i].last_asked = state->tmu[i].parameter_at = CHECK_NONE;
    if (kind == TESS_SHADER_FRAGMENT || kind == TESS_SHADER_UNKNOWN)
        state->defined[0] = state->defined[1] = 1u << 15; /* W is in ra15, Z is in rb15 */
    state->surely.files = (uint64_t)state->defined[1] << 32 | state->defined[0];
}

void state_anything(struct state *state)
{
    const struct range any = {0, UNLIMITED};
    state_begin(state, TESS_SHADER_UNKNOWN);
    state->defined[0] = state->defined[1] = UINT32_MAX;
    state->accumulators_defined = ALL_ACCUMULATORS;
    state->surely = (struct places){UINT64_MAX, ALL_ACCUMULATORS};
    for (unsigned i = 0; i < 16; i++)
        state->raised[i] = any;
    for (unsigned i = 0; i < 2; i++)
        state->tmu[i] = (struct queue){.results = any,
                                       .parameters = any,
                                       .last_asked = CHECK_NONE,
                                       .parameter_at = CHECK_NONE};
    state->old_results = state->new_results = any;
    state->varyings = state->varyings_used = state->vpm_left = state->uniforms = any;
    state->vpm_may_setup = state->vpm_may_write_setup = true;
    state->inputs.may = state->outputs.may = state->loaded = UINT64_MAX;
    state->load.may_setup = state->store.may_setup = state->vpm_may_block = true;
    state->may_share = true;
    state->may_lock = state->may_last = state->may_test = true;
    state->may_hold = true;
    state->hold_at = state->last_at = CHECK_NONE;
}
