/* SPDX-License-Identifier: MIT */
/* shader_run.h - parts of "tessera run -m MACHINE" that all machines share. They handle
 * diagnostics, progress, pieces of vertices, and the picture.
 *
 * In:  the command line; the machine's names and formats; a function that runs a piece.
 * Out: tables, pictures, an exit status. */
#ifndef CLI_RUN_SHADER_RUN_H
#define CLI_RUN_SHADER_RUN_H

#include "cli/progress.h"
#include "cli/run/shader_arguments.h"
#include "cli/run/shader_input.h"
#include "cli/run/shader_output.h"
#include "cli/run/shader_uniforms.h"
#include "front/report.h"

/* State of a run, which shader_run_begin() returns. The structure must not be moved after the first
 * call of shader_run_sink(), since sinks point to it. */
struct shader_run {
    const struct shader_arguments *arguments;
    struct verdict_options *verdict;
    struct report report;
    struct shader_missing missing;
    struct progress progress;
    struct shader_input input;
    struct shader_output output;
    struct shader_draw draw;
    struct shader_input_options input_options;
    struct shader_output_options output_options;
    /* trace.stream is NULL without a trace. stats.stream is NULL if the statistics go to standard
     * error. */
    struct output trace, stats;
    size_t traced; /* index of the traced vertex in its piece */
};

struct shader_run shader_run_begin(struct shader_arguments *arguments);

/* Returns the sink for all diagnostics of the run. The sink applies --strict. */
struct tess_sink shader_run_sink(struct shader_run *run);

/* Returns the exit status for a library call's status. Prints an error message for TESS_NO_MEMORY
 * and TESS_INVALID, for which the library reports no diagnostic. */
int shader_run_fail(const struct shader_run *run, enum tess_status status);

/* Reads the values of --uniforms and --uniform. Returns false after reporting an error. */
bool shader_run_take_uniforms(const struct shader_run *run, struct shader_uniforms *uniforms);

/* Open the input, the output and the picture. The functions add the options of the command line to
 * options. With a trace, only the vertices that the machine runs together with the traced vertex
 * are read. Return false after reporting an error. */
bool shader_run_open_input(struct shader_run *run, const struct shader_input_options *options);
bool shader_run_open_output(struct shader_run *run, const struct shader_output_options *options);
bool shader_run_begin_drawing(struct shader_run *run);

/* Opens the file of the trace, or standard output. Returns false after an error message, for
 * example if the file is already another output. */
bool shader_run_open_trace(struct shader_run *run);

/* Closes the trace and the output. Returns false after an error message if any data could not be
 * written. */
bool shader_run_close_outputs(struct shader_run *run);

/* Returns the number of the first vertex of the current piece, which has count vertices. */
size_t shader_run_base(const struct shader_run *run, size_t count);

/* Calls piece for each piece of the data, then calls end, and draws the picture. what: noun for a
 * row of data in the progress line, such as "vertex". After an error, the outputs contain the
 * results of the vertices before the error. Returns an exit status. */
int shader_run_data(struct shader_run *run, const char *what,
                    enum tess_status (*piece)(void *user, size_t count), void (*end)(void *user),
                    void *user);

/* Chooses the stream of the statistics. The other outputs must be open. Statistics go to standard
 * output if the table or the picture is written to a file, and no table, picture or trace goes to
 * standard output. Otherwise statistics go to standard error. Returns false after an error
 * message. */
bool shader_run_open_stats(struct shader_run *run);

/* A count of the statistics. */
struct shader_count {
    const char *key, *label; /* key: name in JSON; label: name in text, or NULL if it is the key */
    uint64_t value;
};

/* Prints counts of the machine, with names of up to `width` columns, and those of the drawing, as
 * text or JSON. */
void shader_run_print_stats(const struct shader_run *run, const struct shader_count *counts,
                            size_t count, int width);

/* Ends the run and releases its memory. result is the exit status so far. Returns the final exit
 * status, which is a failure if the findings fail the run or an output cannot be written. */
int shader_run_end(struct shader_run *run, int result);

#endif
