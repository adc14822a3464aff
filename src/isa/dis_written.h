/* SPDX-License-Identifier: MIT */
/* dis_written.h - programs of a scene that the file calls data, because their words were written as
 * numbers. */
#ifndef ISA_DIS_WRITTEN_H
#define ISA_DIS_WRITTEN_H

#include "isa/dis_map.h"

/* Makes code of the data where the scene's steps and shader records say that programs begin, and
 * where symbols name what looks like one, but for what the caller calls data. False: no memory. */
bool dis_written_find(struct dis_map *map);

#endif
