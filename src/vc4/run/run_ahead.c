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
#include "vc4/device/device.h"
#include "vc4/run/job_pool.h"
#include "vc4/run/qps.h"
#include "vc4/time/timing.h"

enum {
    SHORTEST = 1024, /* smallest and largest window of a program, in instructions */
    LONGEST = 16384,
    TURN = 1024,             /* number of instructions after which the next program of the slice
                                runs */
    LOOKUPS = 256,           /* TMU requests after which a program stops */
    PAUSE = 8,               /* number of run-aheads that are skipped after one that was too
                                short */
    WORTH_A_THREAD = 1 << 12 /* number of executed instructions above which several host threads are
                                used */
};

void run_ahead_init(struct run_ahead *run_ahead)
{
    mutex_init(&run_ahead->lock);
    run_ahead_reset(run_ahead);
}

void run_ahead_free(struct run_ahead *run_ahead)
{
    for (unsigned i = 0; i < SLICES; i++) {
        fault_kept_free(&run_ahead->slice[i].kept);
        race_reads_free(&run_ahead->slice[i].reads);
        instruction_profile_free(&run_ahead->slice[i].insn_profile);
    }
    for (unsigned i = 0; i < QPU_COUNT; i++)
        deferred_free(&run_ahead->deferred[i]);
    mutex_destroy(&run_ahead->lock);
}

void run_ahead_reset(struct run_ahead *run_ahead)
{
    run_ahead->window = SHORTEST;
    run_ahead->pause = 0;
    run_ahead->side_by_side = false;
}

/* --- slices --- */

static struct run_ahead_slice *slice_of(struct run_ahead *run_ahead, uint32_t number)
{
    return &run_ahead->slice[number / SLICE_QPUS];
}

/* wire_alone() connects a program's TMUs to the private state of its slice. wire_back() connects
 * the TMUs to the shared state again. */
static void wire_alone(struct tess_vc4 *vc4, uint32_t number)
{
    struct run_ahead_slice *slice = slice_of(&vc4->run_ahead, number);
    struct tmu *tmu = &vc4->qps.user_tmu[number];
    tmu->bus = &slice->bus;
    tmu->log = &slice->log;
    tmu->counts = &slice->counts;
    tmu->reads = &slice->reads;
    if (tmu->l2)
        tmu->l2 = shared_units_l2(&vc4->slices, number);
}

static void wire_back(struct tess_vc4 *vc4, uint32_t number)
{
    struct tmu *tmu = &vc4->qps.user_tmu[number];
    qps_wire(vc4, number);
    if (tmu->l2)
        tmu->l2 = shared_units_l2(&vc4->slices, number);
}

static void open_slice(struct tess_vc4 *vc4, struct run_ahead_slice *slice)
{
    slice->log.kept = &slice->kept;
    slice->log.strict = vc4->options.strict;
    slice->log.most = vc4->options.shown;
    slice->log.place = vc4->log.place;
    slice->counts = (struct pctr_counts){0};
    slice->next = 0;
    slice->taken = false;
    bus_view(&slice->bus, &vc4->bus, &slice->log, NULL);
}

/* Forwards the findings, reads and counts of the run-ahead to the shared state. */
static void close_slice(struct tess_vc4 *vc4, struct run_ahead_slice *slice)
{
    fault_forward(&vc4->log, &slice->log);
    if (vc4->shared.race)
        race_look_at(vc4->shared.race, &slice->reads);
    pctr_merge(&vc4->counts, &slice->counts);
}

/* --- one program --- */

static struct qpu_ports ports_alone(struct tess_vc4 *vc4, uint32_t number,
                                    struct qpu_cache *instructions)
{
    struct run_ahead_slice *slice = slice_of(&vc4->run_ahead, number);
    struct qpu_ports ports = qps_ports(vc4, number);
    ports.bus = &slice->bus;
    ports.log = &slice->log;
    ports.counts = &slice->counts;
    ports.cache = instructions;
    ports.insn_profile = vc4->profile.by_instruction ? &slice->insn_profile : NULL;
    ports.deferred = &vc4->run_ahead.deferred[number];
    ports.alone = true;
    return ports;
}

