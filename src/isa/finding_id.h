/* SPDX-License-Identifier: MIT */
/* finding_id.h - ids of what the models find, which comments in sources may name beside rules of the checker. */
#ifndef ISA_FINDING_ID_H
#define ISA_FINDING_ID_H

#include <stddef.h>

#include <tessera/isa.h>

/* The id that a word is, of a machine's findings; NULL: none. The same pointer for the same id. */
const char *finding_id(enum tess_machine machine, const char *word, size_t length);

#endif
