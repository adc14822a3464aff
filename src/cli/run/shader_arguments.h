/* SPDX-License-Identifier: MIT */
/* shader_arguments.h - the options of "tessera run -m MACHINE SHADER" that all machines share. */
#ifndef CLI_RUN_SHADER_ARGUMENTS_H
#define CLI_RUN_SHADER_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tessera/isa.h>

#include "cli/run/shader_draw.h"
#include "cli/verdict_options.h"
#include "front/report.h"

/* The options, in two groups of --help. The target is a struct shader_arguments. */
extern const struct option_row shader_rows[], shader_last_rows[];

/* How --max-instructions is taken. */
#define INSTRUCTIONS(member) NUMBER(member, "instruction limit", 1, UINT64_MAX)

struct shader_arguments {
    /* trace_path is NULL if the trace goes to standard output. */
    const char *title, *path, *output, *explain, *trace_path;
    struct option_list attributes, tables, uniforms, uniform_tables, varyings, choices, includes;
    struct option_defines defines;
    /* vertices and max_instructions are 0 if the option is not given. */
    uint64_t vertices, first, trace, max_instructions;
    bool has_trace;
    unsigned threads; /* number of host threads, or 0 if --threads is not given */
    bool strict, stats, json, progress, quiet, no_sanitize;
    struct shader_draw_options draw;
    struct verdict_options verdict;
};

/* Sets the defaults. */
void shader_arguments_begin(struct shader_arguments *arguments, const char *title);
void shader_arguments_free(struct shader_arguments *arguments);

/* Runs a verb whose options are parsed: explains an id, or passes the only argument after the
 * options to work. Returns the exit status. */
int shader_arguments_work(struct shader_arguments *arguments, int argc, char **argv,
                          int (*work)(void *user), void *user);

/* Reads the shader's whole file into *bytes, which the caller frees. Returns false after reporting
 * an error to report. */
bool shader_arguments_read(const struct shader_arguments *arguments, struct report *report,
                           void **bytes, size_t *size);

/* Returns the name of the shader's file for diagnostics. */
const char *shader_arguments_name(const struct shader_arguments *arguments);

/* Returns the options with which the programs of a machine are assembled. They point into the
 * arguments. */
struct tess_asm_options shader_arguments_assembly(const struct shader_arguments *arguments,
                                                  enum tess_machine machine);

#endif