/* Runs a program for a turn. Sets the program's remaining instructions to 0 if the program stopped
 * early, or has reached the horizon or the limit of lookups. */
static void run_program(struct tess_vc4 *vc4, uint32_t number, struct qpu_cache *instructions)
{
    struct run_ahead *run_ahead = &vc4->run_ahead;
    struct run_ahead_program *program = &run_ahead->program[number];
    struct qpu *qpu = &vc4->qps.user[number];
    struct qpu_ports ports = ports_alone(vc4, number, instructions);
    uint64_t before = qpu->instructions, turn = least_u64(TURN, program->left);
    ports.more = least_u64(QPS_MORE, program->left - turn);
    qpu_run(qpu, &ports, turn);
    uint64_t executed = qpu->instructions - before;
    program->executed += executed;
    program->left -= executed;
    if (executed < turn || qpu_time(qpu) >= run_ahead->horizon ||
        vc4->qps.user_tmu[number].lookups - program->lookups >= LOOKUPS)
        program->left = 0;
}

/* --- host threads --- */

static uint64_t work_left(const struct run_ahead *run_ahead, uint32_t slice)
{
    uint64_t left = 0;
    for (uint32_t i = 0; i < SLICE_QPUS; i++)
        left += run_ahead->program[slice * SLICE_QPUS + i].left;
    return left;
}

/* Releases the slice `had`, which this thread has just run (SLICES if none). Then marks the free
 * slice with the most remaining instructions as taken, and returns its number. Returns SLICES if no
 * free slice has instructions left. */
static uint32_t take_slice(struct run_ahead *run_ahead, uint32_t had)
{
    uint32_t best = SLICES;
    uint64_t most = 0;
    mutex_lock(&run_ahead->lock);
    if (had < SLICES)
        run_ahead->slice[had].taken = false;
    for (uint32_t i = 0; i < SLICES; i++) {
        uint64_t left = run_ahead->slice[i].taken ? 0 : work_left(run_ahead, i);
        if (left <= most)
            continue;
        best = i;
        most = left;
    }
    if (best < SLICES)
        run_ahead->slice[best].taken = true;
    mutex_unlock(&run_ahead->lock);
    return best;
}

/* Returns the number of the next QPU of a slice that has instructions left. At least one of the
 * slice's QPUs must have instructions left. */
static uint32_t next_program(struct run_ahead *run_ahead, uint32_t slice)
{
    uint32_t *next = &run_ahead->slice[slice].next, number;
    do {
        number = slice * SLICE_QPUS + *next;
        *next = (*next + 1) % SLICE_QPUS;
    } while (run_ahead->program[number].left == 0);
    return number;
}

/* Runs programs until no free slice has instructions left. This function has the type
 * job_pool_task. */
static void work(void *user, uint32_t index, struct qpu_cache *instructions)
{
    (void)index;
    struct tess_vc4 *vc4 = user;
    struct run_ahead *run_ahead = &vc4->run_ahead;
    uint32_t slice = SLICES;
    while ((slice = take_slice(run_ahead, slice)) < SLICES)
        run_program(vc4, next_program(run_ahead, slice), instructions);
}

static void work_all(struct tess_vc4 *vc4)
{
    uint32_t slices = 0;
    for (uint32_t i = 0; i < SLICES; i++)
        slices += work_left(&vc4->run_ahead, i) > 0;
    /* With several threads, the order of accesses would vary, but a bus_watch must see pages in a
     * fixed order. */
    if (vc4->jobs.pool && vc4->run_ahead.side_by_side && !vc4->bus.watch)
        job_pool_run(vc4->jobs.pool, work, vc4, slices, true);
    else
        work(vc4, 0, &vc4->instructions);
}

/* --- run-ahead --- */

/* Returns a program's window: the number of instructions that the program may execute in the
 * run-ahead. At least one turn remains between the window and the program's own instruction
 * limit. */
static uint64_t window_of(const struct tess_vc4 *vc4, const struct qpu *qpu)
{
    uint64_t limit = qps_program_limit(vc4), own = qpu->instructions + QPS_TURN;
    return least_u64(vc4->run_ahead.window, own < limit ? limit - own : 0);
}

/* Sets the windows of all programs and the horizon. Returns the number of programs that have a
 * window. */
