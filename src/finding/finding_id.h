/* SPDX-License-Identifier: MIT */
/* finding_id.h - looks up ids of the models' findings. Comments in sources can allow such findings
 * as well as rules of the checker. */
#ifndef FINDING_FINDING_ID_H
#define FINDING_FINDING_ID_H

#include <stddef.h>

#include <tessera/isa.h>

/* Returns the current id of the machine's finding whose current or former id is word, or NULL if
 * there is no such finding. The same finding always has the same pointer. */
const char *finding_id(enum tess_machine machine, const char *word, size_t length);

#endif
