/* SPDX-License-Identifier: MIT */
/* run_ahead.c - see run_ahead.h.
 *
 * Source: manual sections 2 and 3 for the units that QPUs and slices share.
 * Choices: the length of a run-ahead. A program does not run far ahead of the slowest program, so
 *          that programs access shared units at similar times. The window of instructions per
 *          run-ahead becomes larger while programs use all of it, so that host threads wait less
 *          often. */
#include "vc4/run/run_ahead.h"

#include <string.h>

#include "base/order.h"
#include "vc4/time/timing.h"

enum {
    TURN = 1024,             /* number of instructions after which the next program of the slice
                                runs */
    LOOKUPS = 256,           /* TMU requests after which a program stops */
    WORTH_A_THREAD = 1 << 12 /* number of executed instructions above which several host threads are
                                used */
};

void run_ahead_work_init(struct run_ahead_work *work, const struct fault_log *log)
{
    mutex_init(&work->lock);
    for (unsigned i = 0; i < SLICES; i++) {
        struct run_ahead_slice *slice = &work->slice[i];
        slice->log.kept = &slice->kept;
        slice->log.strict = log->strict;
        slice->log.most = log->most;
    }
}

void run_ahead_work_free(struct run_ahead_work *work)
{
    for (unsigned i = 0; i < SLICES; i++) {
        fault_kept_free(&work->slice[i].kept);
        race_reads_free(&work->slice[i].reads);
        instruction_profile_free(&work->slice[i].insn_profile);
    }
    for (unsigned i = 0; i < QPU_COUNT; i++)
        deferred_free(&work->deferred[i]);
    mutex_destroy(&work->lock);
}

void run_ahead_reset(struct run_ahead *run_ahead)
{
    run_ahead->window = RUN_AHEAD_SHORTEST;
    run_ahead->pause = 0;
    run_ahead->side_by_side = false;
}

/* --- slices --- */

static void open_slice(const struct run_ahead_ports *ports, struct run_ahead_slice *slice)
{
    slice->log.place = ports->log->place;
    slice->counts = (struct pctr_counts){0};
    slice->next = 0;
    slice->taken = false;
    bus_view(&slice->bus, ports->bus, &slice->log, NULL);
}

/* Forwards the findings, reads and counts of the run-ahead to the shared state. */
static void close_slice(const struct run_ahead_ports *ports, struct run_ahead_slice *slice)
{
    fault_forward(ports->log, &slice->log);
    if (ports->race)
        race_look_at(ports->race, &slice->reads);
    pctr_merge(ports->counts, &slice->counts);
}

/* --- one program --- */

/* Runs a program for a turn. Sets the program's remaining instructions to 0 if the program stopped
 * early, or has reached the horizon or the limit of lookups. */
static void run_program(const struct run_ahead_ports *ports, uint32_t number,
                        struct qpu_cache *instructions)
{
    struct run_ahead_program *program = &ports->work->program[number];
    struct qpu *qpu = &ports->qps->user[number];
    struct qpu_ports alone = ports->alone[number];
    uint64_t before = qpu->instructions, turn = least_u64(TURN, program->left);
    alone.cache = instructions;
    qpu_run_turn(qpu, &alone, turn, least_u64(QPS_MORE, program->left - turn));
    uint64_t executed = qpu->instructions - before;
    program->executed += executed;
    program->left -= executed;
    if (executed < turn || qpu_time(qpu) >= ports->work->horizon ||
        ports->qps->user_tmu[number].lookups - program->lookups >= LOOKUPS)
        program->left = 0;
}

/* --- host threads --- */

static uint64_t work_left(const struct run_ahead_work *work, uint32_t slice)
{
    uint64_t left = 0;
    for (uint32_t i = 0; i < SLICE_QPUS; i++)
        left += work->program[slice * SLICE_QPUS + i].left;
    return left;
}

/* Releases the slice `had`, which this thread has just run (SLICES if none). Then marks the free
 * slice with the most remaining instructions as taken, and returns its number. Returns SLICES if no
 * free slice has instructions left. */
static uint32_t take_slice(struct run_ahead_work *work, uint32_t had)
{
    uint32_t best = SLICES;
    uint64_t most = 0;
    mutex_lock(&work->lock);
    if (had < SLICES)
        work->slice[had].taken = false;
    for (uint32_t i = 0; i < SLICES; i++) {
        uint64_t left = work->slice[i].taken ? 0 : work_left(work, i);
        if (left <= most)
            continue;
        best = i;
        most = left;
    }
    if (best < SLICES)
        work->slice[best].taken = true;
    mutex_unlock(&work->lock);
    return best;
}

/* Returns the number of the next QPU of a slice that has instructions left. At least one of the
 * slice's QPUs must have instructions left. */
static uint32_t next_program(struct run_ahead_work *work, uint32_t slice)
{
    uint32_t *next = &work->slice[slice].next, number;
    do {
        number = slice * SLICE_QPUS + *next;
        *next = (*next + 1) % SLICE_QPUS;
    } while (work->program[number].left == 0);
    return number;
}

/* Runs programs until no free slice has instructions left. This function has the type
 * pool_task. */
static void run_slices(void *user, uint32_t index, void *instructions)
{
    (void)index;
    const struct run_ahead_ports *ports = user;
    uint32_t slice = SLICES;
    while ((slice = take_slice(ports->work, slice)) < SLICES)
        run_program(ports, next_program(ports->work, slice), instructions);
}

