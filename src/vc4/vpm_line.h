/* SPDX-License-Identifier: MIT */
/* vpm_line.h - where elements lie in the VPM: what the vectors of vpm.c and the DMA of vpm_dma.c share. */
#ifndef VC4_VPM_LINE_H
#define VC4_VPM_LINE_H

#include "vc4/race.h"
#include "vc4/vpm.h"

/* Elements in a line, in the VPM. Their words run along a row, or down a column. */
struct vpm_line {
    bool vertical;
    bool block; /* what passes the last row of a column goes on in the next column; else it starts
                             again at the column's first row */
    bool runs_on; /* it goes on in the rows below instead */
    bool laned; /* one element in each word, else as many as fit */
    uint32_t parts_log2;  /* elements per word: 0, 1, 2 for 32, 16, 8 bits */
    uint32_t row, column; /* of the first word */
    uint32_t part;        /* laned: which part of each word; packed: first sub-vector */
};

/* Where an element is. */
struct vpm_cell {
    uint32_t *word;
    uint32_t shift;
    uint32_t row; /* as the program sees it */
    bool wrapped; /* it would lie below the last row */
};

struct vpm_cell vpm_locate(struct vpm *vpm, const struct vpm_window *window,
                           const struct vpm_line *line, uint32_t element);

/* The low bits of an element. */
uint32_t vpm_element_mask(const struct vpm_line *line);

static inline uint32_t vpm_get(struct vpm_cell cell, uint32_t mask)
{
    return *cell.word >> cell.shift & mask;
}

static inline void vpm_put(struct vpm_cell cell, uint32_t mask, uint32_t value)
{
    *cell.word = (*cell.word & ~(mask << cell.shift)) | (value & mask) << cell.shift;
}

/* The bit of V3D_ERRSTAT for an access to a row that the port's program does not have. */
uint32_t vpm_range_error(const struct vpm_port *port, bool write);

/* --- the run-time sanitizer; all of these do nothing without it --- */

/* An access by the port's program, its DMA or its FIFO. */
struct vpm_watch {
    struct vpm *vpm;
    struct race_access access;
    uint32_t pc;    /* of the instruction that makes it */
    bool races;     /* else only unwritten words are looked for */
    bool unwritten; /* found: */
    uint32_t row, column;
};

struct vpm_watch vpm_watch(struct vpm *vpm, const struct vpm_port *port, enum race_agent agent);

/* The watched one reads or writes an element of the VPM, or size bytes of memory. */
void vpm_watch_element(struct vpm_watch *watch, struct vpm_cell cell, uint32_t mask, bool write);
void vpm_watch_memory(struct vpm_watch *watch, uint32_t address, uint32_t size, bool write);

/* Whether an element has been written since the reset; keeps the first that was not. */
void vpm_watch_written(struct vpm_watch *watch, struct vpm_cell cell, uint32_t mask);

/* Tells what was found. */
void vpm_watch_report(const struct vpm_watch *watch);

#endif
