/* SPDX-License-Identifier: MIT */
/* list_origin.h - finds the record of the binning list that drew a primitive of a tile's list.
 *
 * In:  the place of a finding in a tile list, and memory at the time of the finding. Nothing is
 *      recorded during binning.
 * Out: the address of the record. */
#ifndef VC4_LIST_ORIGIN_H
#define VC4_LIST_ORIGIN_H

#include "vc4/list_memory.h"

/* Returns the record's address, or 0 if the place is not in a list of the binner or the record is
 * unknown. If several draws have the same shader record, returns the first one whose vertices
 * include the first vertex of the primitive list at the place. */
uint32_t list_origin(const struct list_memory *memory, struct bus *bus,
                     const struct tess_place *place);

#endif
