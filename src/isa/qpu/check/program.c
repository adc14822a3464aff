/* SPDX-License-Identifier: MIT */
/* program.c - rules about all ways through a program: what may have happened before an instruction, and what must.
 *
 * In:     the graph of a program.
 * Out:    findings about queues, locks, thread switches, values that are lost, and what is left at the end.
 * Method: a state for each node, merged from all ways that lead to it until nothing changes. Numbers are ranges; those
 *         that grow in a loop become unlimited. Where a branch leads to an unknown place, nothing is concluded from what
 *         has not been seen.
 * Source: rules.def. */
#include <stdlib.h>
#include <string.h>

#include "isa/qpu/check/internal.h"

enum {
    UNLIMITED = 255,
    QUEUE_MAX = 16,     /* requests whose slots are counted one by one */
    TMU_SLOTS = 8,      /* of each TMU's queue, manual section 4 */
    TMU_SAFE_LOADS = 4, /* vc4asm's addendum */
    VISITS_MAX = 6,     /* of a node before ranges become unlimited */
    STEPS_PER_NODE = 64,
    ROW_UNKNOWN = 255,
    ALL_ACCUMULATORS = 0x7f, /* with the flags */
    VERTEX_ROWS = 3,         /* Xs and Ys, Zs, 1/Wc */
    COORDINATE_ROWS = 7,     /* the same behind Xc, Yc, Zc, Wc */
};

struct range {
    uint8_t low, high;
};

/* Requests to a TMU that wait for their results to be collected. */
struct queue {
    struct range results; /* words that can be collected: one or two for a texture */
    uint8_t slots[QUEUE_MAX], count;
    bool exact;              /* slots and count are right, whichever way led here */
    struct range parameters; /* t, r, b written since the last s */
};

/* Rows of the VPM, read or written one after the other. */
struct rows {
    uint64_t must, may;
    uint8_t row, stride; /* the next one; ROW_UNKNOWN */
};

struct state {
    uint64_t reached;    /* 1: some way leads here */
    uint32_t defined[2]; /* registers of file A and B that may have been written */
    uint8_t accumulators_defined, accumulators_lost;
    uint32_t lost_at;  /* word of the switch that lost them */
    uint8_t constants; /* bits of r0 ... r3 whose values are known */
    uint32_t constant[4];
    struct queue tmu[2];
    struct range old_results, new_results; /* requested before and after the last switch */
    struct range varyings, varyings_used;  /* read, and read by an operation */
    struct range vpm_left;
    uint8_t vpm_age; /* instructions since a read setup with nothing left before it; 0: long ago */
    uint32_t vpm_setup_at;
    bool vpm_may_setup, vpm_may_write_setup;
    struct rows inputs, outputs;
    bool may_lock, may_unlock;
    uint32_t unlock_at;
    bool may_hold, must_hold;
    uint32_t hold_at;
    bool may_switch, may_last;
    uint32_t last_at;
    bool may_use_tmu;
    uint32_t tmu_at;
};

/* --- ranges --- */

static struct range add_range(struct range range, unsigned low, unsigned high)
{
    unsigned new_low = range.low + low, new_high = range.high + high;
    range.low = (uint8_t)(new_low < UNLIMITED ? new_low : UNLIMITED - 1);
    range.high = (uint8_t)(range.high == UNLIMITED || new_high > UNLIMITED ? UNLIMITED : new_high);
    return range;
}

static struct range take_one(struct range range)
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
    if (to->row != from->row || to->stride != from->stride)
        to->row = ROW_UNKNOWN;
}

static void forget_slots(struct queue *queue)
{
    queue->count = 0;
    memset(queue->slots, 0, sizeof queue->slots);
}

static void merge_queue(struct queue *to, const struct queue *from, bool widen)
{
    to->results = merge_range(to->results, from->results, widen);
    to->parameters = merge_range(to->parameters, from->parameters, widen);
    to->exact = to->exact && from->exact && to->count == from->count &&
                memcmp(to->slots, from->slots, to->count) == 0;
    if (!to->exact)
        forget_slots(to);
}

static void merge_constants(struct state *to, const struct state *from)
{
    to->constants &= from->constants;
    for (unsigned i = 0; i < 4; i++) {
        if (to->constant[i] != from->constant[i])
            to->constants &= (uint8_t) ~(1u << i);
        if (!(to->constants & 1u << i))
            to->constant[i] = 0;
    }
}

