/* SPDX-License-Identifier: MIT */
/* vpm.h - Vertex Pipe Memory with its DMA engines VCD (load) and VDW (store), as programs use it (manual
 * section 7 with the corrections of docs/vc4/vpm.md).
 *
 * In:  setup words and addresses that QPUs write to registers 49 and 50; vectors written to 48.
 * Out: vectors read from 48; memory written by VDW.
 *
 * Time is counted in clocks, on a scale that all ports of a VPM share. The caller sets .now and .executed of
 * the port before every call; functions that make the QPU stall return for how long. */
#ifndef VC4_VPM_H
#define VC4_VPM_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/bus.h"
#include "vc4/lanes.h"
#include "vc4/origin.h"
#include "vc4/pctr.h"
#include "vc4/vpm_engine.h"

struct race;

enum {
    VPM_ROWS = 192,     /* 12 KiB, 16 words a row */
    VPM_USER_ROWS = 64, /* what setup words can address (erratum HW-2253) */
    VPM_COLUMNS = 16,
    VPM_RESERVE_ROWS = 4, /* a unit of V3D_VPMBASE: 256 bytes (manual table 69) */
    VPM_WRITES = 2,       /* vectors that the write FIFO of a QPU holds (manual section 7) */
    VPM_NO_QPU = UINT32_MAX,
};

struct vpm {
    struct bus *bus;
    struct fault_log *log;
    struct pctr_counts *counts; /* may be NULL */
    bool sanitize;              /* the run-time sanitizer is on */
    struct race *race;          /* what it needs to look for races; may be NULL */
    struct vpm_engine vcd, vdw; /* DMA loads and stores of all ports */
    struct traffic *traffic;    /* on their way to memory; may be NULL */
    uint32_t word[VPM_ROWS][VPM_COLUMNS];
    uint64_t
        written[VPM_ROWS]; /* by the sanitizer: bit per byte that was written since the reset */
};

/* The rows of the VPM that a program sees from its row 0 on. */
struct vpm_window {
    uint32_t base, rows; /* base below VPM_ROWS, rows up to VPM_USER_ROWS */
};

/* A DMA transfer that was started and not waited for. */
struct vpm_dma {
    bool pending;
    uint64_t ready;          /* when it ends, estimated */
    uint32_t setup, address; /* for findings, as the instruction is */
    uint32_t pc;
};

/* The VPM interface of one QPU: FIFOs and setup registers. Set it up by vpm_port_user() or
 * vpm_port_shader(). */
struct vpm_port {
    struct vpm_window input, output;  /* reads and loads, writes and stores */
    bool shader;                      /* a vertex or coordinate shader; else a user program */
    uint32_t qpu;                     /* its number, for races; VPM_NO_QPU: none are looked for */
    uint64_t now;                     /* what time it is */
    uint32_t pc;                      /* the instruction that accesses it */
    uint32_t read_setup_pc;           /* the one of the latest generic read setup */
    uint64_t executed;                /* instructions since the program's start */
    uint64_t rows_read, rows_written; /* bit per row as the program sees it, inside the window or
                                         not */
    uint64_t reread, rewritten;       /* those of them that a vector of a whole row met once more */
    uint64_t rows_loaded;             /* by its DMA; kept by the sanitizer */
    bool overfilled;                  /* a read was set up that silicon may ignore */
    struct origin origin; /* the uniforms that its program has read when a transfer starts */

    bool write_ready;                /* a generic write setup has come */
    uint32_t write_setup;            /* the latest generic write setup, its ADDR advanced */
    uint64_t write_done[VPM_WRITES]; /* when the latest writes leave the FIFO, oldest first */
    uint32_t fetched[LANES]; /* the vector in the read FIFO; there is one if any are left to read */
    uint64_t fetched_at;     /* when it is there */
    uint32_t read_setup;     /* of the vector in the FIFO, its ADDR advanced */
    uint32_t reads_left;     /* vectors still to be taken of read_setup, with the one in the FIFO */
    uint32_t queued_setup;   /* a second read setup, and its count */
    uint32_t queued_left;
    uint64_t queued_at;  /* when its first vector can be fetched */
    uint64_t first_read; /* the first instruction that may take a vector of the latest read setup */
    uint32_t vectors_read;              /* since the program's start */
    uint32_t store_setup, store_stride; /* VDW */
    uint32_t load_setup, load_pitch;    /* VCD */
    struct vpm_dma load, store;
    uint64_t loaded, stored; /* bytes, since the program's start */
};

