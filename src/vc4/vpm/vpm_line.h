/* SPDX-License-Identifier: MIT */
/* vpm_line.h - positions of elements in the VPM, for the vectors of vpm.c and the DMA of
 * vpm_dma.c. */
#ifndef VC4_VPM_VPM_LINE_H
#define VC4_VPM_VPM_LINE_H

#include "vc4/vpm/vpm_state.h"
#include "vc4/watch/race.h"

/* A line of elements in the VPM. The words of a line are in a row or in a column. */
struct vpm_line {
    bool vertical;
    /* A column has 16 rows. If .block is true, words past a column's last row continue in the next
     * column. Otherwise they continue at the column's first row. */
    bool block;
    bool runs_on; /* true if columns are not limited to 16 rows; overrides .block */
    bool laned;   /* true if each word contains one element, false if all parts of each word contain
                   elements */
    uint32_t parts_log2;  /* log2 of the number of elements per word: 0, 1, 2 for 32, 16, 8 bits */
    uint32_t row, column; /* position of the first word */
    uint32_t part;        /* if .laned, the part of each word that contains the element, otherwise
                             the number of the first sub-vector */
};

/* Position of an element in the VPM. */
struct vpm_cell {
    uint32_t *word;
    uint32_t shift;
    uint32_t row; /* number of the row as the program numbers rows */
    bool wrapped; /* true if the position was past the last row and wrapped around */
};

struct vpm_cell vpm_locate(struct vpm *vpm, const struct vpm_window *window,
                           const struct vpm_line *line, uint32_t element);

/* Returns a mask with a one for each bit of an element. */
uint32_t vpm_element_mask(const struct vpm_line *line);

static inline uint32_t vpm_get(struct vpm_cell cell, uint32_t mask)
{
    return *cell.word >> cell.shift & mask;
}

static inline void vpm_put(struct vpm_cell cell, uint32_t mask, uint32_t value)
{
    *cell.word = (*cell.word & ~(mask << cell.shift)) | (value & mask) << cell.shift;
}

/* Returns the bit of V3D_ERRSTAT for an access to a row outside the port's window. */
uint32_t vpm_range_error(const struct vpm_port *port, bool write);

/* --- the run-time sanitizer; these functions do nothing without it --- */

/* An access to the VPM or to memory by the port's program, its DMA or its FIFO. */
struct vpm_watch {
    struct vpm *vpm;
    const struct vpm_ports *ports;
    struct race_access access;
    uint32_t pc;    /* address of the accessing instruction */
    bool races;     /* true to check for races, false to check only for unwritten words */
    bool unwritten; /* true if an unwritten word was found; .row and .column have its position */
    uint32_t row, column;
};

struct vpm_watch vpm_watch(struct vpm *vpm, const struct vpm_ports *ports,
                           const struct vpm_port *port, enum race_agent agent);

/* vpm_watch_element() adds an access to an element of the VPM, and vpm_watch_memory() adds an
 * access to size bytes of memory. */
void vpm_watch_element(struct vpm_watch *watch, struct vpm_cell cell, uint32_t mask, bool write);
void vpm_watch_memory(struct vpm_watch *watch, uint32_t address, uint32_t size, bool write);

/* Checks that an element has been written since the reset. Records the first element that was not
 * written. */
void vpm_watch_written(struct vpm_watch *watch, struct vpm_cell cell, uint32_t mask);

/* Reports the findings of all added accesses. */
void vpm_watch_report(const struct vpm_watch *watch);

#endif
