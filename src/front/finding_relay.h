/* SPDX-License-Identifier: MIT */
/* finding_relay.h - findings as lines of text, which the shims write and the verbs `qpu` and `gl`
 * read.
 *
 * A program under a shim may consist of several processes. A document such as a SARIF log needs one
 * writer, so each process appends its findings to one file. After the program has ended, the verb
 * converts the lines to a document. */
#ifndef FRONT_FINDING_RELAY_H
#define FRONT_FINDING_RELAY_H

#include <stdbool.h>
#include <stdio.h>

#include "front/finding_log.h"

/* Values of the environment variable TESSERA_FINDINGS. "json": JSON lines on standard error.
 * "relay": text on standard error, and lines for the verb. "relay-only": only lines for the
 * verb. */
#define FINDINGS_LINES      "json"
#define FINDINGS_RELAY      "relay"
#define FINDINGS_RELAY_ONLY "relay-only"

/* Writes a finding without its related places as one line. */
void finding_relay_write(FILE *stream, const struct finding *finding);

/* Parses a line of finding_relay_write(). Returns false for other lines. The strings of *finding
 * point into line, which the function changes. */
bool finding_relay_read(char *line, struct finding *finding);

#endif
