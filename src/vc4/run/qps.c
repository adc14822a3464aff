/* SPDX-License-Identifier: MIT */
/* qps.c - see qps.h.
 *
 * Source:   manual sections 2 and 3 (QPU scheduler), tables 62 to 68.
 * Modelled: the queue of user programs with its counts and its error bit; the bits that reserve
 *           QPUs.
 * Choices:  requests go to the free QPU with the lowest number; the manual does not specify the
 *           order.
 * Differs:  a value of 0 in V3D_SRQUL does not disable the uniforms, although it does in manual
 *           table 67, because GPU_FFT never writes the register (gpu_fft_base.c). */
#include "vc4/run/qps.h"

#include <string.h>

#include "base/bits.h"
#include "base/order.h"
#include "base/text.h"
#include "vc4/qpu/program.h"
#include "vc4/run/run_ahead.h"
#include "vc4/watch/race.h"

enum { RESERVED_USER = 1 << 0 };

void qps_reset(struct qps *qps)
{
    *qps = (struct qps){0};
}

static bool reserved(const struct qps_ports *ports, uint32_t number, uint32_t bit)
{
    uint32_t reserve[2] = {0};
    v3d_reservations(ports->v3d, ports->qpus, reserve);
    return reserve[number / 8] >> (number % 8 * 4) & bit;
}

static void spend_instructions(struct qps *qps, const struct qps_ports *ports, uint64_t executed)
{
    qps->instructions += executed;
    budget_spend(ports->budget, executed);
}

/* --- user programs --- */

void qps_request_program(struct qps *qps, const struct qps_ports *ports, uint32_t pc)
{
    qps->requests++;
    if (qps->error || qps->count == QPS_QUEUE) {
        qps->error = true;
        fault_at(ports->log, FAULT_REGISTER_ACCESS, V3D_SRQPC,
                 "the user program queue is full (%u requests); this request is dropped",
                 QPS_QUEUE);
        return;
    }
    qps->queue[(qps->first + qps->count++) % QPS_QUEUE] = (struct qps_request){
        .pc = pc, .uniforms = qps->uniforms, .uniforms_length = qps->uniforms_length};
}

enum {
    SRQCS_LENGTH_CLEAR = 1 << 0,
    SRQCS_ERROR = 1 << 7,
    SRQCS_REQUESTS_CLEAR = 1 << 8,
    SRQCS_COMPLETED_CLEAR = 1 << 16,
};

uint32_t qps_read_status(const struct qps *qps)
{
    return qps->count | (qps->error ? SRQCS_ERROR : 0u) | (uint32_t)qps->requests << 8 |
           (uint32_t)qps->completed << 16;
}

void qps_write_status(struct qps *qps, uint32_t value)
{
    if (value & SRQCS_LENGTH_CLEAR)
        qps->count = 0;
    if (value & SRQCS_ERROR)
        qps->error = false;
    if (value & SRQCS_REQUESTS_CLEAR)
        qps->requests = 0;
    if (value & SRQCS_COMPLETED_CLEAR)
        qps->completed = 0;
}

static bool resident(const struct qpu *qpu)
{
    return qpu->state == QPU_RUNNING || qpu->state == QPU_WAITING;
}

static bool any_resident(const struct qps *qps)
{
    for (unsigned i = 0; i < QPU_COUNT; i++)
        if (resident(&qps->user[i]))
            return true;
    return false;
}

bool qps_busy(const struct qps *qps)
{
    return qps->count || any_resident(qps);
}

bool qps_is_loading(const struct qps *qps)
{
    for (unsigned i = 0; i < QPU_COUNT; i++) {
        const struct vpm_dma *load = &qps->user_vpm[i].load;
        if (resident(&qps->user[i]) && load->pending && load->ready > qpu_time(&qps->user[i]))
            return true;
    }
    return false;
}

/* Returns the length of a program's uniform stream in words. V3D_SRQUL contains the length if its
 * value is 1 to 1023. Larger values mean no limit (manual table 67). In this model, 0 also means no
 * limit (see "Differs" above). */
static uint32_t uniform_limit(const struct qps_request *request)
{
    enum { LONGEST = 1023 };
    uint32_t length = request->uniforms_length;
    return length == 0 || length > LONGEST ? UINT32_MAX : length;
}

