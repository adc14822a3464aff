/* SPDX-License-Identifier: MIT */
/* list_origin.h - finds the binning list's record from which a primitive in a tile list comes.
 *
 * In:  the place of a finding in a tile list, and memory at the time of the finding. Nothing is
 *      recorded during binning.
 * Out: the address of the record. */
#ifndef VC4_WATCH_LIST_ORIGIN_H
#define VC4_WATCH_LIST_ORIGIN_H

#include "vc4/watch/list_memory.h"

/* Returns the address of the record, or 0 if the place is not in a tile list or the record is not
 * found. If several primitive list records use the same shader record, returns the first record
 * whose vertices include the first vertex of the primitive list at the place. */
uint32_t list_origin(const struct list_memory *memory, struct bus *bus,
                     const struct tess_place *place);

#endif
