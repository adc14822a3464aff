/* SPDX-License-Identifier: MIT */
/* explain.h - explains an id: a rule of the checker, a finding of a model, an erratum or a
 * message. */
#ifndef CLI_EXPLAIN_H
#define CLI_EXPLAIN_H

#include <stdbool.h>
#include <stdio.h>

#include <tessera/finding.h>
#include <tessera/isa.h>

struct json;

/* True if an explanation exists for an id. */
bool explain_knows(const char *id);

/* Prints the explanation of an id. A rule and a finding may have the same id. The text form prints
 * both meanings, the rule first if rules_first is true. JSON is one object, for the first meaning
 * only. */
void explain_print(FILE *stream, const char *id, bool rules_first, bool json);

/* Writes a rule of the checker as a JSON object. */
void explain_json_rule(struct json *json, const struct tess_rule *rule);

/* Returns the known id nearest to a mistyped one, or NULL if no id is near. */
const char *explain_nearest(const char *id);

/* Prints the error "unknown THING 'ID'" and suggests the nearest id. If no id is near, names the
 * command that lists all ids, which the caller passes in `listed`. thing: noun such as "rule". */
void explain_unknown(const char *title, const char *thing, const char *id, const char *listed);

/* Prints the ids of findings, errata and messages, one per line. Omits ids of rules. */
void explain_print_ids(FILE *stream);

#endif