/* Zeroes the memory; what .bus to .race and .sanitize say stays. */
void vpm_reset(struct vpm *vpm);

/* Time begins anew: no port is in use. */
void vpm_restart(struct vpm *vpm);

/* Says that rows have been filled by something else than a port: the VCD fetching attributes. */
void vpm_mark_written(struct vpm *vpm, uint32_t row, uint32_t rows);

/* Prepares a port for a user program: it reads and writes the same rows, from the start of the VPM on.
 * reserved_rows: what V3D_VPMBASE reserves, 0 if nothing was. */
void vpm_port_user(struct vpm_port *port, uint32_t qpu, uint32_t reserved_rows);

/* Prepares a port for a vertex or coordinate shader: it reads input and writes output, each as rows 0
 * and following. Reads of rows that are not in input and writes of rows that are not in output are
 * findings; such reads give what lies there, such writes are dropped (manual section 7, "masked"). */
void vpm_port_shader(struct vpm_port *port, struct vpm_window input, struct vpm_window output);

/* Rows that the program has read or written so far by vectors, bit per row as it sees them; all
 * columns count alike. Compare them with the rows that it should have touched. */
uint64_t vpm_rows_read(const struct vpm_port *port);
uint64_t vpm_rows_written(const struct vpm_port *port);

/* "row 3" or "rows 3 to 5": the first run of rows in a set that is not empty. */
enum { VPM_ROWS_TEXT = 32 };
const char *vpm_rows_text(uint64_t rows, char text[VPM_ROWS_TEXT]);

/* Those of them that were read, or written, again as a whole. */
uint64_t vpm_rows_reread(const struct vpm_port *port);
uint64_t vpm_rows_rewritten(const struct vpm_port *port);

/* Register 49 in file A (read side: generic read, DMA load, extended pitch) and file B (write side). */
void vpm_read_setup(struct vpm *vpm, struct vpm_port *port, uint32_t word);
void vpm_write_setup(struct vpm *vpm, struct vpm_port *port, uint32_t word);

/* Register 48. vpm_read() is false, with a finding, when no read is set up: the hardware would wait for
 * ever; vpm_read_stall() is for how long the QPU stalls before. Lanes that mask leaves out of a write keep
 * their old data, with a finding. vpm_write() returns the stall while the write FIFO is full. */
uint64_t vpm_read_stall(const struct vpm_port *port);
bool vpm_read(struct vpm *vpm, struct vpm_port *port, lanes *value);

/* Before a read whose value counts: with the sanitizer, a finding if it comes too early. */
void vpm_check_latency(struct vpm *vpm, const struct vpm_port *port);
uint64_t vpm_write(struct vpm *vpm, struct vpm_port *port, const lanes *value, lane_mask mask);

/* Whether the next vector can be read, or written by all elements, with nothing to be told of it. */
bool vpm_reads_quietly(const struct vpm *vpm, const struct vpm_port *port);
bool vpm_writes_quietly(const struct vpm *vpm, const struct vpm_port *port);

/* The same of a setup word, for reads or writes. */
bool vpm_sets_up_quietly(const struct vpm *vpm, const struct vpm_port *port, bool reads,
                         uint32_t word);

/* Writes to register 50: memory to VPM, VPM to memory. All data moves at once, but the transfer counts as
 * busy for an estimated time. Returns the stall while an earlier one of this port and kind ends. */
uint64_t vpm_load(struct vpm *vpm, struct vpm_port *port, uint32_t address);
uint64_t vpm_store(struct vpm *vpm, struct vpm_port *port, uint32_t address);

/* Reads of register 49: whether a transfer is busy. */
bool vpm_load_busy(struct vpm *vpm, struct vpm_port *port);
bool vpm_store_busy(struct vpm *vpm, struct vpm_port *port);

/* Reads of register 50. Returns the stall until the transfer ends. */
uint64_t vpm_wait_load(struct vpm *vpm, struct vpm_port *port);
uint64_t vpm_wait_store(struct vpm *vpm, struct vpm_port *port);

/* What is to be said at the end of the program. Vectors left are dropped, transfers end. */
void vpm_end(struct vpm *vpm, struct vpm_port *port);

#endif
