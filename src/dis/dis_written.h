/* SPDX-License-Identifier: MIT */
/* dis_written.h - finds programs of a scene whose words are written as numbers. The file declares
 * such words as data. */
#ifndef DIS_DIS_WRITTEN_H
#define DIS_DIS_WRITTEN_H

#include "dis/dis_map.h"

/* Marks data as code at the programs that the scene's steps and shader records name, and at symbols
 * whose data look like a program. Ranges that the caller declares as data are unchanged. Returns
 * false if the host is out of memory. */
bool dis_written_find(struct dis_map *map);

#endif