/* A fact that may hold, and where it came from: the first place is kept. */
static void merge_may(bool *to, uint32_t *to_at, bool from, uint32_t from_at)
{
    if (from && !*to) {
        *to = true;
        *to_at = from_at;
    }
}

/* Merges what comes along another way. Returns whether anything changed. */
static bool merge(struct state *to, const struct state *from, bool widen)
{
    if (!to->reached) {
        *to = *from;
        return true;
    }
    struct state before = *to;
    for (unsigned file = 0; file < 2; file++) {
        to->defined[file] |= from->defined[file];
        merge_queue(&to->tmu[file], &from->tmu[file], widen);
    }
    to->accumulators_defined |= from->accumulators_defined;
    if (from->accumulators_lost && !to->accumulators_lost)
        to->lost_at = from->lost_at;
    to->accumulators_lost |= from->accumulators_lost;
    merge_constants(to, from);
    to->old_results = merge_range(to->old_results, from->old_results, widen);
    to->new_results = merge_range(to->new_results, from->new_results, widen);
    to->varyings = merge_range(to->varyings, from->varyings, widen);
    to->varyings_used = merge_range(to->varyings_used, from->varyings_used, widen);
    to->vpm_left = merge_range(to->vpm_left, from->vpm_left, widen);
    if (from->vpm_age && (!to->vpm_age || from->vpm_age < to->vpm_age)) {
        to->vpm_age = from->vpm_age;
        to->vpm_setup_at = from->vpm_setup_at;
    }
    to->vpm_may_setup |= from->vpm_may_setup;
    to->vpm_may_write_setup |= from->vpm_may_write_setup;
    merge_rows(&to->inputs, &from->inputs);
    merge_rows(&to->outputs, &from->outputs);
    to->may_lock |= from->may_lock;
    merge_may(&to->may_unlock, &to->unlock_at, from->may_unlock, from->unlock_at);
    merge_may(&to->may_hold, &to->hold_at, from->may_hold, from->hold_at);
    to->must_hold &= from->must_hold;
    to->may_switch |= from->may_switch;
    merge_may(&to->may_last, &to->last_at, from->may_last, from->last_at);
    merge_may(&to->may_use_tmu, &to->tmu_at, from->may_use_tmu, from->tmu_at);
    return memcmp(&before, to, sizeof before) != 0;
}

/* At the start of a program nothing has happened. */
static void begin(struct state *state, enum tess_shader_kind kind)
{
    memset(state, 0, sizeof *state);
    state->reached = 1;
    state->tmu[0].exact = state->tmu[1].exact = true;
    state->inputs.row = state->outputs.row = ROW_UNKNOWN;
    state->lost_at = FLOW_NONE;
    if (kind == TESS_SHADER_FRAGMENT || kind == TESS_SHADER_UNKNOWN)
        state->defined[0] = state->defined[1] = 1u << 15; /* W and Z */
}

/* Anything may have happened: what has not been seen cannot be counted on. */
static void anything(struct state *state)
{
    const struct range any = {0, UNLIMITED};
    begin(state, TESS_SHADER_UNKNOWN);
    state->defined[0] = state->defined[1] = UINT32_MAX;
    state->accumulators_defined = ALL_ACCUMULATORS;
    for (unsigned i = 0; i < 2; i++)
        state->tmu[i] = (struct queue){.results = any, .parameters = any};
    state->old_results = state->new_results = any;
    state->varyings = state->varyings_used = state->vpm_left = any;
    state->vpm_may_setup = state->vpm_may_write_setup = true;
    state->inputs.may = state->outputs.may = UINT64_MAX;
    state->may_lock = state->may_last = true;
    state->may_hold = true;
    state->hold_at = state->last_at = FLOW_NONE;
}

/* --- what an instruction does to the state, and what it must not do --- */

/* A node with the state before it. With silent set nothing is reported. */
struct walk {
    struct checker *checker;
    struct state state;
    const struct check_facts *facts;
    uint32_t node, word;
    bool silent;
};

#define REPORT(walk, rule, other, subject, ...)                                          \
    do {                                                                                 \
        if (!(walk)->silent)                                                             \
            found((walk)->checker, rule, (walk)->word,                                   \
                  (struct check_about){                                                  \
                      other,                                                             \
                      (other) == FLOW_NONE                                               \
                          ? 0                                                            \
                          : found_distance(&(walk)->checker->flow, other, (walk)->node), \
                      subject},                                                          \
                  __VA_ARGS__);                                                          \
    } while (0)

