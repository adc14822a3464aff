/* SPDX-License-Identifier: MIT */
/* finding_relay.h - findings as lines of text, which the shims write and the verbs `qpu` and `gl` read back.
 *
 * A program under a shim may consist of several processes. A document such as a SARIF log needs one writer, so each
 * process appends its findings to one file, and the verb turns the lines into a document after the program has ended. */
#ifndef FRONT_FINDING_RELAY_H
#define FRONT_FINDING_RELAY_H

#include <stdbool.h>
#include <stdio.h>

#include "front/finding_log.h"

/* Values of TESSERA_FINDINGS: JSON lines on standard error; text there and lines for the verb; lines for the verb only. */
#define FINDINGS_LINES      "json"
#define FINDINGS_RELAY      "relay"
#define FINDINGS_RELAY_ONLY "relay-only"

/* Writes a finding without its related places as one line. */
void finding_relay_write(FILE *stream, const struct finding *finding);

/* True if the line is one of finding_relay_write()'s. Fills in the finding, whose strings point into the line; the
 * function changes the line. */
bool finding_relay_read(char *line, struct finding *finding);

#endif
