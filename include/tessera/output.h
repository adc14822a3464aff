/* SPDX-License-Identifier: MIT */
/* output.h - files that a program writes: whole, and all of a run together, or not at all.
 *
 * A set knows the files that a run reads and writes. What is written goes to a temporary file in the folder of the file to be,
 * and replaces that only in tess_outputs_commit(), after everything else was written without an error. Until then, and after
 * any failure, the old files are as they were. docs/output.md says which attributes of a file are kept.
 */
#ifndef TESSERA_OUTPUT_H
#define TESSERA_OUTPUT_H

#include <stdio.h>

#include <tessera/tessera.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tess_outputs; /* a set */
struct tess_output;  /* a file of it that is written */

/* Makes an empty set. *out is NULL unless the result is TESS_OK. Errors: TESS_NO_MEMORY. */
TESS_API enum tess_status tess_outputs_create(struct tess_outputs **out);

/* Removes the temporary files of what was not committed, and releases the set with its outputs. NULL is allowed. */
TESS_API void tess_outputs_free(struct tess_outputs *outputs);

/* From now on the files that this thread's calls of the library read are inputs of the set, and those that they write belong
 * to it. NULL, as at first: to no set; then each file that the library writes is committed at once. */
TESS_API void tess_outputs_use(struct tess_outputs *outputs);

/* Counts an open file as an input. name: for messages. Errors: TESS_NO_MEMORY. */
TESS_API enum tess_status tess_outputs_add_input(struct tess_outputs *outputs, int descriptor,
                                                 const char *name);

/* Counts a file as an output that somebody else writes. Errors: as tess_output_open(). */
TESS_API enum tess_status tess_outputs_claim(struct tess_outputs *outputs, const char *path);

/* Counts a file as an output that tess_output_open() opens later by the same name. Errors: as tess_output_open(). */
TESS_API enum tess_status tess_outputs_reserve(struct tess_outputs *outputs, const char *path);

/* Opens a file to be written; "-" is standard output. Files that are not regular (pipes, terminals, devices), standard output,
 * and descriptors of this process by name (/dev/stdout, /dev/fd/3) are written directly, all others in temporary files. *out is
 * NULL unless the result is TESS_OK, and lives as long as the set. Errors: TESS_NO_MEMORY; TESS_IO, also if the file is an
 * input or another output of the set: tess_outputs_error() says why. */
TESS_API enum tess_status tess_output_open(struct tess_outputs *outputs, const char *path,
                                           struct tess_output **out);

/* Where to write to, until the output is finished. */
TESS_API FILE *tess_output_stream(struct tess_output *output);

/* The name of the file that is written for now: for other processes that add to it. Lives as long as the output. */
TESS_API const char *tess_output_name(const struct tess_output *output);

/* Ends writing: flushes, syncs, closes. Errors: TESS_IO if anything that was written got lost. */
TESS_API enum tess_status tess_output_finish(struct tess_output *output);

/* Looks whether any output is an input that was added after it. tess_outputs_commit() does so, too. Errors: TESS_IO. */
TESS_API enum tess_status tess_outputs_check(struct tess_outputs *outputs);

/* Finishes all outputs, and puts them in the places of the old files: all, or none. Errors: TESS_IO if any output of the set
 * failed at any time; TESS_NO_MEMORY. The set is empty then, whatever the result. */
TESS_API enum tess_status tess_outputs_commit(struct tess_outputs *outputs);

/* Replaces one file ("-" is standard output) by the bytes, in the set that this thread uses, or at once. Errors: TESS_IO,
 * TESS_NO_MEMORY. */
TESS_API enum tess_status tess_output_write(const char *path, const void *bytes, size_t size);

/* Why this thread's last of these functions that returned an error did: "cannot write to FILE: ...". */
TESS_API const char *tess_outputs_error(void);

/* Removes the temporary files of all sets of this process. For handlers of signals that end it: async-signal-safe. */
TESS_API void tess_outputs_remove_temporaries(void);

#ifdef __cplusplus
}
#endif

#endif