static void report_title(struct walk *walk, enum check_rule rule, uint32_t other)
{
    REPORT(walk, rule, other, 0, "%s", check_rule(rule)->title);
}

static void walk_undefined(struct walk *walk)
{
    struct state *state = &walk->state;
    const struct check_facts *facts = walk->facts;
    uint8_t undefined = facts->reads & (uint8_t)~state->accumulators_defined;
    if (facts->makes_zero)
        return;
    for (unsigned i = 0; i < FACTS_FLAGS; i++)
        if (undefined & 1u << i)
            REPORT(walk, CHECK_UNDEFINED_ACCUMULATOR, FLOW_NONE, i,
                   "r%u is read, but was never written", i);
    if (undefined & 1u << FACTS_FLAGS)
        report_title(walk, CHECK_UNDEFINED_FLAGS, FLOW_NONE);
    state->accumulators_defined |= undefined;
    for (unsigned file = 0; file < 2; file++) {
        unsigned address = facts->port[file];
        bool needed = facts->port_condition[file] != QPU_COND_NEVER;
        if (address >= 32 || !needed || (state->defined[file] & 1u << address))
            continue;
        REPORT(walk, CHECK_UNDEFINED_REGISTER, FLOW_NONE, file * 32 + address,
               "%s is read, but was never written", check_read_name(file, address));
        state->defined[file] |= 1u << address;
    }
}

static void walk_lost(struct walk *walk)
{
    struct state *state = &walk->state;
    uint8_t lost = walk->facts->makes_zero ? 0 : walk->facts->reads & state->accumulators_lost;
    for (unsigned i = 0; i < FACTS_FLAGS; i++)
        if (lost & 1u << i)
            REPORT(walk, CHECK_LOST_ACCUMULATOR, state->lost_at, i,
                   "r%u is read, but the thread switch has lost it", i);
    if (lost & 1u << FACTS_FLAGS)
        REPORT(walk, CHECK_LOST_FLAGS, state->lost_at, 0,
               "the flags are used, but the thread switch has lost them");
    state->accumulators_lost &= (uint8_t)~walk->facts->sets;
}

static void define_results(struct walk *walk)
{
    struct state *state = &walk->state;
    state->accumulators_defined |= walk->facts->sets;
    for (unsigned unit = 0; unit < 2; unit++) {
        const struct check_write *write = &walk->facts->write[unit];
        if (write->present && write->address < 32)
            state->defined[write->file_b] |= 1u << write->address;
    }
}

/* The value of an operand, if it is a constant. */
static bool operand(const struct walk *walk, unsigned mux, uint32_t *value)
{
    const struct qpu_insn *insn = &walk->facts->insn;
    if (mux <= QPU_MUX_R3 && (walk->state.constants & 1u << mux)) {
        *value = walk->state.constant[mux];
        return true;
    }
    bool immediate = mux == QPU_MUX_B && insn->form == QPU_FORM_ALU_IMMEDIATE;
    if (immediate)
        *value = qpu_small_immediate(insn->raddr_b);
    return immediate;
}

static bool is_move_mul(const struct qpu_insn *insn)
{
    return insn->mul_a == insn->mul_b &&
           (insn->op_mul == QPU_MUL_V8MIN || insn->op_mul == QPU_MUL_V8MAX) &&
           !(insn->form == QPU_FORM_ALU_IMMEDIATE && insn->raddr_b >= 48);
}

static bool add_constants(unsigned op, uint32_t a, uint32_t b, uint32_t *value)
{
    switch (op) {
    case QPU_ADD_ADD: *value = a + b; return true;
    case QPU_ADD_SUB: *value = a - b; return true;
    case QPU_ADD_AND: *value = a & b; return true;
    case QPU_ADD_OR: *value = a | b; return true;
    case QPU_ADD_XOR: *value = a ^ b; return true;
    case QPU_ADD_SHL: *value = a << (b & 31); return true;
    case QPU_ADD_SHR: *value = a >> (b & 31); return true;
    }
    return false;
}

