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

#include "vc4/lanes/lanes.h"
#include "vc4/memory/bus.h"
#include "vc4/time/pctr.h"
#include "vc4/vpm/vpm_engine.h"
#include "vc4/watch/origin.h"

struct race;

enum {
    VPM_ROWS = 192,     /* 12 KiB, with 16 words per row */
    VPM_USER_ROWS = 64, /* rows that setup words can address (erratum HW-2253) */
    VPM_COLUMNS = 16,
    VPM_RESERVE_ROWS = 4, /* rows per unit of V3D_VPMBASE, which is 256 bytes (manual table 69) */
    VPM_WRITES = 2,       /* capacity of a QPU's write FIFO in vectors (manual section 7) */
    VPM_NO_QPU = UINT32_MAX,
};

struct vpm {
    struct bus *bus;
    struct fault_log *log;
    struct pctr_counts *counts;    /* NULL if events are not counted */
    bool sanitize;                 /* true if the run-time sanitizer is on */
    struct race *race;             /* state for finding races, or NULL */
    struct vpm_engine vcd, vdw;    /* DMA loads and stores of all ports */
    struct contention *contention; /* memory contention of DMA, or NULL */
    uint32_t word[VPM_ROWS][VPM_COLUMNS];
    /* Bit per byte that was written since the reset. Only maintained by the sanitizer. */
    uint64_t written[VPM_ROWS];
};

/* The rows of the VPM that a program can access. The program's row 0 is row .base of the VPM. */
struct vpm_window {
    uint32_t base, rows; /* base is less than VPM_ROWS; rows is at most VPM_USER_ROWS */
};

/* A DMA transfer that the program has started and for which it has not waited. */
struct vpm_dma {
    bool pending;
    uint64_t ready;          /* estimated end of the transfer */
    uint32_t setup, address; /* setup and address of the transfer, for findings; .pc is the
                                instruction that started it */
    uint32_t pc;
};

/* The VPM interface of one QPU: FIFOs and setup registers. Initialise it with vpm_port_user() or
 * vpm_port_shader(). */
struct vpm_port {
    struct vpm_window input, output;  /* input for reads and loads, output for writes and stores */
    bool shader;                      /* true for a vertex or coordinate shader, false for a user
                                         program */
    uint32_t qpu;                     /* QPU number for the race check, or VPM_NO_QPU if races are
                                         not checked */
    uint64_t now;                     /* current time */
    uint32_t pc;                      /* address of the current instruction */
    uint32_t read_setup_pc;           /* address of the latest generic read setup */
    uint64_t executed;                /* instructions executed since the program's start */
    uint64_t rows_read, rows_written; /* bit per accessed row in the program's numbering, including
                                         rows outside the window */
    uint64_t reread, rewritten;       /* rows that vectors of whole rows accessed repeatedly */
    uint64_t rows_loaded;             /* rows that the program's DMA has loaded; only maintained by
                                         the sanitizer */
    bool overfilled;                  /* true if the program has executed a read setup that the
                                         silicon may ignore */
    struct origin origin; /* range of uniforms that the program had read when it started the latest
                             transfer */

    bool write_ready;                /* true if a generic write setup has been executed */
    uint32_t write_setup;            /* latest generic write setup, whose ADDR advances with each
                                        vector */
    uint64_t write_done[VPM_WRITES]; /* times at which the latest writes leave the FIFO, oldest
                                        first */
    uint32_t fetched[LANES];         /* vector in the read FIFO, valid if reads_left is not 0 */
    uint64_t fetched_at;             /* arrival time of the vector in .fetched */
    uint32_t read_setup;             /* setup of the vector in the FIFO; its ADDR advances with each
                                        vector */
    uint32_t reads_left;   /* number of vectors of read_setup that have not been read, including the
                              vector in the FIFO */
    uint32_t queued_setup; /* second read setup, and the number of its vectors */
    uint32_t queued_left;
    uint64_t queued_at; /* earliest time for fetching the first vector of queued_setup */
    /* Number of the first instruction that may read a vector of the latest read setup. */
    uint64_t first_read;
    uint32_t vectors_read;              /* number of vectors read since the program's start */
    uint32_t store_setup, store_stride; /* latest setups of the VDW */
    uint32_t load_setup, load_pitch;    /* latest setups of the VCD */
    struct vpm_dma load, store;
    uint64_t loaded, stored; /* bytes since the program's start */
};

/* Sets the memory to zeros and restarts time. Members from .bus to .contention do not change. */
void vpm_reset(struct vpm *vpm);

/* Restarts time at 0. No port may be in use. */
void vpm_restart(struct vpm *vpm);

/* Marks rows as written. Used for rows that the VCD has filled with attributes, because that does
 * not go through a port. */
void vpm_mark_written(struct vpm *vpm, uint32_t row, uint32_t rows);

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
void vpm_read_setup(struct vpm *vpm, struct vpm_port *port, uint32_t word);
void vpm_write_setup(struct vpm *vpm, struct vpm_port *port, uint32_t word);

/* Read and write register 48. vpm_read_stall() returns the length of the stall before the read.
 * vpm_read() returns false after a finding if no read is set up. In this case, the hardware would
 * wait forever. vpm_write() returns the length of the stall while the write FIFO is full. Lanes
 * outside mask keep their old data in the VPM, which is reported. */
uint64_t vpm_read_stall(const struct vpm_port *port);
bool vpm_read(struct vpm *vpm, struct vpm_port *port, lanes *value);

/* Reports, if the sanitizer is on, a read that is too early after the read setup. Called before a
 * read whose value is used. */
void vpm_check_latency(struct vpm *vpm, const struct vpm_port *port);
uint64_t vpm_write(struct vpm *vpm, struct vpm_port *port, const lanes *value, lane_mask mask);

/* vpm_reads_quietly() returns true if the next vector can be read and the read cannot cause a
 * finding. vpm_writes_quietly() returns true if a vector with all elements can be written and the
 * write cannot cause a finding. */
bool vpm_reads_quietly(const struct vpm *vpm, const struct vpm_port *port);
bool vpm_writes_quietly(const struct vpm *vpm, const struct vpm_port *port);

/* Returns true if a setup word for reads or writes can be executed and cannot cause a finding. */
bool vpm_sets_up_quietly(const struct vpm *vpm, const struct vpm_port *port, bool reads,
                         uint32_t word);

/* Handle writes of register 50, which start a DMA load or store. All data moves immediately, but
 * the transfer counts as busy for an estimated time. Return the length of the stall until the
 * port's earlier transfer in the same direction has ended. */
uint64_t vpm_load(struct vpm *vpm, struct vpm_port *port, uint32_t address);
uint64_t vpm_store(struct vpm *vpm, struct vpm_port *port, uint32_t address);

/* Handle reads of register 49. Return true if the port's transfer is busy. */
bool vpm_load_busy(struct vpm *vpm, struct vpm_port *port);
bool vpm_store_busy(struct vpm *vpm, struct vpm_port *port);

/* Handle reads of register 50. Return the length of the stall until the port's transfer has
 * ended. */
uint64_t vpm_wait_load(struct vpm *vpm, struct vpm_port *port);
uint64_t vpm_wait_store(struct vpm *vpm, struct vpm_port *port);

/* Checks the port at the end of a program. Reports unread vectors and unfinished transfers, then
 * drops the vectors and ends the transfers. */
void vpm_end(struct vpm *vpm, struct vpm_port *port);

#endif
