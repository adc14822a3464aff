/* SPDX-License-Identifier: MIT */
/* qpu_io_private.h - accesses to the VPM (qpu_io_vpm.c) and to the tile buffer (qpu_io_tlb.c).
 * qpu_io.c selects them by the register address or the signal. */
#ifndef VC4_QPU_QPU_IO_PRIVATE_H
#define VC4_QPU_QPU_IO_PRIVATE_H

#include "vc4/qpu/qpu_run.h"

/* --- VPM --- */

/* Passes the program's clock and place to the VPM, which needs them for stalls and findings. */
void qpu_io_report_time(const struct qpu *qpu, struct vpm_port *port);

/* Reads the next vector from the VPM. used is true if an ALU uses the value. */
void qpu_io_read_vpm(struct qpu_run *run, bool used, lanes *value);

/* Reads the busy flag of a DMA engine: DMA loads through file A, DMA stores through file B. */
void qpu_io_read_dma_busy(struct qpu_run *run, bool file_a, lanes *value);

/* Waits for a DMA engine: for DMA loads if file_a is true, else for DMA stores. Returns false if
 * the program has no VPM. */
bool qpu_io_finish_dma(struct qpu_run *run, bool file_a);

/* Writes register address 48 to 50: a vector, a setup word, or the address of a DMA transfer. */
void qpu_io_write_vpm(struct qpu_run *run, bool file_a, unsigned address, const lanes *value,
                      lane_mask mask);

/* --- tile buffer --- */

/* Returns true if the program is a fragment shader and the unit port exists. Otherwise reports the
 * access `what`, ends the program, and returns false. */
bool qpu_io_is_fragment(struct qpu_run *run, const void *port, const char *what);

/* Writes register address 43 to 47: the stencil setup, Z, colour or the alpha mask. */
void qpu_io_write_tlb(struct qpu_run *run, unsigned address, const lanes *value, lane_mask mask);

/* Reads the value that a tile buffer signal loads: colour, coverage or the alpha mask. */
void qpu_io_load_tlb(struct qpu_run *run, enum qpu_sig sig, lanes *value);

#endif
