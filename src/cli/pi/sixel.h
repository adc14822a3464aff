/* SPDX-License-Identifier: MIT */
/* sixel.h - a picture as sixel graphics, which some terminals show. */
#ifndef CLI_PI_SIXEL_H
#define CLI_PI_SIXEL_H

#include <stdio.h>

#include "cli/pi/picture.h"

/* Writes a picture in up to 256 colours. Writes nothing if the host is out of memory. */
void sixel_write(FILE *stream, const struct picture *picture);

#endif
