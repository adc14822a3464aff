/* SPDX-License-Identifier: MIT */
/* programs.c - runs user programs that are started by mailbox tags 0x30011 (execute QPU) and
 * 0x30012 (enable QPU).
 *
 * In:  pairs {address of uniforms, address of code} in memory.
 * Out: the effects of the programs; the response 0, or 0x80000000 on failure.
 *
 * Source: the firmware's wiki page "Mailbox property interface"; gpu_fft_base.c of
 *         raspberrypi/userland and driver.py of nineties/py-videocore for the pairs, the noflush
 *         flag and the required host interrupt.
 * Modelled: the queue of programs, clearing of the caches (unless noflush is set), the host
 *           interrupt, the timeout on V3D's clock.
 * Choices: the firmware's handling of programs that time out is not published. Users of VC4CL (its
 *          issue 103) report a V3D that hangs until power-off, and a V3D that works again a second
 *          later. This model stops the programs and leaves the QPUs as after a power cycle, so that
 *          the next call can use the QPUs. If all running programs wait for each other, the call
 *          times out without further waiting. The model counts the enables of the QPUs, since
 *          GPU_FFT enables the QPUs once for each prepared transform, and disables them once for
 *          each released transform. */
#include "board/pi/pi.h"

#include "base/bits.h"

#define EXECUTE_TIMEOUT UINT32_C(0x80000000)

/* Register values that clear every cache (manual tables 71 and 72). */
enum { L2C_CLEAR = 4, SLICES_CLEAR = 0x0f0f0f0f };

static void clear_caches(struct tess_pi *pi)
{
    tess_vc4_write(pi->vc4, V3D_L2CACTL, L2C_CLEAR);
    tess_vc4_write(pi->vc4, V3D_SLCACTL, SLICES_CLEAR);
}

/* The programs of one call. */
struct programs {
    /* Bus address of the first pair, number of pairs, and number of pairs queued so far. */
    uint32_t control, count, queued;
    uint64_t clocks; /* time limit, in clocks of V3D */
};

/* Maximum number of programs of one call. A larger number is taken for a mistake. For comparison,
 * py-videocore allows 1024. */
enum { MOST = 4096 };

static bool report_programs(struct tess_pi *pi, uint32_t address, const char *text)
{
    pi_fault(pi, PI_EXECUTE_QPU, address, text);
    return false;
}

/* Checks that all pairs are in memory before the first program starts. */
static bool check_pairs(struct tess_pi *pi, const struct programs *programs)
{
    if (programs->count == 0)
        return report_programs(
            pi, programs->control,
            "tag 0x30011 starts no programs, so no program can raise the host interrupt");
    if (programs->count > MOST)
        return report_programs(pi, programs->control, "tag 0x30011 starts more than 4096 programs");
    if (programs->control % 4)
        return report_programs(pi, programs->control,
                               "the address of tag 0x30011's control block is not a multiple of 4");
    for (uint32_t i = 0; i < programs->count; i++)
        if (!tess_vc4_memory(pi->vc4, programs->control + 8 * i, 8))
            return report_programs(pi, programs->control + 8 * i,
                                   "the control block of tag 0x30011 is not mapped");
    return true;
}

/* Reports a finding and returns false if V3D is switched off. The firmware's own writes to V3D's
 * registers then have no effect, so that no program starts. */
static bool check_power(struct tess_pi *pi, uint32_t control)
{
    bool on = tess_pi_v3d_enabled(pi);
    if (!on)
        pi_fault(pi, PI_V3D_OFF, control,
                 "V3D is switched off; tag 0x30011 starts no programs and times out");
    return on;
}

/* Queues programs until the queue is full or all programs are queued. */
static void queue_programs(struct tess_pi *pi, struct programs *programs)
{
    enum { LENGTH = 0x3f, DEEPEST = 16 }; /* field of V3D_SRQCS, and its greatest value */
    while (programs->queued < programs->count &&
           (tess_vc4_read(pi->vc4, V3D_SRQCS) & LENGTH) < DEEPEST) {
        uint32_t address = programs->control + 8 * programs->queued++;
        const uint8_t *pair = tess_vc4_memory(pi->vc4, address, 8);
        tess_vc4_write(pi->vc4, V3D_SRQUA, load_le32(pair));
        tess_vc4_write(pi->vc4, V3D_SRQPC, load_le32(pair + 4));
    }
}

static uint64_t clocks_so_far(const struct tess_pi *pi)
{
    struct tess_vc4_stats stats;
    tess_vc4_get_stats(pi->vc4, &stats);
    return stats.clocks;
}

/* Runs all programs, and refills the queue when it is empty. Returns true if all programs have
 * ended in time. */
