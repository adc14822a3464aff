/* SPDX-License-Identifier: MIT */
/* vpm.h - Vertex Pipe Memory with its DMA engines VCD (load) and VDW (store), as used by programs
 * (manual section 7 with the corrections of docs/vc4/vpm.md).
 *
 * In:  setup words and addresses that QPUs write to registers 49 and 50; vectors written to 48.
 * Out: vectors read from 48; memory written by VDW.
 *
 * Times are clocks, on a scale that all ports of a VPM share. The caller sets .now and .executed of
 * the port before every call. Functions that stall the QPU return the length of the stall. */
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
    VPM_USER_ROWS = 64, /* rows that setup words can address (erratum HW-2253) */
    VPM_COLUMNS = 16,
    VPM_RESERVE_ROWS = 4, /* rows in a unit of V3D_VPMBASE: 256 bytes (manual table 69) */
    VPM_WRITES = 2,       /* capacity of a QPU's write FIFO in vectors (manual section 7) */
    VPM_NO_QPU = UINT32_MAX,
};

struct vpm {
    struct bus *bus;
    struct fault_log *log;
    struct pctr_counts *counts; /* may be NULL */
    bool sanitize;              /* the run-time sanitizer is on */
    struct race *race;          /* state for finding races; may be NULL */
    struct vpm_engine vcd, vdw; /* DMA loads and stores of all ports */
    struct contention *contention; /* memory contention of DMA; may be NULL */
    uint32_t word[VPM_ROWS][VPM_COLUMNS];
    /* Kept by the sanitizer: bit per byte written since the reset. */
    uint64_t written[VPM_ROWS];
};

/* The rows of the VPM that a program accesses, starting at its row 0. */
struct vpm_window {
    uint32_t base, rows; /* base below VPM_ROWS, rows up to VPM_USER_ROWS */
};

/* A DMA transfer that the program has started and has not waited for. */
struct vpm_dma {
    bool pending;
    uint64_t ready;          /* estimated end of the transfer */
    uint32_t setup, address; /* for findings; .pc is the instruction that started the transfer */
    uint32_t pc;
};

/* The VPM interface of one QPU: FIFOs and setup registers. Initialise it with vpm_port_user() or
 * vpm_port_shader(). */
struct vpm_port {
    struct vpm_window input, output;  /* input: reads and loads; output: writes and stores */
    bool shader;                      /* a vertex or coordinate shader, not a user program */
    uint32_t qpu;                     /* QPU number for races; VPM_NO_QPU if races are not
                                         checked */
    uint64_t now;                     /* current time */
    uint32_t pc;                      /* address of the current instruction */
    uint32_t read_setup_pc;           /* address of the latest generic read setup */
    uint64_t executed;                /* instructions since the program's start */
    uint64_t rows_read, rows_written; /* bit per row in the program's numbering, inside the
                                         window or not */
    uint64_t reread, rewritten;       /* rows that a vector of a whole row accessed again */
    uint64_t rows_loaded;             /* rows loaded by its DMA; kept by the sanitizer */
    bool overfilled;                  /* the program has set up a read that the silicon may
                                         ignore */
    struct origin origin; /* range of uniforms that the program had read when the latest transfer
                             started */

    bool write_ready;                /* a generic write setup has been executed */
    uint32_t write_setup;            /* the latest generic write setup, with advanced ADDR */
    uint64_t write_done[VPM_WRITES]; /* times at which the latest writes leave the FIFO, oldest
                                        first */
    uint32_t fetched[LANES];         /* the vector in the read FIFO; valid if reads_left is not 0 */
    uint64_t fetched_at;             /* arrival time of the vector */
    uint32_t read_setup;             /* setup of the vector in the FIFO, with advanced ADDR */
    uint32_t reads_left;   /* vectors not yet taken of read_setup, including the one in the
                                FIFO */
    uint32_t queued_setup; /* a second read setup, and its count */
    uint32_t queued_left;
    uint64_t queued_at; /* earliest time for fetching its first vector */
    /* First instruction that may take a vector of the latest read setup. */
    uint64_t first_read;
    uint32_t vectors_read;              /* number since the program's start */
    uint32_t store_setup, store_stride; /* VDW */
    uint32_t load_setup, load_pitch;    /* VCD */
    struct vpm_dma load, store;
    uint64_t loaded, stored; /* bytes, since the program's start */
};

