/* SPDX-License-Identifier: MIT */
/* vpm.h - Vertex Pipe Memory with its DMA engines VCD (load) and VDW (store), as used by QPU
 * programs (manual section 7 with the corrections of docs/vc4/vpm.md).
 *
 * In:  setup words and addresses that QPUs write to registers 49 and 50; vectors that QPUs write to
 *      register 48.
 * Out: vectors that QPUs read from register 48; memory that the VDW writes.
 *
 * Times are numbers of clocks. All ports of a VPM use the same clock. The caller sets .now and
 * .executed of the port before every call. Functions that stall the QPU return the length of the
 * stall. */
#ifndef VC4_VPM_VPM_H
#define VC4_VPM_VPM_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/vpm/vpm_state.h"

/* Sets the memory to zeros and restarts time. Members from .bus to .contention do not change. */
void vpm_reset(struct vpm *vpm);

struct state_stream;

/* List the fields for saved states (base/state.h). */
void vpm_fields(struct state_stream *stream, struct vpm *vpm);
void vpm_port_fields(struct state_stream *stream, struct vpm_port *port);

/* Restarts time at 0. No port may be in use. */
void vpm_restart(struct vpm *vpm);

/* Marks rows as written. Used for rows that the VCD has filled with attributes, because that does
 * not go through a port. */
void vpm_mark_written(struct vpm *vpm, const struct vpm_ports *ports, uint32_t row, uint32_t rows);

/* Prepares a port for a user program, which reads and writes the same rows. The rows begin at the
 * start of the VPM. reserved_rows is the number of rows that V3D_VPMBASE reserves for user
 * programs, or 0 if there is no reservation. */
void vpm_port_user(struct vpm_port *port, uint32_t qpu, uint32_t reserved_rows);

/* Prepares a port for a vertex or coordinate shader, which reads rows of input and writes rows of
 * output. Both windows are numbered from row 0. Accesses to rows outside the window are reported.
 * Such a read returns the VPM's contents, and such a write is dropped (manual section 7,
 * "masked"). */
void vpm_port_shader(struct vpm_port *port, struct vpm_window input, struct vpm_window output);

/* Return the rows that the program has read or written so far with vectors. The result has one bit
 * per row in the program's numbering, for accesses to any column of the row. */
uint64_t vpm_rows_read(const struct vpm_port *port);
uint64_t vpm_rows_written(const struct vpm_port *port);

/* Writes the first consecutive rows in a set to text, as "row 3" or "rows 3 to 5". Returns text.
 * The set must not be empty. */
enum { VPM_ROWS_TEXT = 32 };
const char *vpm_rows_text(uint64_t rows, char text[VPM_ROWS_TEXT]);

/* Return the rows that the program has read or written more than once with vectors of whole
 * rows. */
uint64_t vpm_rows_reread(const struct vpm_port *port);
uint64_t vpm_rows_rewritten(const struct vpm_port *port);

/* Handle writes of register 49. A write in file A is for reads (generic read, DMA load, extended
 * pitch), and a write in file B is for writes and stores. */
void vpm_read_setup(struct vpm *vpm, const struct vpm_ports *ports, struct vpm_port *port,
                    uint32_t word);
void vpm_write_setup(const struct vpm_ports *ports, struct vpm_port *port, uint32_t word);

/* Read and write register 48. vpm_read_stall() returns the length of the stall before the read.
 * vpm_read() returns false after a finding if no read is set up. In this case, the hardware would
 * wait forever. vpm_write() returns the length of the stall while the write FIFO is full. Lanes
 * outside mask keep their old data in the VPM, which is reported. */
uint64_t vpm_read_stall(const struct vpm_port *port);
bool vpm_read(struct vpm *vpm, const struct vpm_ports *ports, struct vpm_port *port, lanes *value);

/* Reports, if the sanitizer is on, a read that is too early after the read setup. Called before a
 * read whose value is used. */
void vpm_check_latency(const struct vpm_ports *ports, const struct vpm_port *port);
uint64_t vpm_write(struct vpm *vpm, const struct vpm_ports *ports, struct vpm_port *port,
                   const lanes *value, lane_mask mask);

/* vpm_reads_quietly() returns true if the next vector can be read and the read cannot cause a
 * finding. vpm_writes_quietly() returns true if a vector with all elements can be written and the
 * write cannot cause a finding. */
bool vpm_reads_quietly(const struct vpm_ports *ports, const struct vpm_port *port);
bool vpm_writes_quietly(const struct vpm_ports *ports, const struct vpm_port *port);

/* Returns true if a setup word for reads or writes can be executed and cannot cause a finding. */
bool vpm_sets_up_quietly(const struct vpm_ports *ports, const struct vpm_port *port, bool reads,
                         uint32_t word);

/* Handle writes of register 50, which start a DMA load or store. All data moves immediately, but
 * the transfer counts as busy for an estimated time. Return the length of the stall until the
 * port's earlier transfer in the same direction has ended. */
uint64_t vpm_load(struct vpm *vpm, const struct vpm_ports *ports, struct vpm_port *port,
                  uint32_t address);
uint64_t vpm_store(struct vpm *vpm, const struct vpm_ports *ports, struct vpm_port *port,
                   uint32_t address);

/* Handle reads of register 49. Return true if the port's transfer is busy. */
bool vpm_load_busy(const struct vpm_ports *ports, struct vpm_port *port);
bool vpm_store_busy(const struct vpm_ports *ports, struct vpm_port *port);

/* Handle reads of register 50. Return the length of the stall until the port's transfer has
 * ended. */
uint64_t vpm_wait_load(const struct vpm_ports *ports, struct vpm_port *port);
uint64_t vpm_wait_store(const struct vpm_ports *ports, struct vpm_port *port);

/* Checks the port at the end of a program. Reports unread vectors and unfinished transfers, then
 * drops the vectors and ends the transfers. */
void vpm_end(const struct vpm_ports *ports, struct vpm_port *port);

#endif
