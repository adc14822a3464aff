/* SPDX-License-Identifier: MIT */
/* vpm_state.h - state of the Vertex Pipe Memory and of the QPUs' ports to it (vpm.h). */
#ifndef VC4_VPM_VPM_STATE_H
#define VC4_VPM_VPM_STATE_H

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
    struct vpm_engine vcd, vdw; /* DMA loads and stores of all ports */
    uint32_t word[VPM_ROWS][VPM_COLUMNS];
    /* Bit per byte that was written since the reset. Only maintained by the sanitizer. */
    uint64_t written[VPM_ROWS];
};

/* What the VPM is connected to. */
struct vpm_ports {
    struct bus *bus;
    struct fault_log *log;
    struct pctr_counts *counts;    /* NULL if events are not counted */
    struct contention *contention; /* memory contention of DMA, or NULL */
    struct race *race;             /* state for finding races, or NULL */
    bool sanitize;                 /* true if the run-time sanitizer is on */
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

#endif
