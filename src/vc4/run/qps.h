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

#include "vc4/qpu/budget.h"
#include "vc4/qpu/profile.h"
#include "vc4/run/qps_state.h"
#include "vc4/run/run_ahead.h"
#include "vc4/run/v3d_state.h"

/* What the scheduler is connected to. */
struct qps_ports {
    struct bus *bus;
    struct fault_log *log;
    struct pctr_counts *counts;
    struct budget *budget;
    const struct v3d *v3d; /* reservations of QPUs and of VPM rows */
    uint32_t qpus;         /* number of QPUs of the chip */
    struct qpu_shared *shared;
    struct shared_units *slices;
    struct contention *contention;
    struct profile *profile;
    struct race *race;               /* NULL unless the run-time sanitizer is on */
    struct qpu_ports qpu[QPU_COUNT]; /* ports of each QPU while it runs a user program */
    struct run_ahead *run_ahead;
    struct run_ahead_ports ahead;
};

void qps_reset(struct qps *qps);

/* Returns the latest time that any program has reached, on the clock of shared_units.h. */
uint64_t qps_now(const struct qps *qps, const struct qps_ports *ports);

/* Reports the slowest running user program as a program that does not end. The caller has ended the
 * run because this program reached the clock limit. */
void qps_report_late(struct qps *qps, const struct qps_ports *ports);

/* qps_request_program() handles a write of V3D_SRQPC, which requests a user program.
 * qps_read_status() and qps_write_status() handle reads and writes of V3D_SRQCS. */
void qps_request_program(struct qps *qps, const struct qps_ports *ports, uint32_t pc);
uint32_t qps_read_status(const struct qps *qps);
void qps_write_status(struct qps *qps, uint32_t value);

/* True if user programs are queued or resident. */
bool qps_busy(const struct qps *qps);

/* True if a DMA load of a user program is in progress. */
bool qps_is_loading(const struct qps *qps);

struct state_stream;

/* Lists the fields for saved states (base/state.h). */
void qps_fields(struct state_stream *stream, struct qps *qps);

/* Starts queued programs, runs every resident program for a turn, and then runs programs ahead.
 * Returns false if no program executed an instruction or ended. If the run pauses after a turn
 * (budget.h), the next call continues with the turn after it. */
bool qps_step(struct qps *qps, const struct qps_ports *ports);

/* Removes all programs from the QPUs and the queue, and resets semaphores and the mutex to their
 * state at power-up. */
void qps_stop(struct qps *qps, const struct qps_ports *ports);

/* Reports every resident program that waits, together with the event for which the program waits.
 * The programs stay resident. */
void qps_report_stuck(struct qps *qps, const struct qps_ports *ports);

#endif
