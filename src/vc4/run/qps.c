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

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/bits.h"
#include "base/order.h"
#include "vc4/device/device.h"
#include "vc4/qpu/program.h"
#include "vc4/run/run_ahead.h"
#include "vc4/watch/race.h"

enum { RESERVED_USER = 1 << 0 };

static const uint64_t default_instructions = UINT64_C(16) << 20;
static const uint64_t default_total_instructions = UINT64_C(4) << 30;

void qps_reset(struct qps *qps)
{
    *qps = (struct qps){0};
}

static bool reserved(const struct tess_vc4 *vc4, uint32_t number, uint32_t bit)
{
    uint32_t reserve[2] = {0};
    v3d_reservations(vc4, reserve);
    return reserve[number / 8] >> (number % 8 * 4) & bit;
}

uint64_t qps_shader_limit(const struct tess_vc4 *vc4)
{
    return vc4->options.max_instructions ? vc4->options.max_instructions : default_instructions;
}

uint64_t qps_program_limit(const struct tess_vc4 *vc4)
{
    bool by_clock = vc4->clock_limit && !vc4->options.max_instructions;
    return by_clock ? UINT64_MAX : qps_shader_limit(vc4);
}

uint64_t qps_total_limit(const struct tess_vc4 *vc4)
{
    if (vc4->options.max_total_instructions)
        return vc4->options.max_total_instructions;
    return vc4->clock_limit ? UINT64_MAX : default_total_instructions;
}

static void spend_instructions(struct tess_vc4 *vc4, uint64_t executed)
{
    vc4->stats.instructions += executed;
    vc4->instructions_left -= executed;
}

/* Reports the given program as the one that reached the clock limit. Other programs that also
 * reached the limit are not reported. */
static void report_clocks(struct tess_vc4 *vc4, const struct qpu *qpu)
{
    program_report_clocks(&vc4->log, &vc4->bus, qpu);
}

static void report_limit(struct tess_vc4 *vc4, const struct qpu *qpu)
{
    program_report_limit(&vc4->log, &vc4->bus, qpu, qps_program_limit(vc4), qps_total_limit(vc4));
    vc4->out_of_budget = true;
}

/* --- user programs --- */

