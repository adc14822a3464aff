/* SPDX-License-Identifier: MIT */
/* output.h - registers the files that the library reads and writes with this thread's set of
 * outputs (tessera/output.h). */
#ifndef BASE_OUTPUT_H
#define BASE_OUTPUT_H

#include <tessera/output.h>

/* Registers an open file as an input of this thread's set, if a set is in use. Errors:
 * TESS_NO_MEMORY. */
enum tess_status output_note_input(int descriptor, const char *name);

/* Registers a file that will be opened later under the same name as an output of this thread's set,
 * if a set is in use. Errors: those of tess_output_open(). */
enum tess_status output_reserve(const char *path);

/* Begins a call that writes several files. If the caller has no set in use, creates one, puts it in
 * use and returns it in *own. Otherwise sets *own to NULL and the caller's set remains in use.
 * Errors: TESS_NO_MEMORY. */
enum tess_status output_begin(struct tess_outputs **own);

/* Ends a call that output_begin() began. If own is a set and status is TESS_OK or TESS_WRONG,
 * commits the set. Frees the set. Returns status, or the commit's status if the commit fails. */
enum tess_status output_end(struct tess_outputs *own, enum tess_status status);

#endif
