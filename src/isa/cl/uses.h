/* SPDX-License-Identifier: MIT */
/* uses.h - finds the memory that a control list reads and writes, through its records and through
 * the data that they point to.
 *
 * In:  memory; the start and end of a list. Tile lists of the binner are skipped, since the binning
 *      list has the same information.
 * Out: ranges of memory, each with the record that uses it. */
#ifndef ISA_CL_USES_H
#define ISA_CL_USES_H

#include <stdint.h>

#include "isa/cl/ranges.h"

/* Find the memory uses of a list up to its first unreadable record. Uses of earlier lists are
 * dropped, but a binning list without a tile binning mode (record 112) keeps the memory of the
 * latest tile binning mode. binning contains the uses of the last binning list, whose tile lists a
 * rendering list branches to. */
void cl_uses_bin(struct cl_uses *uses, const struct cl_memory *memory, uint32_t start,
                 uint32_t end);
void cl_uses_render(struct cl_uses *uses, const struct cl_memory *memory, uint32_t start,
                    uint32_t end, const struct cl_uses *binning);

#endif
