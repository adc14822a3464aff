/* SPDX-License-Identifier: MIT */
/* dis_written.h - finds programs of a scene that the file declares as data, because their words are
 * written as numbers. */
#ifndef ISA_DIS_WRITTEN_H
#define ISA_DIS_WRITTEN_H

#include "isa/dis_map.h"

/* Turns data into code at the programs of the scene's steps and shader records, and at symbols
 * whose data look like a program. Ranges that the caller declares as data are unchanged. Returns
 * false if the host is out of memory. */
bool dis_written_find(struct dis_map *map);

#endif