void qps_request_program(struct tess_vc4 *vc4, uint32_t pc)
{
    struct qps *qps = &vc4->qps;
    qps->requests++;
    if (qps->error || qps->count == QPS_QUEUE) {
        qps->error = true;
        fault_at(&vc4->log, FAULT_REGISTER_ACCESS, V3D_SRQPC,
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

uint32_t qps_read_status(const struct tess_vc4 *vc4)
{
    const struct qps *qps = &vc4->qps;
    return qps->count | (qps->error ? SRQCS_ERROR : 0u) | (uint32_t)qps->requests << 8 |
           (uint32_t)qps->completed << 16;
}

void qps_write_status(struct tess_vc4 *vc4, uint32_t value)
{
    struct qps *qps = &vc4->qps;
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

bool qps_busy(const struct tess_vc4 *vc4)
{
    return vc4->qps.count || any_resident(&vc4->qps);
}

bool qps_is_loading(const struct tess_vc4 *vc4)
{
    const struct qps *qps = &vc4->qps;
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

static void start_program(struct tess_vc4 *vc4, uint32_t number, const struct qps_request *request)
{
    struct qps *qps = &vc4->qps;
    struct qpu *qpu = &qps->user[number];
    qpu_start(qpu, QPU_USER, number, request->pc, request->uniforms);
    if (vc4->profile.by_instruction)
        qpu->code = profile_code(&vc4->bus, request->pc);
    qpu_time_start(qpu, &vc4->slices, 0);
    if (qpu->uniforms_enabled)
        qpu->uniforms_left = uniform_limit(request);
    vpm_port_user(&qps->user_vpm[number], number, vc4->v3d.vpm_base * VPM_RESERVE_ROWS);
    tmu_reset(&qps->user_tmu[number]);
    tmu_start(&qps->user_tmu[number], number);
    shared_units_wire(&vc4->slices, number, &qps->user_tmu[number]);
    if (vc4->shared.race)
        race_start(vc4->shared.race, number);
    vc4->stats.shader_runs++;
}

static void report_semaphore(struct tess_vc4 *vc4, uint32_t number)
{
    uint32_t value = vc4->shared.semaphore[number], pc = vc4->shared.released_at[number];
    uint32_t qpu = vc4->shared.released_by[number];
    const uint8_t *bytes = bus_peek(&vc4->bus, pc, 8);
    uint64_t word = bytes ? load_le64(bytes) : 0;
    fault_enter_shader(&vc4->log, vc4->qps.user[qpu].start, pc, bytes ? &word : NULL, qpu);
    fault(&vc4->log, FAULT_QPU_SEMAPHORE_LEFT,
          "all programs have ended, but semaphore %u is still %u: it was released more often than "
          "acquired, last by this instruction",
          number, value);
    fault_leave_shader(&vc4->log);
}

/* Reports every semaphore whose value is higher than when the programs started. Semaphores keep
 * their values for the programs that start next. */
static void look_at_semaphores(struct tess_vc4 *vc4)
{
    for (uint32_t number = 0; number < QPU_SEMAPHORES; number++)
        if (vc4->shared.semaphore[number] > vc4->qps.semaphore[number])
            report_semaphore(vc4, number);
}

/* Prepares the shared state when a program starts while no program is resident. The host may have
 * changed memory since the last program ended. */
static void begin_group(struct tess_vc4 *vc4)
{
    run_ahead_reset(&vc4->run_ahead);
    contention_begin(&vc4->contention);
    vc4->shared.interrupted = 0;
    memcpy(vc4->qps.semaphore, vc4->shared.semaphore, sizeof vc4->qps.semaphore);
    if (vc4->shared.race)
        race_clear_caches(vc4->shared.race);
}

static bool start_queued(struct tess_vc4 *vc4)
{
    struct qps *qps = &vc4->qps;
    bool any = false;
    if (qps->count && !any_resident(qps))
        begin_group(vc4);
    for (uint32_t number = 0; number < QPU_COUNT && qps->count; number++) {
        if (resident(&qps->user[number]) || reserved(vc4, number, RESERVED_USER))
            continue;
        struct qps_request request = qps->queue[qps->first];
        qps->first = (qps->first + 1) % QPS_QUEUE;
        qps->count--;
        start_program(vc4, number, &request);
        any = true;
    }
    return any;
}

void qps_wire(struct tess_vc4 *vc4, uint32_t number)
{
    struct tmu *tmu = &vc4->qps.user_tmu[number];
    tmu->bus = &vc4->bus;
    tmu->log = &vc4->log;
    tmu->counts = &vc4->counts;
    tmu->race = vc4->shared.race;
    tmu->reads = NULL;
    tmu->qpu = number;
}

struct qpu_ports qps_ports(struct tess_vc4 *vc4, uint32_t number)
{
    return (struct qpu_ports){
        .bus = &vc4->bus,
        .log = &vc4->log,
        .shared = &vc4->shared,
        .cache = &vc4->instructions,
        .slices = &vc4->slices,
        .contention = &vc4->contention,
        .counts = &vc4->counts,
        .sanitize = vc4->options.sanitize,
        .insn_profile = profile_hot(&vc4->profile),
        .trace = vc4->trace,
        .tmu = &vc4->qps.user_tmu[number],
        .vpm = &vc4->vpm,
        .vpm_port = &vc4->qps.user_vpm[number],
    };
}

/* Subtracts executed instructions from the instruction limit of the run, and handles the program's
 * new state: end, hang, or instruction limit. */
static void settle(struct tess_vc4 *vc4, struct qpu *qpu, uint64_t executed)
{
    spend_instructions(vc4, executed);
    if (qpu->state == QPU_LIMIT) {
        qpu->state = QPU_RUNNING;
        if (qpu->instructions >= qps_program_limit(vc4) || vc4->instructions_left == 0)
            report_limit(vc4, qpu);
    }
    if (qpu->state == QPU_ENDED || qpu->state == QPU_BROKEN) {
        profile_run(&vc4->profile, qpu);
        qpu_time_end(qpu, &vc4->slices);
    }
    if (qpu->state == QPU_ENDED)
        vc4->qps.completed++;
    if (qpu->state == QPU_BROKEN)
        vc4->stuck = true;
}

/* Runs one program for a turn. Returns true if the program executed an instruction or ended. */
static bool take_turn(struct tess_vc4 *vc4, uint32_t number)
{
    struct qpu *qpu = &vc4->qps.user[number];
    struct qpu_ports ports = qps_ports(vc4, number);
    uint64_t before = qpu->instructions;
    uint64_t left = least_u64(qps_program_limit(vc4) - before, vc4->instructions_left);
    uint64_t turn = least_u64(QPS_TURN, left);
    ports.more = least_u64(QPS_MORE, left - turn);
    enum qpu_state state = qpu_run(qpu, &ports, turn);
    uint64_t executed = qpu->instructions - before;
    settle(vc4, qpu, executed);
    return executed > 0 || state == QPU_ENDED;
}

/* Runs programs ahead (run_ahead.h). Returns true if any program executed an instruction. */
static bool go_on_alone(struct tess_vc4 *vc4)
{
    bool moved = false;
    if (!run_ahead_run(vc4))
        return false;
    for (uint32_t number = 0; number < QPU_COUNT; number++) {
        const struct run_ahead_program *program = &vc4->run_ahead.program[number];
        if (program->runs)
            settle(vc4, &vc4->qps.user[number], program->executed);
        moved |= program->executed > 0;
    }
    return moved;
}

uint64_t qps_now(const struct tess_vc4 *vc4)
{
    uint64_t now = vc4->slices.end;
    for (uint32_t number = 0; number < QPU_COUNT; number++)
        if (resident(&vc4->qps.user[number]))
            now = most_u64(now, qpu_time(&vc4->qps.user[number]));
    return now;
}

uint64_t qps_clock_end(const struct tess_vc4 *vc4)
{
    uint64_t now = qps_now(vc4);
    uint64_t limit = vc4->clock_limit ? vc4->clock_limit : UINT64_MAX;
    return limit > UINT64_MAX - now ? UINT64_MAX : now + limit;
}

static const struct qpu *slowest_program(const struct tess_vc4 *vc4)
{
    const struct qpu *slowest = NULL;
    for (uint32_t number = 0; number < QPU_COUNT; number++) {
        const struct qpu *qpu = &vc4->qps.user[number];
        if (qpu->state == QPU_RUNNING && (!slowest || qpu_time(qpu) < qpu_time(slowest)))
            slowest = qpu;
    }
    return slowest;
}

/* Ends the run if the slowest running program has reached the clock limit. Programs that would end
 * before the limit are not stopped. */
static void look_at_clock(struct tess_vc4 *vc4)
{
    const struct qpu *slowest = slowest_program(vc4);
    vc4->out_of_clocks = slowest && qpu_time(slowest) >= vc4->clock_end;
    vc4->out_of_budget |= vc4->out_of_clocks;
}

void qps_report_late(struct tess_vc4 *vc4)
{
    const struct qpu *slowest = slowest_program(vc4);
    if (slowest)
        report_clocks(vc4, slowest);
}

/* Limits each program to one acquisition of the mutex per turn, if there are several programs.
 * Otherwise a program could acquire the mutex many times in its turn, although another program
 * tried to acquire the mutex at an earlier time. */
static void share_mutex(struct tess_vc4 *vc4)
{
    unsigned programs = 0;
    for (uint32_t number = 0; number < QPU_COUNT; number++)
        programs += resident(&vc4->qps.user[number]);
    vc4->shared.mutex_once = programs > 1;
    vc4->shared.mutex_taken = 0;
}

bool qps_step(struct tess_vc4 *vc4)
{
    vc4->log.place.known = 0;
    bool moved = start_queued(vc4);
    share_mutex(vc4);
    for (uint32_t number = 0; number < QPU_COUNT && !vc4->out_of_budget; number++)
        if (resident(&vc4->qps.user[number]))
            moved |= take_turn(vc4, number);
    if (!vc4->out_of_budget)
        moved |= go_on_alone(vc4);
    if (!vc4->out_of_budget)
        look_at_clock(vc4);
    if (moved && !vc4->stuck && !qps_busy(vc4))
        look_at_semaphores(vc4);
    return moved;
}

static void stop_program(struct tess_vc4 *vc4, uint32_t number)
{
    struct qpu *qpu = &vc4->qps.user[number];
    if (resident(qpu)) {
        profile_run(&vc4->profile, qpu);
        qpu_time_end(qpu, &vc4->slices);
    }
    qpu->state = QPU_IDLE;
}

void qps_stop(struct tess_vc4 *vc4)
{
    struct qpu_shared *shared = &vc4->shared;
    for (uint32_t number = 0; number < QPU_COUNT; number++)
        stop_program(vc4, number);
    vc4->qps.count = 0;
    memset(shared->semaphore, 0, sizeof shared->semaphore);
    memset(shared->given, 0, sizeof shared->given);
    shared->mutex_held = shared->mutex_left = false;
    if (shared->race)
        race_host(shared->race);
}

/* --- deadlocks --- */

/* Appends formatted text, truncated at the end of the buffer. */
static void add(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void add(char *text, size_t size, const char *format, ...)
{
    size_t length = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + length, size - length, format, arguments);
    va_end(arguments);
}

static const char *state_text(const struct qpu *qpu)
{
    return qpu->state == QPU_WAITING  ? " (that QPU also waits)"
           : qpu->state == QPU_BROKEN ? " (that QPU hangs)"
           : qpu->state == QPU_ENDED  ? " (that QPU's program has ended)"
                                      : "";
}

/* Appends the addresses of instructions with which programs on other QPUs could end the wait for a
 * semaphore. */
static void add_helpers(struct tess_vc4 *vc4, const struct qpu *waiting, char *text, size_t size)
{
    bool acquires = waiting->wait == QPU_WAIT_SEMAPHORE_RELEASE, found = false;
    const char *verb = acquires ? "acquire" : "release";
    for (unsigned i = 0; i < QPU_COUNT; i++) {
        const struct qpu *qpu = &vc4->qps.user[i];
        uint32_t where;
        if (qpu == waiting || qpu->state == QPU_IDLE ||
            !program_find_semaphore(&vc4->bus, qpu->start, waiting->wait_semaphore, acquires,
                                    &where))
            continue;
        add(text, size, "; QPU %u could %s it at 0x%08x%s", i, verb, where, state_text(qpu));
        found = true;
    }
    if (!found)
        add(text, size, "; no program on another QPU could %s it", verb);
}

static void add_wait(struct tess_vc4 *vc4, const struct qpu *qpu, char *text, size_t size)
{
    char wait[96];
    add(text, size, "%s", qpu_wait_text(qpu, &vc4->shared, wait, sizeof wait));
    if (qpu->wait != QPU_WAIT_MUTEX)
        add_helpers(vc4, qpu, text, size);
    else if (!vc4->shared.mutex_left)
        add(text, size, "%s", state_text(&vc4->qps.user[vc4->shared.mutex_owner]));
}

static void report_waits(struct tess_vc4 *vc4, const struct qpu *first, uint32_t qpus,
                         const char *wait)
{
    bool several = qpus & (qpus - 1);
    char hint[200];
    qpu_wait_hint(first, &vc4->shared, hint, sizeof hint);
    program_enter(&vc4->log, &vc4->bus, first);
    vc4->log.place.qpus = several ? qpus : 0;
    if (several)
        fault(&vc4->log, FAULT_QPU_STUCK, "%d QPUs wait for %s" WITH_HINT "%s",
              __builtin_popcount(qpus), wait, hint);
    else
        fault(&vc4->log, FAULT_QPU_STUCK, "QPU %u waits for %s" WITH_HINT "%s", first->number, wait,
              hint);
    vc4->log.place.qpus = 0;
    fault_leave_shader(&vc4->log);
}

/* Reports a wait. QPUs that wait at the same instruction for the same event share one finding. */
static void report_wait(struct tess_vc4 *vc4, const struct qpu *first, uint32_t *reported)
{
    char wait[480] = "";
    uint32_t qpus = 0;
    add_wait(vc4, first, wait, sizeof wait);
    for (unsigned i = first->number; i < QPU_COUNT; i++) {
        const struct qpu *qpu = &vc4->qps.user[i];
        char same[480] = "";
        if (qpu->state != QPU_WAITING || qpu->pc != first->pc || *reported >> i & 1)
            continue;
        add_wait(vc4, qpu, same, sizeof same);
        qpus |= (strcmp(wait, same) == 0 ? UINT32_C(1) : 0) << i;
    }
    report_waits(vc4, first, qpus, wait);
    *reported |= qpus;
}

void qps_report_stuck(struct tess_vc4 *vc4)
{
    uint32_t reported = 0;
    vc4->log.place.known = 0;
    for (unsigned i = 0; i < QPU_COUNT; i++)
        if (vc4->qps.user[i].state == QPU_WAITING && !(reported >> i & 1))
            report_wait(vc4, &vc4->qps.user[i], &reported);
    if (vc4->qps.count)
        fault(&vc4->log, FAULT_QPU_STUCK,
              "%u user programs wait for a free QPU" WITH_HINT
              "end the running programs, and clear the bits of V3D_SQRSV0 and V3D_SQRSV1 that "
              "reserve QPUs against user programs",
              vc4->qps.count);
}
