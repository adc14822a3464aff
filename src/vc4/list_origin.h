/* SPDX-License-Identifier: MIT */
/* list_origin.h - which record of the binning list put a primitive into a tile's list.
 *
 * In:  the place of a finding in a tile list, and memory, after the fact: nothing is kept while
 * lists are made.
 * Out: the address of the record. */
#ifndef VC4_LIST_ORIGIN_H
#define VC4_LIST_ORIGIN_H

#include "vc4/list_memory.h"

/* 0 if the place is in no list of the binner, or nothing is known. Of several draws with one
 * shader record, the first that has
 * the first vertex of the tile's list. */
uint32_t list_origin(const struct list_memory *memory, struct bus *bus,
                     const struct tess_place *place);

#endif