static uint32_t give_windows(struct tess_vc4 *vc4)
{
    struct run_ahead *run_ahead = &vc4->run_ahead;
    uint64_t slowest = UINT64_MAX;
    uint32_t programs = 0;
    for (uint32_t i = 0; i < QPU_COUNT; i++) {
        const struct qpu *qpu = &vc4->qps.user[i];
        run_ahead->program[i] = (struct run_ahead_program){.lookups = vc4->qps.user_tmu[i].lookups};
        if (qpu->state != QPU_RUNNING)
            continue;
        run_ahead->program[i].left = window_of(vc4, qpu);
        programs += run_ahead->program[i].left > 0;
        slowest = least_u64(slowest, qpu_time(qpu));
    }
    run_ahead->horizon = slowest + run_ahead->window * TIMING_INSTRUCTION;
    return programs;
}

static bool is_worth_it(struct tess_vc4 *vc4, uint32_t programs)
{
    return programs > 1 && vc4->instructions_left >= programs * (vc4->run_ahead.window + QPS_TURN);
}

/* Prepares slices and programs. Programs whose time is already past the horizon do not take
 * part. */
static void begin(struct tess_vc4 *vc4)
{
    struct run_ahead *run_ahead = &vc4->run_ahead;
    shared_units_part(&vc4->slices);
    for (uint32_t i = 0; i < SLICES; i++)
        open_slice(vc4, &run_ahead->slice[i]);
    for (uint32_t i = 0; i < QPU_COUNT; i++) {
        struct run_ahead_program *program = &run_ahead->program[i];
        if (program->left && qpu_time(&vc4->qps.user[i]) >= run_ahead->horizon)
            program->left = 0;
        program->runs = program->left > 0;
        if (!program->runs)
            continue;
        wire_alone(vc4, i);
        deferred_begin(&run_ahead->deferred[i], &vc4->qps.user[i], &vc4->bus,
                       vc4->profile.by_instruction ? &slice_of(run_ahead, i)->insn_profile : NULL);
    }
}

/* Processes the deferred memory requests of all programs in the order of time, and delays the
 * programs that had to wait. */
static void settle_trips(struct tess_vc4 *vc4)
{
    struct deferred_requests *all[QPU_COUNT];
    unsigned count = 0;
    for (uint32_t i = 0; i < QPU_COUNT; i++)
        if (vc4->run_ahead.program[i].runs)
            all[count++] = &vc4->run_ahead.deferred[i];
    deferred_settle(all, count, &vc4->contention);
}

/* Ends the run-ahead. Returns the number of instructions executed. */
static uint64_t finish(struct tess_vc4 *vc4)
{
    uint64_t executed = 0;
    shared_units_join(&vc4->slices);
    for (uint32_t i = 0; i < QPU_COUNT; i++) {
        executed += vc4->run_ahead.program[i].executed;
        if (vc4->run_ahead.program[i].runs)
            wire_back(vc4, i);
    }
    for (uint32_t i = 0; i < SLICES; i++)
        close_slice(vc4, &vc4->run_ahead.slice[i]);
    settle_trips(vc4);
    return executed;
}

/* Chooses the window and the number of threads of the next run-ahead from the number of executed
 * instructions. The choice does not depend on the host. */
static void adapt(struct run_ahead *run_ahead, uint32_t programs, uint64_t executed)
{
    if (executed >= programs * run_ahead->window / 2 && run_ahead->window < LONGEST)
        run_ahead->window *= 2;
    else if (executed < programs * run_ahead->window / 8 && run_ahead->window > SHORTEST)
        run_ahead->window /= 2;
    if (executed < programs * QPS_TURN)
        run_ahead->pause = PAUSE;
    run_ahead->side_by_side = executed >= WORTH_A_THREAD;
}

bool run_ahead_run(struct tess_vc4 *vc4)
{
    struct run_ahead *run_ahead = &vc4->run_ahead;
    if (run_ahead->pause) {
        run_ahead->pause--;
        return false;
    }
    uint32_t programs = give_windows(vc4);
    if (!is_worth_it(vc4, programs))
        return false;
    begin(vc4);
    work_all(vc4);
    adapt(run_ahead, programs, finish(vc4));
    return true;
}
