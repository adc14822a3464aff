/* SPDX-License-Identifier: MIT */
/* output.h - where a verb writes what it was asked for: files, or standard output; and what it reads, which no output may
 * replace. All files of a run belong to one set (tessera/output.h). */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

struct tess_output;

struct output {
    FILE *stream; /* to write to */
    struct tess_output *file;
    const char *title;
};

/* Opens path; NULL and "-" are standard output. False after an error, which stderr has been told, headed
 * by title. */
bool output_open(struct output *output, const char *title, const char *path);

/* Ends writing. False, and stderr has been told, if anything that was written got lost. */
bool output_close(struct output *output);

/* Counts a file as an output that somebody else writes. False after an error, which stderr has been told. */
bool output_claim(const char *title, const char *path);

/* Counts a file as an output that output_open() opens later by the same name. False after an error, which is on stderr. */
bool output_plan(const char *title, const char *path);

/* Writes text, which may be longer than what streams keep back, to standard output. Returns an exit status; stderr has been
 * told if it got lost. */
int output_text(const char *title, const char *text);

/* Flushes standard output. False, and stderr has been told, if anything that was written there got lost. */
bool output_flush_standard(const char *title);

/* Opens a file to be read as bytes; "-" is standard input. NULL with errno set. */
FILE *input_open(const char *path);

/* Counts an open file as read. False if there is no memory. */
bool input_note(int descriptor, const char *path);

/* Counts a file as read, if it exists. False if there is no memory. */
bool input_note_path(const char *path);

/* Opens what is closed of standard input, output and error, so that no file gets their numbers; makes the set; and takes the
 * signals that end the program, to remove temporary files before. False, and stderr has been told, if there is no memory. */
bool outputs_begin(void);

/* Looks whether an output is an input, before anybody else writes it. False, and stderr has been told, if one is. */
bool outputs_check(const char *title);

/* Puts the outputs in the places of the old files. False, and stderr has been told, if that cannot be: then all old files are as
 * they were. */
bool outputs_commit(const char *title);

/* True after a commit that put files in their places. */
bool outputs_committed(void);

/* There is nothing worth putting there: the next commit leaves all old files as they are. */
void outputs_abandon(void);

/* Removes what has not been committed. */
void outputs_end(void);

#endif
