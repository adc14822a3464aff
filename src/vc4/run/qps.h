/* SPDX-License-Identifier: MIT */
/* qps.h - QPU Scheduler: starts queued user programs on QPUs. For fragment batches, see render.h.
 *
 * In:  user program requests through V3D_SRQPC.
 * Out: executed programs; counts in V3D_SRQCS.
 *
 * User programs on different QPUs take turns, so that programs that wait for each other make
 * progress. Between turns each program runs ahead alone, until it accesses a shared unit
 * (run_ahead.h). The order is fixed, so every run has the same result. */
#ifndef VC4_RUN_QPS_H
#define VC4_RUN_QPS_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/qpu/qpu.h"

enum {
    QPS_QUEUE = 16,
    QPS_TURN = 256, /* instructions per turn; then the turn continues to the next branch */
    QPS_MORE = 256, /* limit of further instructions until the turn ends without a branch */
};

struct qps_request {
    uint32_t pc, uniforms, uniforms_length;
};

struct qps {
    struct qps_request queue[QPS_QUEUE];
    uint32_t first, count;
    uint32_t uniforms, uniforms_length; /* values of V3D_SRQUA and V3D_SRQUL */
    uint8_t requests, completed;        /* counts that V3D_SRQCS contains */
    bool error;

    uint8_t semaphore[QPU_SEMAPHORES]; /* values at the time when the resident programs started */

    struct qpu user[QPU_COUNT];
    struct tmu user_tmu[QPU_COUNT];
    struct vpm_port user_vpm[QPU_COUNT];
};

struct tess_vc4;

void qps_reset(struct qps *qps);

/* qps_program_limit() returns the instruction limit of a user program, qps_shader_limit() the limit
 * of a fragment, vertex or coordinate shader. */
uint64_t qps_program_limit(const struct tess_vc4 *vc4);
uint64_t qps_shader_limit(const struct tess_vc4 *vc4);

/* Returns the limit of instructions for all programs of one run together. */
uint64_t qps_total_limit(const struct tess_vc4 *vc4);

/* Returns the latest time that any program has reached, on the clock of shared_units.h. */
uint64_t qps_now(const struct tess_vc4 *vc4);

/* Reports the slowest running user program as a program that does not end. The caller has ended the
 * run because this program reached the clock limit. */
void qps_report_late(struct tess_vc4 *vc4);

/* Returns the time at which the clock limit ends a run that begins now, on the clock of
 * shared_units.h. */
uint64_t qps_clock_end(const struct tess_vc4 *vc4);

/* qps_request_program() handles a write of V3D_SRQPC, which requests a user program.
 * qps_read_status() and qps_write_status() handle reads and writes of V3D_SRQCS. */
void qps_request_program(struct tess_vc4 *vc4, uint32_t pc);
uint32_t qps_read_status(const struct tess_vc4 *vc4);
void qps_write_status(struct tess_vc4 *vc4, uint32_t value);

/* qps_ports() returns the ports of a user program's QPU for its turn. qps_wire() connects the QPU's
 * TMUs at power-up. */
struct qpu_ports qps_ports(struct tess_vc4 *vc4, uint32_t number);
void qps_wire(struct tess_vc4 *vc4, uint32_t number);

/* True if user programs are queued or resident. */
bool qps_busy(const struct tess_vc4 *vc4);

/* True if a DMA load of a user program is in progress. */
bool qps_is_loading(const struct tess_vc4 *vc4);

/* Starts queued programs, runs every resident program for a turn, and then runs programs ahead.
 * Returns false if no program executed an instruction or ended. */
bool qps_step(struct tess_vc4 *vc4);

/* Removes all programs from the QPUs and the queue, and resets semaphores and the mutex to their
 * state at power-up. */
void qps_stop(struct tess_vc4 *vc4);

/* Reports every resident program that waits, together with the event for which the program waits.
 * The programs stay resident. */
void qps_report_stuck(struct tess_vc4 *vc4);

#endif
