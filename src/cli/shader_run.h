/* SPDX-License-Identifier: MIT */
/* shader_run.h - a shader's way over data, whichever the machine: diagnostics, progress, pieces of vertices, the picture.
 *
 * In:  what the command line says; the machine's names and formats; a function that runs a piece.
 * Out: tables, pictures, an exit status. */
#ifndef CLI_SHADER_RUN_H
#define CLI_SHADER_RUN_H

#include "front/report.h"
#include "progress.h"
#include "shader_arguments.h"
#include "shader_input.h"
#include "shader_output.h"
#include "shader_uniforms.h"

/* Begin it with shader_run_begin(); it must stay where it is from then on. */
struct shader_run {
    const struct shader_arguments *arguments;
    struct judge *judge;
    struct report report;
    struct shader_missing missing;
    struct progress progress;
    struct shader_input input;
    struct shader_output output;
    struct shader_draw draw;
    struct shader_input_options input_options;
    struct shader_output_options output_options;
    struct output trace, stats; /* .stream NULL: none; statistics go to standard error then */
    size_t traced;       /* the place of the traced vertex in its piece */
};

struct shader_run shader_run_begin(struct shader_arguments *arguments);

/* Where everything is reported: it knows of --strict. */
struct tess_sink shader_run_sink(struct shader_run *run);

/* The exit status for a library's status, which is told if nothing else has been. */
int shader_run_fail(const struct shader_run *run, enum tess_status status);

/* Takes --uniforms and --uniform. False after a mistake, which has been told. */
bool shader_run_take_uniforms(const struct shader_run *run, struct shader_uniforms *uniforms);

/* Opens the data. Of the options what the command line says is filled in; a trace reads those vertices that run together
 * with its own. False after a mistake, which has been told. */
bool shader_run_open_input(struct shader_run *run, const struct shader_input_options *options);
bool shader_run_open_output(struct shader_run *run, const struct shader_output_options *options);
bool shader_run_begin_drawing(struct shader_run *run);

/* Opens the trace's file, or standard output. False, and stderr has been told, if it is another output already. */
bool shader_run_open_trace(struct shader_run *run);

/* Ends what was written. False, and stderr has been told, if anything of it got lost. */
bool shader_run_close_outputs(struct shader_run *run);

/* The number of the first of the count vertices that have been read last. */
size_t shader_run_base(const struct shader_run *run, size_t count);

/* Runs all data piece by piece, then calls end, and draws. What has been computed before a mistake is written, though no file
 * keeps it. what: what a row of data is. Returns an exit status. */
int shader_run_data(struct shader_run *run, const char *what,
                    enum tess_status (*piece)(void *user, size_t count), void (*end)(void *user),
                    void *user);

/* Chooses where statistics go, after the other outputs: to standard output, if there is a table or picture, and none of these
 * and no trace goes there; else to standard error. False after an error, which is on stderr. */
bool shader_run_open_stats(struct shader_run *run);

FILE *shader_run_stats_stream(const struct shader_run *run);

/* Goes on with statistics: what has been drawn, and the end of a JSON object. */
void shader_run_print_draw(const struct shader_run *run, FILE *stream);

/* Ends everything. Returns the exit status: result, unless errors have been reported. */
int shader_run_end(struct shader_run *run, int result);

#endif
