/* SPDX-License-Identifier: MIT */
/* vcd.h - Vertex Cache DMA: loads the attributes of a batch of vertices from memory into the
 * VPM.
 *
 * In:  the attribute arrays of a GL shader state record, up to 16 vertex indices.
 * Out: VPM rows; vertex i of the batch is column i. For the VCD's use by user programs, see
 *      vpm.h. */
#ifndef VC4_VCD_H
#define VC4_VCD_H

#include <stdint.h>

#include "vc4/lanes.h"
#include "vc4/state.h"

enum {
    VCD_BATCH = LANES, /* vertices shaded together */
    VCD_ROWS = 64,     /* words of a column that the 8-bit total attributes size can cover */
};

/* A set of rows, bit n for row n. */
typedef uint64_t vcd_rows;

/* Returns the rows that a stage's attributes fill. Rows from VCD_ROWS on are left out; no total
 * size covers them. */
vcd_rows vcd_filled(const struct shader_record *record, enum shader_stage stage);

/* Loads the attributes that the stage selects for count vertices into their rows, and clears the
 * remaining columns of these rows. Other rows stay unchanged. Unmapped memory reads as 0 after a
 * finding. */
void vcd_fetch(uint32_t row[VCD_ROWS][VCD_BATCH], const struct shader_record *record,
               enum shader_stage stage, struct bus *bus, const uint32_t index[], uint32_t count);

#endif
