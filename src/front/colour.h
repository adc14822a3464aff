/* SPDX-License-Identifier: MIT */
/* colour.h - colours of diagnostics on a terminal, as gcc has them: places bold, errors red, warnings magenta, notes cyan. */
#ifndef FRONT_COLOUR_H
#define FRONT_COLOUR_H

#include <stdbool.h>
#include <stdio.h>

enum colour_when { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };

enum colour { COLOUR_NONE, COLOUR_PLACE, COLOUR_ERROR, COLOUR_WARNING, COLOUR_NOTE, COLOUR_CARET };

/* Looks up "auto", "always" or "never". */
bool colour_find(const char *name, enum colour_when *when);

/* "auto", "always" or "never". */
const char *colour_name(enum colour_when when);

/* What holds for all streams of this process from here on; COLOUR_AUTO is the default: on a terminal, unless NO_COLOR is set and not
 * empty, or TERM is "dumb" or not set. */
void colour_choose(enum colour_when when);

enum colour_when colour_chosen(void);

/* Text for this stream goes where text for another one, as standard output, would: its colours are that one's. */
void colour_follow(FILE *stream, FILE *other);

/* Whether text for a stream has colours. */
bool colour_wanted(FILE *stream);

/* The characters that begin a colour and end it; "" if the stream gets none. */
const char *colour_begin(FILE *stream, enum colour colour);
const char *colour_end(FILE *stream);

#endif
