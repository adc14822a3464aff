/* SPDX-License-Identifier: MIT */
/* stats.h - what a run has executed, by block and by shader. */
#ifndef FRONT_STATS_H
#define FRONT_STATS_H

#include <stdio.h>

#include <tessera/pi.h>

#include "front/names.h"

/* Prints tables, or one JSON object on a line. docs/run.md explains the numbers. Where there is a Raspberry Pi around the
 * device, else pi is NULL, that has the time that one would take. */
void stats_print(FILE *stream, const struct tess_vc4 *vc4, const struct tess_pi *pi,
                 const struct address_names *names, bool json);

#endif
