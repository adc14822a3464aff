/* SPDX-License-Identifier: MIT */
/* hot.h - which instructions a run has spent its time in. */
#ifndef FRONT_HOT_H
#define FRONT_HOT_H

#include <stdio.h>

#include "front/names.h"

/* Prints for each program that took its share of the time the instructions that took most; nothing for a device that does not
 * count them. docs/profile.md explains the table. */
void hot_print(FILE *stream, const struct tess_vc4 *vc4, const struct address_names *names);

/* The same of one program, all its instructions in the order of their addresses, as the member "hot" of an object
 * that is being written. */
void hot_json(FILE *stream, const struct tess_vc4 *vc4, const struct tess_vc4_shader_stats *shader,
              const struct address_names *names);

#endif
