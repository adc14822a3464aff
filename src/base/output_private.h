/* SPDX-License-Identifier: MIT */
/* output_private.h - a set of outputs, and what the files of output.h share. output.c opens and
 * finishes outputs, with the sets and their checks in output_set.c. output_commit.c puts all files
 * of a set in place. */
#ifndef BASE_OUTPUT_PRIVATE_H
#define BASE_OUTPUT_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/stat.h>

#include <tessera/output.h>

#include "base/output_place.h"
#include "base/temporary.h"

enum {
    OUTPUT_FIRST_OWN = 3, /* first descriptor after those of standard input, output and error */
    OUTPUT_CHAINS = 4096,
};

/* A file that is read. */
struct output_input {
    dev_t device;
    ino_t number;
    char *name;
};

struct tess_output {
    struct tess_outputs *set;
    struct tess_output *next;
    /* Next outputs in the hash chains of places and of names. next_name is used while the output is
     * reserved or is a series. */
    struct tess_output *next_place, *next_name;
    char *name; /* name as the user wrote it */
    struct output_place place;
    struct temporary file; /* .path is NULL if the output is written directly */
    int descriptor;        /* -1 after it is closed */
    /* NULL before the output is opened and after it is finished. Also NULL if another process
     * writes the file. */
    FILE *stream;
    char *room; /* memory for the stream's buffer */
    int error;  /* errno of the first failed write, or 0 */
    bool begun; /* true if at least one write was attempted */
    /* True if tess_output_write() wrote the file directly. Later writes under the same name are
     * then appended. */
    bool series;
    bool exchanged; /* true after RENAME_EXCHANGE, while the old file has the temporary name */
    bool renamed;   /* true if the new file was placed with a plain rename */
};

struct tess_outputs {
    struct tess_output *first, **last, *newest; /* outputs in the order of opening */
    /* Outputs whose place is known, by hash of the place. */
    struct tess_output *places[OUTPUT_CHAINS];
    struct tess_output *reserved[OUTPUT_CHAINS]; /* reserved outputs, by hash of the name */
    struct tess_output *series[OUTPUT_CHAINS];   /* series, by hash of the name */
    struct output_input *inputs;
    size_t input_count;
    bool failed;
};

/* --- output_set.c --- */

/* Returns this thread's set, or NULL if no set is in use. */
struct tess_outputs *outputs_in_use(void);

/* Sets the set's error to that of missing memory. Returns TESS_NO_MEMORY. */
enum tess_status output_no_memory(struct tess_outputs *set);

/* Sets the set's error: a write to the output failed with `error`, an errno. Returns the status. */
enum tess_status output_cannot_write(const struct tess_output *output, int error);

/* Reports that an output cannot replace its file. If the error shows that no file can be created in
 * the folder, or that the file cannot be renamed (for example, a mount point), the message suggests
 * a redirection. The file itself may be writable, but a direct write would not be atomic. */
enum tess_status output_cannot_replace(const struct tess_output *output, int error);

/* Closes the descriptor unless it is that of standard output. Returns false with errno set on
 * failure. */
bool output_close_descriptor(struct tess_output *output);

/* Discards all outputs of the set, and forgets its inputs. */
void outputs_empty(struct tess_outputs *set);

/* Checks that an output's file is not an input of its set. */
enum tess_status output_check_inputs(const struct tess_output *output);

/* Checks that no other output of the set writes to an output's file. */
enum tess_status output_check_others(const struct tess_output *output);

/* Returns the hash chain for a place. */
struct tess_output **outputs_chain(struct tess_outputs *set, const struct output_place *place);

/* --- output_commit.c --- */

/* Places all files, or none. Signals are blocked, so that no handler interrupts between two
 * renames. */
enum tess_status outputs_place(struct tess_outputs *set);

#endif
