/* SPDX-License-Identifier: MIT */
/* v3d.h - the V3D registers (manual section 10) that no other block handles. registers.def lists
 * all registers. */
#ifndef VC4_DEVICE_V3D_H
#define VC4_DEVICE_V3D_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/lists/cle.h"
#include "vc4/run/qps.h"
#include "vc4/state/v3d_state.h"

/* The blocks that the registers show and control. */
struct v3d_ports {
    struct fault_log *log;
    struct pctr_counts *counts;
    uint32_t qpus; /* number of QPUs of the chip */
    struct cle *cle;
    const struct cle_ports *cle_ports;
    struct ptb *ptb;
    const struct vertex_pipe *vertices;
    const struct jobs *jobs;
    struct qps *qps;
    const struct qps_ports *qps_ports;
    struct qpu_shared *shared;
    struct shared_units *slices;
    struct race *race; /* NULL unless the run-time sanitizer is on */
};

void v3d_reset(struct v3d *v3d);

uint32_t v3d_read(struct v3d *v3d, const struct v3d_ports *ports, uint32_t offset);

/* Writes a register. Returns false if the write cannot have changed the interrupt line. */
bool v3d_write(struct v3d *v3d, const struct v3d_ports *ports, uint32_t offset, uint32_t value);

#endif