static void start_program(struct qps *qps, const struct qps_ports *ports, uint32_t number,
                          const struct qps_request *request)
{
    struct qpu *qpu = &qps->user[number];
    qpu_start(qpu, QPU_USER, number, request->pc, request->uniforms);
    if (ports->profile->by_instruction)
        qpu->code = profile_code(ports->bus, request->pc);
    qpu_time_start(qpu, ports->slices, 0);
    if (qpu->uniforms_enabled)
        qpu->uniforms_left = uniform_limit(request);
    vpm_port_user(&qps->user_vpm[number], number, ports->v3d->vpm_base * VPM_RESERVE_ROWS);
    tmu_reset(&qps->user_tmu[number]);
    tmu_start(&qps->user_tmu[number], ports->qpu[number].tmu_ports, number);
    if (ports->race)
        race_start(ports->race, number);
    qps->shader_runs++;
}

static void report_semaphore(struct qps *qps, const struct qps_ports *ports, uint32_t number)
{
    uint32_t value = ports->shared->semaphore[number], pc = ports->shared->released_at[number];
    uint32_t qpu = ports->shared->released_by[number];
    const uint8_t *bytes = bus_peek(ports->bus, pc, 8);
    uint64_t word = bytes ? load_le64(bytes) : 0;
    fault_enter_shader(ports->log, qps->user[qpu].start, pc, bytes ? &word : NULL, qpu);
    fault(ports->log, FAULT_QPU_SEMAPHORE_LEFT,
          "all programs have ended, but semaphore %u is still %u: it was released more often than "
          "acquired, last by this instruction",
          number, value);
    fault_leave_shader(ports->log);
}

/* Reports every semaphore whose value is higher than when the programs started. Semaphores keep
 * their values for the programs that start next. */
static void look_at_semaphores(struct qps *qps, const struct qps_ports *ports)
{
    for (uint32_t number = 0; number < QPU_SEMAPHORES; number++)
        if (ports->shared->semaphore[number] > qps->semaphore[number])
            report_semaphore(qps, ports, number);
}

/* Prepares the shared state when a program starts while no program is resident. The host may have
 * changed memory since the last program ended. */
static void begin_group(struct qps *qps, const struct qps_ports *ports)
{
    run_ahead_reset(ports->run_ahead);
    contention_begin(ports->contention);
    ports->shared->interrupted = 0;
    memcpy(qps->semaphore, ports->shared->semaphore, sizeof qps->semaphore);
    if (ports->race)
        race_clear_caches(ports->race);
}

static bool start_queued(struct qps *qps, const struct qps_ports *ports)
{
    bool any = false;
    if (qps->count && !any_resident(qps))
        begin_group(qps, ports);
    for (uint32_t number = 0; number < QPU_COUNT && qps->count; number++) {
        if (resident(&qps->user[number]) || reserved(ports, number, RESERVED_USER))
            continue;
        struct qps_request request = qps->queue[qps->first];
        qps->first = (qps->first + 1) % QPS_QUEUE;
        qps->count--;
        start_program(qps, ports, number, &request);
        any = true;
    }
    return any;
}

/* Subtracts executed instructions from the instruction limit of the run, and handles the program's
 * new state: end, hang, or instruction limit. */
static void settle(struct qps *qps, const struct qps_ports *ports, struct qpu *qpu,
                   uint64_t executed)
{
    spend_instructions(qps, ports, executed);
    if (qpu->state == QPU_LIMIT) {
        qpu->state = QPU_RUNNING;
        if (qpu->instructions >= budget_program_limit(ports->budget) ||
            ports->budget->instructions_left == 0)
            budget_end_at_program(ports->budget, ports->log, ports->bus, qpu);
    }
    if (qpu->state == QPU_ENDED || qpu->state == QPU_BROKEN) {
        profile_run(ports->profile, qpu);
        qpu_time_end(qpu, ports->slices);
    }
    if (qpu->state == QPU_ENDED)
        qps->completed++;
    if (qpu->state == QPU_BROKEN)
        qps->stuck = true;
}

/* Runs one program for a turn. Returns true if the program executed an instruction or ended. */
static bool take_turn(struct qps *qps, const struct qps_ports *ports, uint32_t number)
{
    struct qpu *qpu = &qps->user[number];
    uint64_t before = qpu->instructions;
    uint64_t left = least_u64(budget_program_limit(ports->budget) - before,
                              ports->budget->instructions_left);
    uint64_t turn = least_u64(QPS_TURN, left);
    enum qpu_state state = qpu_run_turn(qpu, &ports->qpu[number], turn,
                                        least_u64(QPS_MORE, left - turn));
    uint64_t executed = qpu->instructions - before;
    settle(qps, ports, qpu, executed);
    return executed > 0 || state == QPU_ENDED;
}

