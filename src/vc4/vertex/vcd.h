/* SPDX-License-Identifier: MIT */
/* vcd.h - Vertex Cache DMA: loads the attributes of a batch of vertices from memory into the
 * VPM.
 *
 * In:  the attribute arrays of a GL shader state record, up to 16 vertex indices.
 * Out: VPM rows, in which vertex i of the batch is column i. User programs also use the VCD; see
 *      vpm.h. */
#ifndef VC4_VERTEX_VCD_H
#define VC4_VERTEX_VCD_H

#include <stdint.h>

#include "vc4/lanes/lanes.h"
#include "vc4/state/state.h"

enum {
    VCD_BATCH = LANES, /* limit of vertices that are shaded together */
    VCD_ROWS = 64,     /* number of words in a column that the 8-bit total attributes size can
                          cover */
};

/* A set of rows. Bit n represents row n. */
typedef uint64_t vcd_rows;

/* Returns the rows that the attributes of a shader stage fill. Row VCD_ROWS and higher rows are not
 * included, because no total attributes size covers them. */
vcd_rows vcd_filled(const struct shader_record *record, enum shader_stage stage);

/* Loads the attributes that the shader stage selects, for count vertices, into the attributes'
 * rows. In these rows, clears the columns without a vertex. Other rows do not change. Unmapped
 * memory is reported and reads as 0. */
void vcd_fetch(uint32_t row[VCD_ROWS][VCD_BATCH], const struct shader_record *record,
               enum shader_stage stage, struct bus *bus, const uint32_t index[], uint32_t count);

#endif