/* What an ALU gives, if it is a constant. */
static bool result(const struct walk *walk, unsigned unit, uint32_t *value)
{
    const struct qpu_insn *insn = &walk->facts->insn;
    uint32_t a = 0, b = 0;
    if (insn->form == QPU_FORM_LOAD_32 || insn->form == QPU_FORM_SEMAPHORE) {
        *value = insn->immediate;
        return insn->pack == 0;
    }
    if (qpu_layout(insn->form) != QPU_IN_ALU || insn->unpack || insn->pack)
        return false;
    if (unit == 1)
        return is_move_mul(insn) && operand(walk, insn->mul_a, value);
    if (insn->add_a == insn->add_b &&
        (insn->op_add == QPU_ADD_XOR || insn->op_add == QPU_ADD_SUB)) {
        *value = 0;
        return true;
    }
    return operand(walk, insn->add_a, &a) && operand(walk, insn->add_b, &b) &&
           add_constants(insn->op_add, a, b, value);
}

static void keep_constants(struct walk *walk)
{
    struct state *state = &walk->state;
    uint32_t value[2] = {0, 0};
    bool known[2];
    for (unsigned unit = 0; unit < 2; unit++)
        known[unit] = result(walk, unit, &value[unit]);
    for (unsigned unit = 0; unit < 2; unit++) {
        const struct check_write *write = &walk->facts->write[unit];
        if (!write->present || write->address < QPU_WR_ACC0 || write->address > QPU_WR_ACC3)
            continue;
        unsigned number = write->address - QPU_WR_ACC0;
        bool keep = known[unit] && write->condition == QPU_COND_ALWAYS;
        state->constants = (uint8_t)((state->constants & ~(1u << number)) | (unsigned)keep
                                                                                << number);
        state->constant[number] = keep ? value[unit] : 0;
    }
}

/* --- TMU --- */

static unsigned slots_of(const struct queue *queue)
{
    unsigned slots = 0;
    for (unsigned i = 0; i < queue->count; i++)
        slots += queue->slots[i];
    return slots;
}

static void check_queue(struct walk *walk, const struct queue *queue, unsigned tmu)
{
    unsigned limit = walk->checker->threaded ? TMU_SLOTS / 2 : TMU_SLOTS;
    unsigned slots = queue->exact ? slots_of(queue) : queue->results.low;
    if (!queue->exact && queue->results.low > 2 * limit)
        slots = limit + 1;
    else if (!queue->exact)
        slots = 0;
    if (slots > limit)
        REPORT(walk, CHECK_TMU_FULL, FLOW_NONE, tmu,
               "%u slots of TMU %u's queue are used, but it has %u%s", slots, tmu, limit,
               walk->checker->threaded ? " for each thread" : "");
    else if (queue->exact && slots == queue->count && queue->count > TMU_SAFE_LOADS)
        REPORT(walk, CHECK_TMU_DIRECT, FLOW_NONE, tmu, "%u loads of TMU %u are under way",
               queue->count, tmu);
}

static void submit(struct walk *walk, unsigned tmu)
{
    struct state *state = &walk->state;
    struct queue *queue = &state->tmu[tmu];
    unsigned most = queue->parameters.high ? 2 : 1; /* RGBA64 textures give two words */
    queue->exact = queue->exact && queue->parameters.low == queue->parameters.high &&
                   queue->count < QUEUE_MAX;
    if (queue->exact)
        queue->slots[queue->count++] = (uint8_t)(queue->parameters.low + 1);
    else
        forget_slots(queue);
    queue->results = add_range(queue->results, 1, most);
    queue->parameters = (struct range){0, 0};
    state->new_results = add_range(state->new_results, 1, most);
    check_queue(walk, queue, tmu);
}

static void collect(struct walk *walk, unsigned tmu)
{
    struct state *state = &walk->state;
    struct queue *queue = &state->tmu[tmu];
    if (queue->results.high == 0)
        REPORT(walk, CHECK_TMU_EMPTY, FLOW_NONE, tmu,
               "a result of TMU %u is collected, but none was requested", tmu);
    else if (walk->checker->threaded && state->old_results.high == 0)
        report_title(walk, CHECK_TMU_NO_SWITCH, FLOW_NONE);
    queue->results = take_one(queue->results);
    if (state->old_results.high)
        state->old_results = take_one(state->old_results);
    else
        state->new_results = take_one(state->new_results);
    if (queue->exact && queue->count > 0) {
        queue->count--;
        memmove(queue->slots, queue->slots + 1, queue->count);
        queue->slots[queue->count] = 0;
    }
}

