/* SPDX-License-Identifier: MIT */
/* sixel.h - a picture as sixel graphics, which some terminals show. */
#ifndef CLI_PI_SIXEL_H
#define CLI_PI_SIXEL_H

#include <stdio.h>

#include "cli/pi/picture.h"

/* Writes a picture. Pictures of more than 256 colours are rounded to 252 colours. Writes nothing if
 * the host is out of memory. */
void sixel_write(FILE *stream, const struct picture *picture);

#endif
