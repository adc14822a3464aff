/* SPDX-License-Identifier: MIT */
/* output.h - writes files completely or not at all, and all files of a run together.
 *
 * A set contains the files that a run reads and writes. An output is written to a temporary file in
 * the directory of its target. tess_outputs_commit() replaces the targets after all outputs have
 * been written without an error. Until then, and after any failure, the old files are unchanged.
 * docs/output.md lists the attributes of a file that are kept.
 */
#ifndef TESSERA_OUTPUT_H
#define TESSERA_OUTPUT_H

#include <stdio.h>

#include <tessera/tessera.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tess_outputs; /* a set */
struct tess_output;  /* a file of a set that the run writes */

/* Creates an empty set. The caller releases *out with tess_outputs_free(). *out is NULL if
 * TESS_NO_MEMORY is returned. */
TESS_API enum tess_status tess_outputs_create(struct tess_outputs **out);

/* Removes the temporary files of outputs that were not committed, and releases the set with its
 * outputs. NULL is allowed. */
TESS_API void tess_outputs_free(struct tess_outputs *outputs);

/* Selects the set for this thread. Files that this thread's calls of the library read become inputs
 * of the set, and files that they write become outputs of the set. NULL, the default, selects no
 * set: each file that the library writes is then committed at once. */
TESS_API void tess_outputs_use(struct tess_outputs *outputs);

/* Adds an open file as an input. name is used in messages. Files that are not regular are ignored.
 * Returns TESS_NO_MEMORY on failure. */
TESS_API enum tess_status tess_outputs_add_input(struct tess_outputs *outputs, int descriptor,
                                                 const char *name);

/* Adds a file as an output that other code writes. Returns the same errors as
 * tess_output_open(). */
TESS_API enum tess_status tess_outputs_claim(struct tess_outputs *outputs, const char *path);

/* Adds a file as an output that tess_output_open() will open later with the same name. Returns the
 * same errors as tess_output_open(). */
TESS_API enum tess_status tess_outputs_reserve(struct tess_outputs *outputs, const char *path);

/* Opens a file for writing; "-" is standard output. Files that are not regular (pipes, terminals,
 * devices), standard output, and descriptors of this process by name (/dev/stdout, /dev/fd/3) are
 * written directly. All other files are written to temporary files first. *out is NULL unless the
 * result is TESS_OK, and is valid until the set is released. Returns TESS_NO_MEMORY or TESS_IO on
 * failure. TESS_IO is also returned if the file is an input or another output of the set.
 * tess_outputs_error() then returns the reason. */
TESS_API enum tess_status tess_output_open(struct tess_outputs *outputs, const char *path,
                                           struct tess_output **out);

/* Returns the stream to write to, which is valid until the output is finished. */
TESS_API FILE *tess_output_stream(struct tess_output *output);

/* Returns the name of the file that is currently written, for other processes that append to it.
 * Valid as long as the output. */
TESS_API const char *tess_output_name(const struct tess_output *output);

/* Ends the output: flushes, syncs and closes it. Returns TESS_IO if data was lost. */
TESS_API enum tess_status tess_output_finish(struct tess_output *output);

/* Checks that no output is an input that was added later. tess_outputs_commit() also checks this.
 * Returns TESS_IO if an output is an input. */
TESS_API enum tess_status tess_outputs_check(struct tess_outputs *outputs);

/* Finishes all outputs. Then replaces all target files, or none of them if an output has failed.
 * Returns TESS_IO if any output of the set has failed at any time, or TESS_NO_MEMORY. The set is
 * empty afterwards in any case. */
TESS_API enum tess_status tess_outputs_commit(struct tess_outputs *outputs);

/* Replaces one file ("-" is standard output) by size bytes: through the set that this thread uses,
 * or at once if this thread uses no set. Returns TESS_IO or TESS_NO_MEMORY on failure. */
TESS_API enum tess_status tess_output_write(const char *path, const void *bytes, size_t size);

/* Returns the reason of this thread's latest failure of a function in this file, for example
 * "cannot write to FILE: ...". The string is valid until the next failure. */
TESS_API const char *tess_outputs_error(void);

/* Removes the temporary files of all sets of this process. For handlers of signals that end the
 * process: async-signal-safe. */
TESS_API void tess_outputs_remove_temporaries(void);

#ifdef __cplusplus
}
#endif

#endif
