/* SPDX-License-Identifier: MIT */
/* vpm.h - Vertex Pipe Memory with its DMA engines VCD (load) and VDW (store), as programs use it (manual
 * section 7 with the corrections of docs/vc4/vpm.md).
 *
 * In:  setup words and addresses that QPUs write to registers 49 and 50; vectors written to 48.
 * Out: vectors read from 48; memory written by VDW. */
#ifndef VC4_VPM_H
#define VC4_VPM_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/bus.h"
#include "vc4/lanes.h"

enum {
    VPM_ROWS = 192,     /* 12 KiB, 16 words a row */
    VPM_USER_ROWS = 64, /* what setup words can address (erratum HW-2253) */
    VPM_COLUMNS = 16,
};

struct vpm {
    struct bus *bus;
    struct fault_log *log;
    uint32_t word[VPM_ROWS][VPM_COLUMNS];
};

/* The VPM interface of one QPU: FIFOs and setup registers. */
struct vpm_port {
    bool write_ready;      /* a generic write setup has come */
    uint32_t write_setup;  /* the latest generic write setup, its ADDR advanced */
    uint32_t read_setup;   /* the read setup being worked off, its ADDR advanced */
    uint32_t reads_left;   /* vectors still to come from read_setup */
    uint32_t queued_setup; /* a second read setup, and its count */
    uint32_t queued_left;
    uint32_t store_setup, store_stride; /* VDW */
    uint32_t load_setup, load_pitch;    /* VCD */
};

void vpm_reset(struct vpm *vpm); /* zeroes the memory; bus and log stay */
void vpm_port_reset(struct vpm_port *port);

/* Register 49 in file A (read side: generic read, DMA load, extended pitch) and file B (write side). */
void vpm_read_setup(struct vpm *vpm, struct vpm_port *port, uint32_t word);
void vpm_write_setup(struct vpm *vpm, struct vpm_port *port, uint32_t word);

/* Register 48. vpm_read() is false when no read is set up: the hardware would wait for ever. That is the
 * caller's to report. Lanes that mask leaves out of a write keep their old data, with a finding. */
bool vpm_read(struct vpm *vpm, struct vpm_port *port, lanes *value);
void vpm_write(struct vpm *vpm, struct vpm_port *port, const lanes *value, lane_mask mask);

/* Register 50: the whole transfer is done at once. */
void vpm_load(struct vpm *vpm, struct vpm_port *port, uint32_t address);  /* memory to VPM */
void vpm_store(struct vpm *vpm, struct vpm_port *port, uint32_t address); /* VPM to memory */

#endif
