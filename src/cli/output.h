/* SPDX-License-Identifier: MIT */
/* output.h - the outputs of a verb (files or standard output), and its inputs, which no output may
 * replace. All files of a run belong to one set (tessera/output.h). */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

struct tess_output;

struct output {
    FILE *stream; /* stream for writing, or NULL after output_close() */
    struct tess_output *file;
    const char *title;
};

/* Opens path for writing. The paths NULL and "-" mean standard output. Returns false after an error
 * message that begins with title. */
bool output_open(struct output *output, const char *title, const char *path);

/* Finishes an output. Returns false after an error message if any data could not be written. */
bool output_close(struct output *output);

/* Registers a file as an output that another process will write. Returns false after an error
 * message. */
bool output_claim(const char *title, const char *path);

/* Registers a file as an output that output_open() will open later under the same name. Returns
 * false after an error message. */
bool output_plan(const char *title, const char *path);

/* Flushes standard output. Returns false after an error message if any data could not be
 * written. */
bool output_flush_standard(const char *title);

/* Opens a file for reading as bytes and registers the file as an input. The path "-" means standard
 * input. Returns NULL with errno set if the file cannot be opened. */
FILE *input_open(const char *path);

/* Registers an open file as an input. Returns false if the host is out of memory. */
bool input_note(int descriptor, const char *path);

/* Registers a file as an input if it exists. Returns false if the host is out of memory. */
bool input_note_path(const char *path);

/* Starts the handling of outputs. Opens closed standard descriptors, so that no file receives
 * descriptor 0, 1 or 2. Creates the set of outputs. Installs signal handlers that remove temporary
 * files before a signal ends the program. Returns false after an error message if the host is out
 * of memory. */
bool outputs_begin(void);

/* Checks that no output is also an input, before another process writes the output. Returns false
 * after an error message. */
bool outputs_check(const char *title);

/* Replaces the old files with the outputs. If a file cannot be replaced, leaves all old files
 * unchanged and returns false after an error message. */
bool outputs_commit(const char *title);

/* True if outputs_commit() has replaced the old files. */
bool outputs_committed(void);

/* Makes later calls of outputs_commit() leave all old files unchanged. */
void outputs_abandon(void);

/* Removes the temporary files of outputs that were not committed. */
void outputs_end(void);

#endif
