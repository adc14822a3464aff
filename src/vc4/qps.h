/* SPDX-License-Identifier: MIT */
/* qps.h - QPU Scheduler: starts queued user programs on QPUs. Fragment batches: render.h.
 *
 * In:  user program requests through V3D_SRQPC.
 * Out: programs run to their end; counts in V3D_SRQCS.
 *
 * User programs on different QPUs take turns, so that programs which wait for each other make progress; between
 * turns they go on alone for as long as they touch nothing that they share (rounds.h). The order is fixed, so that
 * every run gives the same result. */
#ifndef VC4_QPS_H
#define VC4_QPS_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/qpu.h"

enum {
    QPS_QUEUE = 16,
    QPS_TURN = 256, /* instructions of one program, up to a branch, before the next has its turn */
    QPS_MORE = 256, /* at most so many more until the branch */
};

struct qps_request {
    uint32_t pc, uniforms, uniforms_length;
};

struct qps {
    struct qps_request queue[QPS_QUEUE];
    uint32_t first, count;
    uint32_t uniforms, uniforms_length; /* V3D_SRQUA, V3D_SRQUL */
    uint8_t requests, completed;        /* V3D_SRQCS */
    bool error;

    uint8_t semaphore[QPU_SEMAPHORES]; /* their values when the resident programs started */

    struct qpu user[QPU_COUNT];
    struct tmu user_tmu[QPU_COUNT];
    struct vpm_port user_vpm[QPU_COUNT];
};

struct tess_vc4;

void qps_reset(struct qps *qps);

/* How many instructions one user program may execute, or another shader. */
uint64_t qps_program_limit(const struct tess_vc4 *vc4);
uint64_t qps_shader_limit(const struct tess_vc4 *vc4);

/* How many instructions all programs of one run may execute together. */
uint64_t qps_total_limit(const struct tess_vc4 *vc4);

/* The latest time of any program so far, on the clock of slices.h. */
uint64_t qps_now(const struct tess_vc4 *vc4);

/* Reports the user program that the clock limit has met first, as one that does not end. */
void qps_report_late(struct tess_vc4 *vc4);

/* When the clock limit of a run that begins now comes, on the clock of slices.h. */
uint64_t qps_clock_end(const struct tess_vc4 *vc4);

/* V3D_SRQPC, V3D_SRQCS. */
void qps_request_program(struct tess_vc4 *vc4, uint32_t pc);
uint32_t qps_read_status(const struct tess_vc4 *vc4);
void qps_write_status(struct tess_vc4 *vc4, uint32_t value);

/* What a user program's QPU is wired to, for its turn; and its TMUs, at power-up. */
struct qpu_ports qps_ports(struct tess_vc4 *vc4, uint32_t number);
void qps_wire(struct tess_vc4 *vc4, uint32_t number);

/* Whether user programs are queued or resident. */
bool qps_busy(const struct tess_vc4 *vc4);

/* Whether the DMA load of a user program is under way. */
bool qps_is_loading(const struct tess_vc4 *vc4);

/* Starts queued programs and gives every resident one a turn, and time alone. False when none could move. */
bool qps_step(struct tess_vc4 *vc4);

/* Takes all programs off the QPUs and out of the queue; semaphores and the mutex are as after power-up. */
void qps_stop(struct tess_vc4 *vc4);

/* Reports every resident program that waits, and what for; they stay resident. */
void qps_report_stuck(struct tess_vc4 *vc4);

#endif