/* Zeroes the memory. Members .bus to .contention stay. */
void vpm_reset(struct vpm *vpm);

/* Restarts time, when no port is in use. */
void vpm_restart(struct vpm *vpm);

/* Marks rows as written. Used for rows that the VCD has filled with attributes, without a port. */
void vpm_mark_written(struct vpm *vpm, uint32_t row, uint32_t rows);

/* Prepares a port for a user program, which reads and writes the same rows from the start of the
 * VPM. reserved_rows is the reservation by V3D_VPMBASE, or 0. */
void vpm_port_user(struct vpm_port *port, uint32_t qpu, uint32_t reserved_rows);

/* Prepares a port for a vertex or coordinate shader, which reads input and writes output, each
 * numbered from row 0. Accesses to other rows are reported. Reads then return the VPM's contents;
 * writes are dropped (manual section 7, "masked"). */
void vpm_port_shader(struct vpm_port *port, struct vpm_window input, struct vpm_window output);

/* Return the rows that the program has read, or written, by vectors so far, as bits in the
 * program's numbering. Columns are not distinguished. */
uint64_t vpm_rows_read(const struct vpm_port *port);
uint64_t vpm_rows_written(const struct vpm_port *port);

/* Writes the first run of rows in a set, "row 3" or "rows 3 to 5", and returns text. The set must
 * not be empty. */
enum { VPM_ROWS_TEXT = 32 };
const char *vpm_rows_text(uint64_t rows, char text[VPM_ROWS_TEXT]);

/* Return the rows that vectors of whole rows have read, or written, more than once. */
uint64_t vpm_rows_reread(const struct vpm_port *port);
uint64_t vpm_rows_rewritten(const struct vpm_port *port);

/* Handle writes of register 49: vpm_read_setup() in file A (generic read, DMA load, extended
 * pitch), vpm_write_setup() in file B. */
void vpm_read_setup(struct vpm *vpm, struct vpm_port *port, uint32_t word);
void vpm_write_setup(struct vpm *vpm, struct vpm_port *port, uint32_t word);

/* Read and write register 48. vpm_read_stall() returns the stall before the read. vpm_read()
 * returns false after a finding if no read is set up: the hardware would wait forever. Lanes
 * outside mask keep their old data in a write, which is reported. vpm_write() returns the stall
 * while the write FIFO is full. */
uint64_t vpm_read_stall(const struct vpm_port *port);
bool vpm_read(struct vpm *vpm, struct vpm_port *port, lanes *value);

/* Checks the latency before a read whose value is used: with the sanitizer, reports reads that come
 * too early. */
void vpm_check_latency(struct vpm *vpm, const struct vpm_port *port);
uint64_t vpm_write(struct vpm *vpm, struct vpm_port *port, const lanes *value, lane_mask mask);

/* Return true if the next vector can be read, or written by all elements, without any possible
 * finding. */
bool vpm_reads_quietly(const struct vpm *vpm, const struct vpm_port *port);
bool vpm_writes_quietly(const struct vpm *vpm, const struct vpm_port *port);

/* Returns true if a setup word for reads or writes can be executed without any possible finding. */
bool vpm_sets_up_quietly(const struct vpm *vpm, const struct vpm_port *port, bool reads,
                         uint32_t word);

/* Handle writes of register 50: start a DMA load or store. All data moves at once, but the transfer
 * counts as busy for an estimated time. Return the length of the stall until an earlier transfer of
 * this port and kind has ended. */
uint64_t vpm_load(struct vpm *vpm, struct vpm_port *port, uint32_t address);
uint64_t vpm_store(struct vpm *vpm, struct vpm_port *port, uint32_t address);

/* Handle reads of register 49: return true if a transfer is busy. */
bool vpm_load_busy(struct vpm *vpm, struct vpm_port *port);
bool vpm_store_busy(struct vpm *vpm, struct vpm_port *port);

/* Handle reads of register 50: return the length of the stall until the transfer has ended. */
uint64_t vpm_wait_load(struct vpm *vpm, struct vpm_port *port);
uint64_t vpm_wait_store(struct vpm *vpm, struct vpm_port *port);

/* Checks the port at the end of a program, and reports unread vectors and unfinished transfers.
 * Drops the vectors and ends the transfers. */
void vpm_end(struct vpm *vpm, struct vpm_port *port);

#endif