static bool run_programs(struct tess_pi *pi, struct programs *programs)
{
    enum tess_vc4_stop stop = TESS_VC4_IDLE;
    uint64_t start = clocks_so_far(pi), taken = 0;
    uint32_t before;
    do {
        before = programs->queued;
        queue_programs(pi, programs);
        if (before == programs->queued)
            break; /* the queue has no room */
        tess_vc4_set_clock_limit(pi->vc4, programs->clocks - taken);
        stop = tess_vc4_run(pi->vc4);
        taken = clocks_so_far(pi) - start;
    } while (stop != TESS_VC4_BUDGET && programs->queued < programs->count &&
             taken < programs->clocks);
    tess_vc4_set_clock_limit(pi->vc4, 0);
    tess_vc4_report_late(pi->vc4);
    if (stop != TESS_VC4_IDLE)
        tess_vc4_report_stuck(pi->vc4);
    return stop == TESS_VC4_IDLE && taken <= programs->clocks;
}

static bool report_late(struct tess_pi *pi, const struct programs *programs)
{
    pi_fault(pi, PI_EXECUTE_TIMEOUT, programs->control,
             "tag 0x30011 times out: its programs have not ended in time and are stopped");
    return false;
}

/* Runs all programs. Returns true if all programs ended in time and a program raised the host
 * interrupt, for which the firmware waits. */
static bool run_to_interrupt(struct tess_pi *pi, struct programs *programs)
{
    if (!run_programs(pi, programs))
        return report_late(pi, programs);
    bool raised = tess_vc4_read(pi->vc4, V3D_DBQITC) != 0;
    if (!raised)
        pi_fault(pi, PI_EXECUTE_NO_INTERRUPT, programs->control,
                 "tag 0x30011 times out: all programs have ended, but no program has raised the "
                 "host interrupt");
    return raised;
}

/* Converts milliseconds to clocks of V3D, at least 1. */
static uint64_t clocks_of(const struct tess_pi *pi, uint32_t milliseconds)
{
    uint64_t clocks = (uint64_t)milliseconds * (tess_pi_clock_rate(pi, TESS_PI_CLOCK_V3D) / 1000);
    return clocks ? clocks : 1;
}

uint32_t pi_execute_programs(struct tess_pi *pi, uint32_t count, uint32_t control, bool keep_caches,
                             uint32_t timeout)
{
    struct programs programs = {
        .control = control, .count = count, .clocks = clocks_of(pi, timeout)};
    if (!check_power(pi, control) || !check_pairs(pi, &programs))
        return EXECUTE_TIMEOUT;
    pi->starts.mailbox++;
    uint32_t configuration = tess_vc4_read(pi->vc4, V3D_DBCFG);
    uint32_t enabled = tess_vc4_read(pi->vc4, V3D_DBQITE);
    if (!keep_caches)
        clear_caches(pi);
    tess_vc4_write(pi->vc4, V3D_DBCFG, 1);
    tess_vc4_write(pi->vc4, V3D_DBQITE, UINT32_MAX);
    tess_vc4_write(pi->vc4, V3D_DBQITC, UINT32_MAX);
    bool done = run_to_interrupt(pi, &programs);
    if (!done)
        tess_vc4_stop_programs(pi->vc4);
    tess_vc4_write(pi->vc4, V3D_DBQITC, UINT32_MAX);
    tess_vc4_write(pi->vc4, V3D_DBQITE, enabled);
    tess_vc4_write(pi->vc4, V3D_DBCFG, configuration);
    return done ? 0 : EXECUTE_TIMEOUT;
}

/* Memory of the VPM that is reserved for user programs, in units of V3D_VPMBASE (4 rows). GPU_FFT
 * and py-videocore use 64 rows, and only send tag 0x30012 to prepare V3D. */
enum { FIRMWARE_VPM = 16 };

/* Stops all programs if V3D has just lost its power. */
static void lose_power(struct tess_pi *pi, bool was_on)
{
    if (was_on && !tess_pi_v3d_enabled(pi))
        tess_vc4_stop_programs(pi->vc4);
}

void pi_enable_programs(struct tess_pi *pi, bool on)
{
    bool was_on = tess_pi_v3d_enabled(pi);
    if (on && !was_on)
        tess_vc4_write(pi->vc4, V3D_VPMBASE, FIRMWARE_VPM);
    if (on)
        pi->enables++;
    else if (pi->enables)
        pi->enables--;
    lose_power(pi, was_on);
}

void pi_switch_domain(struct tess_pi *pi, bool on)
{
    bool was_on = tess_pi_v3d_enabled(pi);
    pi->v3d_domain = on;
    lose_power(pi, was_on);
}