static void run_all(const struct run_ahead *run_ahead, const struct run_ahead_ports *ports)
{
    uint32_t slices = 0;
    for (uint32_t i = 0; i < SLICES; i++)
        slices += work_left(ports->work, i) > 0;
    /* With several threads, the order of accesses would vary, but a bus_watch must see pages, and
     * an observer accesses, in a fixed order. */
    if (ports->threads->pool && run_ahead->side_by_side && !ports->bus->watch &&
        !ports->bus->observer)
        pool_run(ports->threads->pool, run_slices, (void *)ports, slices, ports->instructions);
    else
        run_slices((void *)ports, 0, ports->instructions);
}

/* --- run-ahead --- */

/* Returns a program's window: the number of instructions that the program may execute in the
 * run-ahead. At least one turn remains between the window and the program's own instruction
 * limit. */
static uint64_t window_of(const struct run_ahead *run_ahead, const struct budget *budget,
                          const struct qpu *qpu)
{
    uint64_t limit = budget_program_limit(budget), own = qpu->instructions + QPS_TURN;
    return least_u64(run_ahead->window, own < limit ? limit - own : 0);
}

/* Sets the windows of all programs and the horizon. Returns the number of programs that have a
 * window. */
static uint32_t give_windows(const struct run_ahead *run_ahead, const struct run_ahead_ports *ports)
{
    struct run_ahead_program *program = ports->work->program;
    uint64_t slowest = UINT64_MAX;
    uint32_t programs = 0;
    for (uint32_t i = 0; i < QPU_COUNT; i++) {
        const struct qpu *qpu = &ports->qps->user[i];
        program[i] = (struct run_ahead_program){.lookups = ports->qps->user_tmu[i].lookups};
        if (qpu->state != QPU_RUNNING)
            continue;
        program[i].left = window_of(run_ahead, ports->budget, qpu);
        programs += program[i].left > 0;
        slowest = least_u64(slowest, qpu_time(qpu));
    }
    ports->work->horizon = slowest + run_ahead->window * TIMING_INSTRUCTION;
    return programs;
}

static bool is_worth_it(const struct run_ahead *run_ahead, const struct budget *budget,
                        uint32_t programs)
{
    return programs > 1 && budget->instructions_left >= programs * (run_ahead->window + QPS_TURN);
}

/* Prepares slices and programs. Programs whose time is already past the horizon do not take
 * part. */
static void begin(const struct run_ahead_ports *ports)
{
    struct run_ahead_work *work = ports->work;
    shared_units_part(ports->slices);
    for (uint32_t i = 0; i < SLICES; i++)
        open_slice(ports, &work->slice[i]);
    for (uint32_t i = 0; i < QPU_COUNT; i++) {
        struct run_ahead_program *program = &work->program[i];
        struct qpu *qpu = &ports->qps->user[i];
        if (program->left && qpu_time(qpu) >= work->horizon)
            program->left = 0;
        program->runs = program->left > 0;
        if (!program->runs)
            continue;
        deferred_begin(&work->deferred[i], qpu, ports->bus, ports->alone[i].insn_profile);
    }
}

/* Processes the deferred memory requests of all programs in the order of time, and delays the
 * programs that had to wait. */
static void settle_trips(const struct run_ahead_ports *ports)
{
    struct run_ahead_work *work = ports->work;
    struct deferred_requests *all[QPU_COUNT];
    unsigned count = 0;
    for (uint32_t i = 0; i < QPU_COUNT; i++)
        if (work->program[i].runs)
            all[count++] = &work->deferred[i];
    deferred_settle(all, count, ports->contention);
}

/* Ends the run-ahead. Returns the number of instructions executed. */
static uint64_t finish(const struct run_ahead_ports *ports)
{
    struct run_ahead_work *work = ports->work;
    uint64_t executed = 0;
    shared_units_join(ports->slices);
    for (uint32_t i = 0; i < QPU_COUNT; i++)
        executed += work->program[i].executed;
    for (uint32_t i = 0; i < SLICES; i++)
        close_slice(ports, &work->slice[i]);
    settle_trips(ports);
    return executed;
}

/* Chooses the window and the number of threads of the next run-ahead from the number of executed
 * instructions. The choice does not depend on the host. */
static void adapt(struct run_ahead *run_ahead, uint32_t programs, uint64_t executed)
{
    if (executed >= programs * run_ahead->window / 2 && run_ahead->window < RUN_AHEAD_LONGEST)
        run_ahead->window *= 2;
    else if (executed < programs * run_ahead->window / 8 && run_ahead->window > RUN_AHEAD_SHORTEST)
        run_ahead->window /= 2;
    if (executed < programs * QPS_TURN)
        run_ahead->pause = RUN_AHEAD_PAUSE;
    run_ahead->side_by_side = executed >= WORTH_A_THREAD;
}

bool run_ahead_run(struct run_ahead *run_ahead, const struct run_ahead_ports *ports)
{
    if (run_ahead->pause) {
        run_ahead->pause--;
        return false;
    }
    uint32_t programs = give_windows(run_ahead, ports);
    if (!is_worth_it(run_ahead, ports->budget, programs))
        return false;
    begin(ports);
    run_all(run_ahead, ports);
    adapt(run_ahead, programs, finish(ports));
    return true;
}
