/* SPDX-License-Identifier: MIT */
/* tmu.c - the queues of the texture and memory lookup units.
 *
 * In:     an instruction with the state before it.
 * Out:    findings: too many requests, results that were not requested, results that
 *         are not collected.
 * Source: qpu_rules.def; manual, section 4; vc4asm's addendum. */
#include <string.h>

#include "check/qpu/qpu_walk.h"

enum {
    TMU_SLOTS = 8,      /* slots of each TMU's queue (manual, section 4) */
    TMU_SAFE_LOADS = 4, /* most memory lookups that may be in progress (vc4asm's addendum) */
    NO_TMU = 2,
};

static unsigned slots_of(const struct queue *queue)
{
    unsigned slots = 0;
    for (unsigned i = 0; i < queue->count; i++)
        slots += queue->slots[i];
    return slots;
}

const struct queue *walk_request(const struct walk *walk)
{
    unsigned address = walk->facts->write[walk->unit].address;
    bool requests = address == QPU_WR_TMU0_S || address == QPU_WR_TMU1_S;
    return requests ? &walk->state->tmu[address == QPU_WR_TMU1_S] : NULL;
}

/* Reports a queue that the request overflows, or that has too many memory lookups after it. Later
 * requests have the same cause. */
void qpu_check_queue(const struct walk *walk, enum check_rule rule)
{
    const struct queue *queue = walk_request(walk);
    if (!queue)
        return;
    unsigned tmu = (unsigned)(queue - walk->state->tmu), count = queue->count + 1u;
    unsigned limit = walk->checker->threaded ? TMU_SLOTS / 2 : TMU_SLOTS;
    unsigned before = slots_of(queue), slots = before + queue->parameters.low + 1u;
    bool exact = queue->exact && queue->parameters.low == queue->parameters.high &&
                 count <= QUEUE_MAX;
    bool over = exact ? slots > limit && before <= limit : queue->results.low == 2 * limit;
    if (over && rule == CHECK_TMU_FULL)
        FOUND(walk, rule, CHECK_NONE, tmu,
              "%u slots of TMU %u's queue are used, but the queue has %u%s",
              exact ? slots : limit + 1, tmu, limit,
              walk->checker->threaded ? " for each thread" : "");
    if (!over && rule == CHECK_TMU_DIRECT && exact && slots == count && count == TMU_SAFE_LOADS + 1)
        FOUND(walk, rule, CHECK_NONE, tmu, "%u loads of TMU %u are in progress", count, tmu);
}

/* Reports a memory lookup at an unaligned address. A write of s without t, r or b is a memory
 * lookup. */
void qpu_check_lookup(const struct walk *walk)
{
    const struct queue *queue = walk_request(walk);
    uint32_t address;
    if (queue && queue->parameters.high == 0 && walk_word(walk, walk->unit, &address) &&
        address % 4)
        FOUND(walk, CHECK_TMU_ALIGNMENT, CHECK_NONE, walk->unit,
              "the lookup is at 0x%08x, but the TMU reads the word at 0x%08x", address,
              address & ~UINT32_C(3));
}

/* Records a write to the TMU that fetches a uniform as a texture parameter. */
static void fetch_parameter(struct walk *walk, struct queue *queue)
{
    unsigned number = queue->parameters.low;
    if (number < PARAMETERS_MAX && number == queue->parameters.high)
        queue->at[number] = (uint8_t)walk_uniform(walk);
    queue->parameters = range_add(queue->parameters, 1, 1);
    queue->parameter_at = walk->word;
    walk->state->uniforms = range_add(walk->state->uniforms, 1, 1);
}

static void fetch_last_parameter(struct walk *walk, struct queue *queue)
{
    struct range before = queue->parameters;
    if (before.high == 0)
        return;
    fetch_parameter(walk, queue);
    if (before.low != before.high)
        walk->state->uniforms = (struct range){0, UNLIMITED};
    queue->parameters = before;
}

static void submit(struct walk *walk, unsigned tmu)
{
    struct state *state = walk->state;
    struct queue *queue = &state->tmu[tmu];
    fetch_last_parameter(walk, queue);
    unsigned most = queue->parameters.high ? 2 : 1; /* RGBA64 textures return two words */
    queue->exact = queue->exact && queue->parameters.low == queue->parameters.high &&
                   queue->count < QUEUE_MAX;
    unsigned slots = queue->parameters.low + 1u;
    queue->last_asked = walk->word;
    if (queue->exact) {
        queue->asked[queue->count] = walk->word;
        queue->slots[queue->count++] = (uint8_t)slots;
    } else {
        queue_forget(queue);
    }
    queue->results = range_add(queue->results, 1, most);
    queue->parameters = (struct range){0, 0};
    memset(queue->at, 0, sizeof queue->at);
    state->new_results = range_add(state->new_results, 1, most);
}

/* Returns the TMU whose result the instruction collects, or NO_TMU. */
static unsigned collected(const struct walk *walk)
{
    bool collects = walk->facts->accesses & ACCESS_TMU_READ;
    return collects ? walk->facts->insn.sig == QPU_SIG_LOAD_TMU1 : NO_TMU;
}