static void walk_tmu(struct walk *walk)
{
    const struct check_facts *facts = walk->facts;
    struct state *state = &walk->state;
    if ((facts->accesses & ACCESS_NOSWAP) && state->may_use_tmu)
        report_title(walk, CHECK_NOSWAP_LATE, state->tmu_at);
    if (facts->accesses & ACCESS_TMU_READ)
        collect(walk, facts->insn.sig == QPU_SIG_LOAD_TMU1);
    for (unsigned unit = 0; unit < 2; unit++) {
        const struct check_write *write = &facts->write[unit];
        if (!write->present || write->address < QPU_WR_TMU0_S)
            continue;
        unsigned tmu = write->address >= QPU_WR_TMU1_S;
        struct queue *queue = &state->tmu[tmu];
        merge_may(&state->may_use_tmu, &state->tmu_at, true, walk->word);
        if (write->address % 4) {
            queue->parameters = add_range(queue->parameters, 1, 1);
            continue;
        }
        if (queue->parameters.low && (facts->accesses & ACCESS_UNIFORM))
            report_title(walk, CHECK_TMU_UNIFORM, FLOW_NONE);
        submit(walk, tmu);
    }
}

/* --- VPM --- */

static uint8_t next_row(struct rows *rows)
{
    uint8_t row = rows->row;
    if (row != ROW_UNKNOWN)
        rows->row = (uint8_t)((row + rows->stride) & 63);
    return row;
}

static bool is_vertex(const struct checker *checker)
{
    return checker->kind == TESS_SHADER_VERTEX || checker->kind == TESS_SHADER_COORDINATE;
}

/* One more row is read or written. */
static void use_row(struct walk *walk, struct rows *rows, enum check_rule again, const char *what)
{
    uint8_t row = next_row(rows);
    if (row == ROW_UNKNOWN) {
        rows->may = UINT64_MAX;
        return;
    }
    uint64_t bit = UINT64_C(1) << row;
    if (is_vertex(walk->checker) && (rows->must & bit))
        REPORT(walk, again, FLOW_NONE, row, "row %u is %s again", row, what);
    rows->must |= bit;
    rows->may |= bit;
}

/* Where a setup for whole words in rows begins; other shapes are not followed. */
static void set_rows(struct rows *rows, bool known, uint32_t value)
{
    bool whole = (value >> 8 & 15) == 10; /* horizontal, not laned, 32 bits */
    rows->row = ROW_UNKNOWN;
    rows->stride = 0;
    if (!known || !whole)
        return;
    rows->row = (uint8_t)(value & 63);
    rows->stride = (uint8_t)(value >> 12 & 63);
}

static void read_setup(struct walk *walk, bool known, uint32_t value)
{
    struct state *state = &walk->state;
    if (known && value >> 31) { /* DMA load, or its pitch */
        unsigned row = value >> 4 & 127;
        if (value >> 28 != 9 && row > 63)
            REPORT(walk, CHECK_VPM_ROW, FLOW_NONE, 0, "the DMA load begins at row %u", row);
        return;
    }
    if (state->vpm_left.low > 1)
        REPORT(walk, CHECK_VPM_QUEUED, state->vpm_setup_at, 0,
               "a read setup is written while %u vectors of the last one are left",
               state->vpm_left.low);
    unsigned number = value >> 20 & 15 ? value >> 20 & 15 : 16;
    state->vpm_age = state->vpm_left.high == 0 ? 1 : 0;
    state->vpm_left = known ? add_range(state->vpm_left, number, number)
                            : (struct range){0, UNLIMITED};
    state->vpm_setup_at = walk->word;
    state->vpm_may_setup = true;
    set_rows(&state->inputs, known, value);
}

static void write_setup(struct walk *walk, bool known, uint32_t value)
{
    struct state *state = &walk->state;
    if (known && value >> 30 == 2 && (value >> 7 & 127) > 63)
        REPORT(walk, CHECK_VPM_ROW, FLOW_NONE, 1, "the DMA store begins at row %u",
               value >> 7 & 127);
    if (known && value >> 31)
        return;
    state->vpm_may_write_setup = true;
    set_rows(&state->outputs, known, value);
}

static void walk_vpm_read(struct walk *walk)
{
    struct state *state = &walk->state;
    if (!state->vpm_may_setup)
        report_title(walk, CHECK_VPM_NO_SETUP, FLOW_NONE);
    else if (state->vpm_left.high == 0)
        report_title(walk, CHECK_VPM_EXTRA, state->vpm_setup_at);
    else if (state->vpm_age)
        REPORT(walk, CHECK_VPM_READ_EARLY, state->vpm_setup_at, 0,
               "the VPM is read %u instruction%s after its read setup", state->vpm_age,
               state->vpm_age == 1 ? "" : "s");
    state->vpm_left = take_one(state->vpm_left);
    state->vpm_age = 0;
    use_row(walk, &state->inputs, CHECK_ATTRIBUTE_TWICE, "read");
}

