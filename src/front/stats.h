/* SPDX-License-Identifier: MIT */
/* stats.h - prints the statistics of a run, for each block of the hardware and for each shader. */
#ifndef FRONT_STATS_H
#define FRONT_STATS_H

#include <stdio.h>

#include <tessera/pi.h>

#include "front/names.h"

/* Prints tables, or one JSON object on a line. docs/run.md explains the numbers. If pi is not NULL,
 * also prints the time that a Raspberry Pi would take. */
void stats_print(FILE *stream, const struct tess_vc4 *vc4, const struct tess_pi *pi,
                 const struct address_names *names, bool json);

#endif
