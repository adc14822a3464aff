/* SPDX-License-Identifier: MIT */
/* programs.c - user programs by mailbox: tags 0x30011 (execute QPU) and 0x30012 (enable QPU).
 *
 * In:  pairs {uniforms, code} in memory. Out: programs run; 0 or 0x80000000.
 *
 * Source: the firmware's wiki page "Mailbox property interface"; gpu_fft_base.c of raspberrypi/userland and driver.py of
 * nineties/py-videocore for the pairs, the flag and the host interrupt that must come.
 * Modelled: queueing, the caches, the host interrupt. */
#include "pi/pi.h"

#include "base/bits.h"

#define EXECUTE_TIMEOUT UINT32_C(0x80000000)

/* Writes of 1 that clear every cache (manual tables 71 and 72). */
enum { L2C_CLEAR = 4, SLICES_CLEAR = 0x0f0f0f0f };

static void clear_caches(struct tess_pi *pi)
{
    tess_vc4_write(pi->vc4, V3D_L2CACTL, L2C_CLEAR);
    tess_vc4_write(pi->vc4, V3D_SLCACTL, SLICES_CLEAR);
}

/* Pairs {uniforms, code} at a bus address, and how many have been queued. */
struct programs {
    uint32_t control, count, queued;
};

static bool report_programs(struct tess_pi *pi, uint32_t address, const char *text)
{
    pi_report(pi, TESS_ERROR, "pi-execute-qpu", "pass the bus address of {uniforms, code} pairs",
              address, text);
    return false;
}

/* Queues as many programs as there is room for. False if one of them is not mapped. */
static bool queue_programs(struct tess_pi *pi, struct programs *programs)
{
    enum { LENGTH = 0x3f, DEEPEST = 16 }; /* V3D_SRQCS */
    while (programs->queued < programs->count &&
           (tess_vc4_read(pi->vc4, V3D_SRQCS) & LENGTH) < DEEPEST) {
        uint32_t address = programs->control + 8 * programs->queued++;
        const uint8_t *pair = tess_vc4_memory(pi->vc4, address, 8);
        if (!pair)
            return report_programs(pi, address, "the control block of tag 0x30011 is not mapped");
        tess_vc4_write(pi->vc4, V3D_SRQUA, load_le32(pair));
        tess_vc4_write(pi->vc4, V3D_SRQPC, load_le32(pair + 4));
    }
    return true;
}

/* Runs programs until all have ended, and queues the next ones as the queue gets empty. */
static bool run_programs(struct tess_pi *pi, struct programs *programs)
{
    enum tess_vc4_stop stop = TESS_VC4_IDLE;
    uint32_t before;
    do {
        before = programs->queued;
        if (!queue_programs(pi, programs))
            return false;
        if (before == programs->queued && before)
            break; /* there is no room */
        stop = tess_vc4_run(pi->vc4);
    } while (stop != TESS_VC4_BUDGET && programs->queued < programs->count);
    if (stop != TESS_VC4_IDLE)
        tess_vc4_report_stuck(pi->vc4);
    return stop == TESS_VC4_IDLE;
}

/* The firmware learns from the host interrupt that programs are done, so one of them must raise it. */
static bool run_to_interrupt(struct tess_pi *pi, struct programs *programs)
{
    if (!run_programs(pi, programs))
        return false;
    bool raised = tess_vc4_read(pi->vc4, V3D_DBQITC) != 0;
    if (!raised)
        pi_report(pi, TESS_WARNING, "pi-execute-no-interrupt",
                  "let one program write a value other than 0 to the host interrupt register (38) "
                  "when all are done",
                  0,
                  "all programs have ended and none has raised the host interrupt: tag 0x30011 "
                  "times out");
    return raised;
}

uint32_t pi_execute_programs(struct tess_pi *pi, uint32_t count, uint32_t control, bool keep_caches,
                             uint32_t timeout)
{
    enum { MOST = 4096 }; /* more can only be a mistake; py-videocore takes 1024 */
    struct programs programs = {.control = control, .count = count};
    (void)timeout;
    if (count > MOST) {
        report_programs(pi, control, "tag 0x30011 asks for more than 4096 programs");
        return EXECUTE_TIMEOUT;
    }
    uint32_t configuration = tess_vc4_read(pi->vc4, V3D_DBCFG);
    uint32_t enabled = tess_vc4_read(pi->vc4, V3D_DBQITE);
    if (!keep_caches)
        clear_caches(pi);
    tess_vc4_write(pi->vc4, V3D_DBCFG, 1);
    tess_vc4_write(pi->vc4, V3D_DBQITE, UINT32_MAX);
    tess_vc4_write(pi->vc4, V3D_DBQITC, UINT32_MAX);
    bool done = run_to_interrupt(pi, &programs);
    tess_vc4_write(pi->vc4, V3D_DBQITC, UINT32_MAX);
    tess_vc4_write(pi->vc4, V3D_DBQITE, enabled);
    tess_vc4_write(pi->vc4, V3D_DBCFG, configuration);
    return done ? 0 : EXECUTE_TIMEOUT;
}

/* Rows of the VPM for user programs, in units of V3D_VPMBASE. GPU_FFT and py-videocore use 64 rows after nothing but
 * tag 0x30012. */
enum { FIRMWARE_VPM = 16 };

void pi_enable_programs(struct tess_pi *pi, bool on)
{
    if (on && !tess_pi_v3d_enabled(pi))
        tess_vc4_write(pi->vc4, V3D_VPMBASE, FIRMWARE_VPM);
    if (on)
        pi->enables++;
    else if (pi->enables)
        pi->enables--;
}

void pi_switch_domain(struct tess_pi *pi, bool on)
{
    pi->v3d_domain = on;
}