/* Runs programs ahead (run_ahead.h). Returns true if any program executed an instruction. */
static bool go_on_alone(struct qps *qps, const struct qps_ports *ports)
{
    bool moved = false;
    if (!run_ahead_run(ports->run_ahead, &ports->ahead))
        return false;
    for (uint32_t number = 0; number < QPU_COUNT; number++) {
        const struct run_ahead_program *program = &ports->ahead.work->program[number];
        if (program->runs)
            settle(qps, ports, &qps->user[number], program->executed);
        moved |= program->executed > 0;
    }
    return moved;
}

uint64_t qps_now(const struct qps *qps, const struct qps_ports *ports)
{
    uint64_t now = ports->slices->end;
    for (uint32_t number = 0; number < QPU_COUNT; number++)
        if (resident(&qps->user[number]))
            now = most_u64(now, qpu_time(&qps->user[number]));
    return now;
}

static const struct qpu *slowest_program(const struct qps *qps)
{
    const struct qpu *slowest = NULL;
    for (uint32_t number = 0; number < QPU_COUNT; number++) {
        const struct qpu *qpu = &qps->user[number];
        if (qpu->state == QPU_RUNNING && (!slowest || qpu_time(qpu) < qpu_time(slowest)))
            slowest = qpu;
    }
    return slowest;
}

/* Ends the run if the slowest running program has reached the clock limit. Programs that would end
 * before the limit are not stopped. */
static void look_at_clock(struct qps *qps, const struct qps_ports *ports)
{
    const struct qpu *slowest = slowest_program(qps);
    if (slowest)
        budget_check_clock(ports->budget, qpu_time(slowest));
}

void qps_report_late(struct qps *qps, const struct qps_ports *ports)
{
    const struct qpu *slowest = slowest_program(qps);
    if (slowest)
        program_report_clocks(ports->log, ports->bus, slowest);
}

/* Limits each program to one acquisition of the mutex per turn, if there are several programs.
 * Otherwise a program could acquire the mutex many times in its turn, although another program
 * tried to acquire the mutex at an earlier time. */
static void share_mutex(struct qps *qps, const struct qps_ports *ports)
{
    unsigned programs = 0;
    for (uint32_t number = 0; number < QPU_COUNT; number++)
        programs += resident(&qps->user[number]);
    ports->shared->mutex_once = programs > 1;
    ports->shared->mutex_taken = 0;
}

static void begin_round(struct qps *qps, const struct qps_ports *ports)
{
    ports->log->place.known = 0;
    qps->moved = start_queued(qps, ports);
    share_mutex(qps, ports);
}

/* Runs the programs whose turns are left in this round. */
static void take_turns(struct qps *qps, const struct qps_ports *ports)
{
    const struct budget *budget = ports->budget;
    while (qps->turn < QPU_COUNT && !budget->used_up && !budget->paused) {
        uint32_t number = qps->turn++;
        if (!resident(&qps->user[number]))
            continue;
        qps->moved |= take_turn(qps, ports, number);
        if (!budget->used_up)
            budget_step(ports->budget);
    }
}

bool qps_step(struct qps *qps, const struct qps_ports *ports)
{
    if (qps->turn == 0)
        begin_round(qps, ports);
    take_turns(qps, ports);
    if (ports->budget->paused)
        return false;
    qps->turn = 0;
    bool moved = qps->moved;
    if (!ports->budget->used_up)
        moved |= go_on_alone(qps, ports);
    if (!ports->budget->used_up)
        look_at_clock(qps, ports);
    if (moved && !qps->stuck && !qps_busy(qps))
        look_at_semaphores(qps, ports);
    return moved;
}

static void stop_program(struct qps *qps, const struct qps_ports *ports, uint32_t number)
{
    struct qpu *qpu = &qps->user[number];
    if (resident(qpu)) {
        profile_run(ports->profile, qpu);
        qpu_time_end(qpu, ports->slices);
    }
    qpu->state = QPU_IDLE;
}

void qps_stop(struct qps *qps, const struct qps_ports *ports)
{
    struct qpu_shared *shared = ports->shared;
    for (uint32_t number = 0; number < QPU_COUNT; number++)
        stop_program(qps, ports, number);
    qps->count = 0;
    memset(shared->semaphore, 0, sizeof shared->semaphore);
    memset(shared->given, 0, sizeof shared->given);
    shared->mutex_held = shared->mutex_left = false;
    if (ports->race)
        race_host(ports->race);
}

