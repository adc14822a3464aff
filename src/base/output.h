/* SPDX-License-Identifier: MIT */
/* output.h - what the library's own readers and writers tell the set of outputs that is in use (tessera/output.h). */
#ifndef BASE_OUTPUT_H
#define BASE_OUTPUT_H

#include <tessera/output.h>

/* Counts an open file as an input of the set that this thread uses, if any. Errors: TESS_NO_MEMORY. */
enum tess_status output_note_input(int descriptor, const char *name);

/* Counts a file as an output of the set that this thread uses, if any, which is to be opened later by the same name. Errors: as
 * tess_output_open(). */
enum tess_status output_reserve(const char *path);

/* For a call that writes several files: has a set in use. *own is NULL if the caller had one, which goes on. Errors:
 * TESS_NO_MEMORY. */
enum tess_status output_begin(struct tess_outputs **own);

/* Ends what output_begin() began: commits the call's own set if status is that of a call that did its work, TESS_OK or
 * TESS_WRONG. Returns status, or that of the commit if it fails. */
enum tess_status output_end(struct tess_outputs *own, enum tess_status status);

#endif
