/* SPDX-License-Identifier: MIT */
/* explain.h - what stands behind an id: a rule of the checker, a finding of the model, an erratum. */
#ifndef CLI_EXPLAIN_H
#define CLI_EXPLAIN_H

#include <stdbool.h>
#include <stdio.h>

#include <tessera/isa.h>

/* Whether there is something to say. */
bool explain_knows(const char *id);

/* Says it, as text or as one JSON object. A rule and a finding may have the same id: the text is of
 * both, the object of the first one. */
void explain_print(FILE *stream, const char *id, bool rules_first, bool json);

/* A rule of the checker as a JSON object. */
void explain_json_rule(FILE *stream, const struct tess_check_rule *rule);

/* The id that a mistyped one may stand for; NULL: none is near. */
const char *explain_nearest(const char *id);

/* Says on stderr that there is no such thing ("rule"), and what may have been meant or where they
 * are listed. */
void explain_unknown(const char *title, const char *thing, const char *id, const char *listed);

/* Prints the ids of findings and errata, one a line. */
void explain_print_ids(FILE *stream);

#endif