/* --- deadlocks --- */

static const char *state_text(const struct qpu *qpu)
{
    return qpu->state == QPU_WAITING  ? " (that QPU also waits)"
           : qpu->state == QPU_BROKEN ? " (that QPU hangs)"
           : qpu->state == QPU_ENDED  ? " (that QPU's program has ended)"
                                      : "";
}

/* Appends the addresses of instructions with which programs on other QPUs could end the wait for a
 * semaphore. */
static void add_helpers(struct qps *qps, const struct qps_ports *ports, const struct qpu *waiting,
                        struct text *text)
{
    bool acquires = waiting->wait == QPU_WAIT_SEMAPHORE_RELEASE, found = false;
    const char *verb = acquires ? "acquire" : "release";
    for (unsigned i = 0; i < QPU_COUNT; i++) {
        const struct qpu *qpu = &qps->user[i];
        uint32_t where;
        if (qpu == waiting || qpu->state == QPU_IDLE ||
            !program_find_semaphore(ports->bus, qpu->start, waiting->wait_semaphore, acquires,
                                    &where))
            continue;
        text_put(text, "; QPU %u could %s it at 0x%08x%s", i, verb, where, state_text(qpu));
        found = true;
    }
    if (!found)
        text_put(text, "; no program on another QPU could %s it", verb);
}

static void add_wait(struct qps *qps, const struct qps_ports *ports, const struct qpu *qpu,
                     struct text *text)
{
    char wait[96];
    text_put(text, "%s", qpu_wait_text(qpu, ports->shared, wait, sizeof wait));
    if (qpu->wait != QPU_WAIT_MUTEX)
        add_helpers(qps, ports, qpu, text);
    else if (!ports->shared->mutex_left)
        text_put(text, "%s", state_text(&qps->user[ports->shared->mutex_owner]));
}

static void report_waits(const struct qps_ports *ports, const struct qpu *first, uint32_t qpus,
                         const char *wait)
{
    bool several = qpus & (qpus - 1);
    char hint[200];
    qpu_wait_hint(first, ports->shared, hint, sizeof hint);
    program_enter(ports->log, ports->bus, first);
    ports->log->place.qpus = several ? qpus : 0;
    if (several)
        fault(ports->log, FAULT_QPU_STUCK, "%d QPUs wait for %s" WITH_HINT "%s",
              __builtin_popcount(qpus), wait, hint);
    else
        fault(ports->log, FAULT_QPU_STUCK, "QPU %u waits for %s" WITH_HINT "%s", first->number,
              wait, hint);
    ports->log->place.qpus = 0;
    fault_leave_shader(ports->log);
}

/* Reports a wait. QPUs that wait at the same instruction for the same event share one finding. */
static void report_wait(struct qps *qps, const struct qps_ports *ports, const struct qpu *first,
                        uint32_t *reported)
{
    char wait[480] = "";
    uint32_t qpus = 0;
    add_wait(qps, ports, first, &(struct text){wait, sizeof wait, 0});
    for (unsigned i = first->number; i < QPU_COUNT; i++) {
        const struct qpu *qpu = &qps->user[i];
        char same[480] = "";
        if (qpu->state != QPU_WAITING || qpu->pc != first->pc || *reported >> i & 1)
            continue;
        add_wait(qps, ports, qpu, &(struct text){same, sizeof same, 0});
        qpus |= (strcmp(wait, same) == 0 ? UINT32_C(1) : 0) << i;
    }
    report_waits(ports, first, qpus, wait);
    *reported |= qpus;
}

void qps_report_stuck(struct qps *qps, const struct qps_ports *ports)
{
    uint32_t reported = 0;
    ports->log->place.known = 0;
    for (unsigned i = 0; i < QPU_COUNT; i++)
        if (qps->user[i].state == QPU_WAITING && !(reported >> i & 1))
            report_wait(qps, ports, &qps->user[i], &reported);
    if (qps->count)
        fault(ports->log, FAULT_QPU_STUCK,
              "%u user programs wait for a free QPU" WITH_HINT
              "end the running programs, and clear the bits of V3D_SQRSV0 and V3D_SQRSV1 that "
              "reserve QPUs against user programs",
              qps->count);
}
