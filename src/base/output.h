/* SPDX-License-Identifier: MIT */
/* output.h - what the library's own readers and writers tell the set of outputs that is in use (tessera/output.h). */
#ifndef BASE_OUTPUT_H
#define BASE_OUTPUT_H

#include <tessera/output.h>

/* Counts an open file as an input of the set that this thread uses, if any. Errors: TESS_NO_MEMORY. */
enum tess_status output_note_input(int descriptor, const char *name);

/* Counts a file as an output of the set that this thread uses, if any. Errors: TESS_IO (tess_outputs_error() says why),
 * TESS_NO_MEMORY. */
enum tess_status output_claim_path(const char *path);

#endif