void qpu_check_no_request(const struct walk *walk)
{
    unsigned tmu = collected(walk);
    if (tmu == NO_TMU || walk->state->tmu[tmu].results.high > 0)
        return;
    const struct queue *other = &walk->state->tmu[!tmu];
    if (other->results.low)
        FOUND(walk, CHECK_TMU_EMPTY, other->last_asked, tmu,
              "a result of TMU %u is collected, but the requests went to TMU %u", tmu, !tmu);
    else
        FOUND(walk, CHECK_TMU_EMPTY, CHECK_NONE, tmu,
              "a result of TMU %u is collected, but none was requested", tmu);
}

bool qpu_collects_before_switch(const struct walk *walk)
{
    unsigned tmu = collected(walk);
    return walk->checker->threaded && tmu != NO_TMU && walk->state->tmu[tmu].results.high > 0 &&
           walk->state->old_results.high == 0;
}

bool qpu_leaves_results_at_switch(const struct walk *walk)
{
    struct range old = walk->state->old_results;
    if (collected(walk) != NO_TMU)
        old = range_take(old);
    return walk->checker->flow.nodes[walk->node].at.turn == 2 && old.low > 0;
}

static void collect(struct walk *walk, unsigned tmu)
{
    struct state *state = walk->state;
    struct queue *queue = &state->tmu[tmu];
    queue->results = range_take(queue->results);
    if (state->old_results.high)
        state->old_results = range_take(state->old_results);
    else
        state->new_results = range_take(state->new_results);
    if (queue->exact && queue->count > 0) {
        queue->count--;
        memmove(queue->slots, queue->slots + 1, queue->count);
        memmove(queue->asked, queue->asked + 1, queue->count * sizeof queue->asked[0]);
        queue->slots[queue->count] = 0;
        queue->asked[queue->count] = 0;
    }
}

/* Counts instructions since the last write of the uniform address, up to UNIFORM_DISTANCE. */
static void age_uniforms(struct walk *walk)
{
    struct state *state = walk->state;
    if (state->uniform_age)
        state->uniform_age++;
    if (state->uniform_age == UNIFORM_DISTANCE)
        state->uniform_age = 0;
    if (!(walk->facts->accesses & ACCESS_UNIFORM_ADDRESS))
        return;
    state->uniform_age = 1;
    state->uniform_at = walk->word;
}

void qpu_check_late_noswap(const struct walk *walk)
{
    if ((walk->facts->accesses & ACCESS_NOSWAP) && walk->state->may_use_tmu)
        walk_title(walk, CHECK_NOSWAP_LATE, walk->state->tmu_at);
}

void walk_tmu(struct walk *walk)
{
    const struct qpu_facts *facts = walk->facts;
    struct state *state = walk->state;
    if (collected(walk) != NO_TMU)
        collect(walk, collected(walk));
    for (unsigned unit = 0; unit < 2; unit++) {
        const struct qpu_write *write = &facts->write[unit];
        if (!write->present || write->address < QPU_WR_TMU0_S)
            continue;
        unsigned tmu = write->address >= QPU_WR_TMU1_S;
        struct queue *queue = &state->tmu[tmu];
        state_may(&state->may_use_tmu, &state->tmu_at, true, walk->word);
        if (write->address % 4) {
            fetch_parameter(walk, queue);
            continue;
        }
        if (queue->parameters.low && (facts->accesses & ACCESS_UNIFORM))
            FOUND(
                walk, CHECK_SEVERAL, CHECK_NONE, 2, "%s",
                "the instruction reads a uniform, and writes a TMU register that fetches another");
        if (queue->parameters.low && state->uniform_age)
            FOUND(walk, CHECK_UNIFORM_ADDRESS, state->uniform_at, 0,
                  "a uniform is fetched %u instruction%s after the uniform address was written; "
                  "the minimum is %d",
                  state->uniform_age, state->uniform_age == 1 ? "" : "s", UNIFORM_DISTANCE);
        walk_write(walk, unit);
        submit(walk, tmu);
    }
    age_uniforms(walk);
}

void qpu_check_left_results(const struct walk *walk)
{
    const struct walk last = walk_last(walk);
    for (unsigned tmu = 0; tmu < 2; tmu++) {
        const struct queue *queue = &walk->state->tmu[tmu];
        uint32_t cause = queue->exact && queue->count ? queue->asked[0] : queue->last_asked;
        if (queue->results.low == 1)
            FOUND_CAUSE(&last, CHECK_TMU_LEFT, cause, tmu,
                        "the result of TMU %u that is requested here is never collected", tmu);
        else if (queue->results.low)
            FOUND_CAUSE(&last, CHECK_TMU_LEFT, cause, tmu,
                        "%u results of TMU %u are never collected", queue->results.low, tmu);
    }
}

void qpu_check_unfinished(const struct walk *walk)
{
    const struct walk last = walk_last(walk);
    for (unsigned tmu = 0; tmu < 2; tmu++)
        if (walk->state->tmu[tmu].parameters.low)
            FOUND_CAUSE(&last, CHECK_TMU_UNFINISHED, walk->state->tmu[tmu].parameter_at, tmu,
                        "TMU %u has parameters, but s is not written", tmu);
}