static void walk_vpm(struct walk *walk)
{
    struct state *state = &walk->state;
    uint32_t accesses = walk->facts->accesses, value = 0;
    if (accesses & ACCESS_VPM_READ)
        walk_vpm_read(walk);
    if (state->vpm_age)
        state->vpm_age = state->vpm_age < 3 ? (uint8_t)(state->vpm_age + 1) : 0;
    if (accesses & ACCESS_VPM_WRITE) {
        if (!state->vpm_may_write_setup)
            report_title(walk, CHECK_VPM_NO_WRITE_SETUP, FLOW_NONE);
        use_row(walk, &state->outputs, CHECK_OUTPUT_TWICE, "written");
    }
    for (unsigned unit = 0; unit < 2; unit++) {
        const struct check_write *write = &walk->facts->write[unit];
        if (!write->present || write->address != QPU_WR_VPM_SETUP)
            continue;
        bool known = result(walk, unit, &value);
        if (write->file_b)
            write_setup(walk, known, value);
        else
            read_setup(walk, known, value);
    }
}

/* --- locks and threads --- */

static void walk_scoreboard(struct walk *walk)
{
    struct state *state = &walk->state;
    uint32_t accesses = walk->facts->accesses;
    bool tile = accesses & ACCESS_TILE;
    if (tile && state->may_unlock)
        report_title(walk, CHECK_TILE_AFTER_UNLOCK, state->unlock_at);
    if (tile && (accesses & ACCESS_END) && !state->may_lock)
        report_title(walk, CHECK_END_FIRST_TLB, FLOW_NONE);
    state->may_lock |= tile || (accesses & ACCESS_SCOREBOARD_WAIT);
    if (!(accesses & ACCESS_SCOREBOARD_UNLOCK))
        return;
    if (!state->may_lock && walk->checker->kind == TESS_SHADER_FRAGMENT)
        report_title(walk, CHECK_UNLOCK_FREE, FLOW_NONE);
    state->may_lock = false;
    merge_may(&state->may_unlock, &state->unlock_at, true, walk->word);
}

static void walk_mutex(struct walk *walk)
{
    struct state *state = &walk->state;
    if (walk->facts->accesses & ACCESS_MUTEX_READ) {
        if (state->must_hold)
            report_title(walk, CHECK_MUTEX_TWICE, state->hold_at);
        state->may_hold = state->must_hold = true;
        state->hold_at = walk->word;
    }
    if (walk->facts->accesses & ACCESS_MUTEX_WRITE) {
        if (!state->may_hold)
            report_title(walk, CHECK_MUTEX_FREE, FLOW_NONE);
        state->may_hold = state->must_hold = false;
    }
}

static void walk_switch(struct walk *walk)
{
    struct state *state = &walk->state;
    if (!(walk->facts->accesses & ACCESS_SWITCH))
        return;
    if (state->may_lock && walk->checker->fresh)
        report_title(walk, CHECK_SWITCH_LOCKED, FLOW_NONE);
    if (state->may_last && state->last_at != FLOW_NONE)
        report_title(walk, CHECK_SWITCH_AFTER_LAST, state->last_at);
    state->may_switch = true;
    if (walk->facts->accesses & ACCESS_LAST_SWITCH)
        merge_may(&state->may_last, &state->last_at, true, walk->word);
}

/* Two instructions behind a thread switch the other thread runs. */
static void finish_switch(struct walk *walk)
{
    struct state *state = &walk->state;
    const struct flow_context *at = &walk->checker->flow.nodes[walk->node].at;
    if (at->turn != 2)
        return;
    if (state->old_results.low)
        report_title(walk, CHECK_TMU_AT_SWITCH, FLOW_NONE);
    state->old_results = add_range(state->new_results, 0, state->old_results.high);
    state->new_results = (struct range){0, 0};
    state->accumulators_lost = ALL_ACCUMULATORS;
    state->lost_at = at->word >= 2 ? at->word - 2 : FLOW_NONE;
    state->constants = 0;
    memset(state->constant, 0, sizeof state->constant);
}

