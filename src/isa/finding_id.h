/* SPDX-License-Identifier: MIT */
/* finding_id.h - ids of the models' findings. Comments in sources can name them like
 * rules of the checker. */
#ifndef ISA_FINDING_ID_H
#define ISA_FINDING_ID_H

#include <stddef.h>

#include <tessera/isa.h>

/* Returns the id of a machine's finding that equals word, or NULL. Equal ids have the same
 * pointer. */
const char *finding_id(enum tess_machine machine, const char *word, size_t length);

#endif
