/* SPDX-License-Identifier: MIT */
/* vcd.h - Vertex Cache DMA: the attributes of a batch of vertices, from memory into the VPM.
 *
 * In:  the attribute arrays of a GL shader state record, up to 16 vertex indices.
 * Out: VPM rows; vertex i of the batch is column i. What user programs make the VCD do is in vpm.h. */
#ifndef VC4_VCD_H
#define VC4_VCD_H

#include <stdint.h>

#include "vc4/lanes.h"
#include "vc4/state.h"

enum {
    VCD_BATCH = LANES, /* vertices shaded together */
    VCD_ROWS = 64,     /* words of a column that the 8-bit total attributes size can ask for */
};

/* Bit n: row n. */
typedef uint64_t vcd_rows;

/* Which rows a stage's attributes fill; without those from VCD_ROWS on, which no total size covers. */
vcd_rows vcd_filled(const struct shader_record *record, enum shader_stage stage);

/* Loads the attributes that the stage selects for count vertices into their rows; the columns behind
 * them become 0 there. Rows that no attribute fills stay as they are. Memory that is not mapped reads
 * as 0, with a finding. */
void vcd_fetch(uint32_t row[VCD_ROWS][VCD_BATCH], const struct shader_record *record,
               enum shader_stage stage, struct bus *bus, const uint32_t index[], uint32_t count);

#endif