static void walk_registers(struct walk *walk)
{
    const struct check_facts *facts = walk->facts;
    if (!walk->checker->threaded)
        return;
    for (unsigned file = 0; file < 2; file++) {
        unsigned address = facts->port[file];
        if (address >= 16 && address < 32)
            REPORT(walk, CHECK_HIGH_REGISTER, FLOW_NONE, file * 32 + address,
                   "%s is used in a threaded program", check_read_name(file, address));
        const struct check_write *write = &facts->write[file];
        if (write->present && write->address >= 16 && write->address < 32)
            REPORT(walk, CHECK_HIGH_REGISTER, FLOW_NONE, write->file_b * 32u + write->address,
                   "%s is used in a threaded program",
                   check_write_name(write->file_b, write->address));
    }
}

/* --- the end of the program --- */

static void end_rows(struct walk *walk)
{
    const struct state *state = &walk->state;
    const struct checker *checker = walk->checker;
    uint64_t read = state->inputs.may, written = state->outputs.may;
    int inputs = checker->entry.rows,
        outputs = checker->kind == TESS_SHADER_VERTEX ? VERTEX_ROWS : COORDINATE_ROWS;
    if (!is_vertex(checker))
        return;
    if (inputs < 0)
        inputs = read && read != UINT64_MAX ? 64 - __builtin_clzll(read) : 0;
    if (written && written != UINT64_MAX && 64 - __builtin_clzll(written) > outputs)
        outputs = 64 - __builtin_clzll(written);
    for (int row = 0; row < inputs && row < 64; row++)
        if (!(read >> row & 1))
            REPORT(walk, CHECK_ATTRIBUTE_LEFT, FLOW_NONE, (uint32_t)row,
                   "row %d of the attributes is not read", row);
    for (int row = 0; row < outputs && row < 64; row++)
        if (!(written >> row & 1))
            REPORT(walk, CHECK_OUTPUT_LEFT, FLOW_NONE, (uint32_t)row,
                   "row %d of the shaded vertex is not written", row);
}

static void end_varyings(struct walk *walk)
{
    struct range read = walk->state.varyings;
    int wanted = walk->checker->entry.varyings;
    if (walk->checker->kind != TESS_SHADER_FRAGMENT)
        return;
    if (wanted >= 0 && read.high != UNLIMITED && read.high < wanted)
        REPORT(walk, CHECK_VARYING_LEFT, FLOW_NONE, 0,
               "%u of %d varyings are read before the program ends", read.high, wanted);
    if (wanted >= 0 && walk->state.varyings_used.low > wanted)
        REPORT(walk, CHECK_VARYING_EXTRA, FLOW_NONE, 0, "%u varyings are read, but there are %d",
               walk->state.varyings_used.low, wanted);
    if (read.low != read.high)
        report_title(walk, CHECK_VARYING_DIFFER, FLOW_NONE);
}

/* With the program end the reads of varyings and of the VPM are over. */
static void walk_end(struct walk *walk)
{
    const struct state *state = &walk->state;
    if (!(walk->facts->accesses & ACCESS_END))
        return;
    end_varyings(walk);
    end_rows(walk);
    if (state->vpm_left.low)
        REPORT(walk, CHECK_VPM_LEFT, state->vpm_setup_at, 0,
               "%u vectors are left in the VPM's queue", state->vpm_left.low);
    if (state->may_switch && !state->may_last)
        report_title(walk, CHECK_SWITCH_NO_LAST, FLOW_NONE);
}

/* Behind the last instruction. */
static void walk_last(struct walk *walk)
{
    const struct state *state = &walk->state;
    if (walk->checker->flow.nodes[walk->node].at.end != 2)
        return;
    for (unsigned tmu = 0; tmu < 2; tmu++) {
        const struct queue *queue = &state->tmu[tmu];
        if (queue->results.low)
            REPORT(walk, CHECK_TMU_LEFT, FLOW_NONE, tmu, "%u result%s of TMU %u %s never collected",
                   queue->results.low, queue->results.low == 1 ? "" : "s", tmu,
                   queue->results.low == 1 ? "is" : "are");
        if (queue->parameters.low)
            REPORT(walk, CHECK_TMU_UNFINISHED, FLOW_NONE, tmu, "TMU %u has parameters, but no s",
                   tmu);
    }
    if (state->must_hold)
        report_title(walk, CHECK_MUTEX_HELD, state->hold_at);
    if (state->may_lock && !state->may_unlock && walk->checker->fresh &&
        walk->checker->kind == TESS_SHADER_FRAGMENT)
        report_title(walk, CHECK_UNLOCK_MISSING, FLOW_NONE);
}

