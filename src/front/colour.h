/* SPDX-License-Identifier: MIT */
/* colour.h - colours of diagnostics on a terminal, as in gcc: positions bold, errors red, warnings
 * magenta, notes cyan. */
#ifndef FRONT_COLOUR_H
#define FRONT_COLOUR_H

#include <stdbool.h>
#include <stdio.h>

enum colour_when { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };

enum colour { COLOUR_NONE, COLOUR_PLACE, COLOUR_ERROR, COLOUR_WARNING, COLOUR_NOTE, COLOUR_CARET };

/* Looks up "auto", "always" or "never". Returns false for other names. */
bool colour_find(const char *name, enum colour_when *when);

/* Returns "auto", "always" or "never". */
const char *colour_name(enum colour_when when);

/* Sets the choice for all streams of this process. COLOUR_AUTO, the default, uses colours on a
 * terminal unless NO_COLOR is set and not empty, or TERM is "dumb" or not set. */
void colour_choose(enum colour_when when);

enum colour_when colour_chosen(void);

/* True after colour_choose(). */
bool colour_is_chosen(void);

/* Makes `stream` use colours under the same conditions as `other`. Needed if the text of `stream`
 * is later copied to `other`, for example to standard output. */
void colour_follow(FILE *stream, FILE *other);

/* Returns true if text for a stream has colours. */
bool colour_wanted(FILE *stream);

/* Return the escape sequences that begin and end a colour, or "" if the stream has no colours. */
const char *colour_begin(FILE *stream, enum colour colour);
const char *colour_end(FILE *stream);

#endif