static void walk_varyings(struct walk *walk)
{
    const struct check_facts *facts = walk->facts;
    bool used = false;
    if (!(facts->accesses & ACCESS_VARYING))
        return;
    for (unsigned file = 0; file < 2; file++)
        used |= facts->port[file] == QPU_RD_VARYING &&
                facts->port_condition[file] != QPU_COND_NEVER;
    walk->state.varyings = add_range(walk->state.varyings, 1, 1);
    walk->state.varyings_used = add_range(walk->state.varyings_used, used, used);
}

static void walk_node(struct walk *walk)
{
    walk_undefined(walk);
    walk_lost(walk);
    walk_registers(walk);
    walk_vpm(walk);
    walk_tmu(walk);
    walk_scoreboard(walk);
    walk_mutex(walk);
    walk_switch(walk);
    walk_varyings(walk);
    walk_end(walk);
    walk_last(walk);
    define_results(walk);
    keep_constants(walk);
    finish_switch(walk);
}

/* --- until nothing changes --- */

static void start_walk(struct walk *walk, struct checker *checker, const struct state *states,
                       uint32_t node, bool silent)
{
    walk->checker = checker;
    walk->state = states[node];
    walk->node = node;
    walk->word = checker->flow.nodes[node].at.word;
    walk->facts = &checker->facts[walk->word];
    walk->silent = silent;
}

/* Takes the state behind a node to those that follow. */
static void spread(struct checker *checker, struct state *states, const struct walk *walk,
                   uint8_t *visits, uint32_t *queue, bool *queued, uint32_t *tail)
{
    const struct flow *flow = &checker->flow;
    const struct flow_node *node = &flow->nodes[walk->node];
    struct state unknown;
    anything(&unknown);
    for (uint32_t i = 0; i < node->next_count; i++) {
        const struct flow_edge *edge = &flow->edges[flow->next[node->next + i]];
        bool widen = visits[edge->to] >= VISITS_MAX;
        if (!merge(&states[edge->to], edge->unknown ? &unknown : &walk->state, widen) ||
            queued[edge->to])
            continue;
        visits[edge->to] += !widen;
        queued[edge->to] = true;
        queue[*tail] = edge->to;
        *tail = (*tail + 1) % flow->node_count;
    }
}

/* False if it takes too long. */
static bool settle(struct checker *checker, struct state *states, uint8_t *visits, uint32_t *queue,
                   bool *queued)
{
    uint32_t head = 0, tail = 1 % checker->flow.node_count;
    uint64_t left = (uint64_t)checker->flow.node_count * STEPS_PER_NODE;
    queue[0] = 0;
    queued[0] = true;
    for (; queued[queue[head]] && left > 0; left--) {
        struct walk walk;
        uint32_t node = queue[head];
        head = (head + 1) % checker->flow.node_count;
        queued[node] = false;
        start_walk(&walk, checker, states, node, true);
        walk_node(&walk);
        spread(checker, states, &walk, visits, queue, queued, &tail);
    }
    return left > 0;
}

bool check_program(struct checker *checker)
{
    uint32_t count = checker->flow.node_count;
    struct state *states = calloc(count, sizeof *states);
    uint8_t *visits = calloc(count, sizeof *visits);
    uint32_t *queue = calloc(count, sizeof *queue);
    bool *queued = calloc(count, sizeof *queued);
    bool good = states && visits && queue && queued;
    if (good) {
        bool part = checker->input->partial && !checker->ends;
        if (checker->fresh && !checker->flow.unknown && !checker->flow.limited && !part)
            begin(&states[0], checker->kind);
        else
            anything(&states[0]);
        bool settled = settle(checker, states, visits, queue, queued);
        for (uint32_t i = 0; settled && i < count; i++) {
            struct walk walk;
            start_walk(&walk, checker, states, i, false);
            if (walk.state.reached)
                walk_node(&walk);
        }
        if (!settled || checker->flow.limited)
            found(checker, CHECK_LIMIT, checker->flow.nodes[0].at.word, ABOUT_NOTHING, "%s",
                  check_rule(CHECK_LIMIT)->title);
    }
    free(states);
    free(visits);
    free(queue);
    free(queued);
    return good;
}
