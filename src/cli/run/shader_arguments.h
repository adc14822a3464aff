/* SPDX-License-Identifier: MIT */
/* shader_arguments.h - the options of "tessera run -m MACHINE SHADER" that all machines share. */
#ifndef CLI_RUN_SHADER_ARGUMENTS_H
#define CLI_RUN_SHADER_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <getopt.h>

#include <tessera/isa.h>

#include "cli/run/shader_draw.h"
#include "cli/verdict_options.h"
#include "front/report.h"

/* Values of the long options for getopt_long(). */
enum {
    SHADER_ATTRIBUTE = 512,
    SHADER_ATTRIBUTE_TABLE,
    SHADER_UNIFORM,
    SHADER_UNIFORM_TABLE,
    SHADER_VARYING,
    SHADER_VERTICES,
    SHADER_FIRST,
    SHADER_TRACE,
    SHADER_TRACE_VERTEX,
    SHADER_CHOOSE,
    SHADER_THREADS,
    SHADER_MAX_INSTRUCTIONS,
    SHADER_STRICT,
    SHADER_STATS,
    SHADER_JSON,
    SHADER_PROGRESS,
    SHADER_QUIET,
    SHADER_NO_SANITIZE,
    SHADER_SANITIZE,
    SHADER_EXPLAIN,
    SHADER_HELP,
    SHADER_OWN,
};

/* Letters and rows for getopt_long(). */
/* clang-format off */
#define SHADER_LETTERS "m:o:I:D:" VERDICT_LETTERS
#define SHADER_OPTIONS                                                   \
    {"machine",          required_argument, NULL, 'm'},                         \
    {"output",           required_argument, NULL, 'o'},                         \
    {"include",          required_argument, NULL, 'I'},                         \
    {"define",           required_argument, NULL, 'D'},                         \
    {"attribute",        required_argument, NULL, SHADER_ATTRIBUTE},            \
    {"attributes",       required_argument, NULL, SHADER_ATTRIBUTE_TABLE},      \
    {"uniform",          required_argument, NULL, SHADER_UNIFORM},              \
    {"uniforms",         required_argument, NULL, SHADER_UNIFORM_TABLE},        \
    {"varying",          required_argument, NULL, SHADER_VARYING},              \
    {"vertices",         required_argument, NULL, SHADER_VERTICES},             \
    {"first",            required_argument, NULL, SHADER_FIRST},                \
    {"trace",            required_argument, NULL, SHADER_TRACE},                \
    {"trace-vertex",     required_argument, NULL, SHADER_TRACE_VERTEX},         \
    {"choose",           required_argument, NULL, SHADER_CHOOSE},               \
    {"threads",          required_argument, NULL, SHADER_THREADS},              \
    {"max-instructions", required_argument, NULL, SHADER_MAX_INSTRUCTIONS},     \
    {"strict",           no_argument,       NULL, SHADER_STRICT},               \
    {"stats",            no_argument,       NULL, SHADER_STATS},                \
    {"json",             no_argument,       NULL, SHADER_JSON},                 \
    {"progress",         no_argument,       NULL, SHADER_PROGRESS},             \
    {"quiet",            no_argument,       NULL, SHADER_QUIET},                \
    {"sanitize",         no_argument,       NULL, SHADER_SANITIZE},             \
    {"no-sanitize",      no_argument,       NULL, SHADER_NO_SANITIZE},          \
    {"explain",          required_argument, NULL, SHADER_EXPLAIN},              \
    {"help",             no_argument,       NULL, SHADER_HELP},                 \
    VERDICT_OPTIONS, VERDICT_LOG_OPTIONS,                                                       \
    DRAW_OPTIONS
/* clang-format on */

/* The last lines of --help. */
#define SHADER_LAST_HELP_TEXT                                                                      \
    "      --strict                    treat warnings as errors\n"                                 \
    "      --no-sanitize               report no findings of the model (faster)\n"                 \
    "      --sanitize                  report findings of the model (default)\n"                   \
    "      --threads N                 use N host threads, 1 to 64 (results do not change)\n"      \
    "      --stats                     print statistics; to standard error if the table goes to\n" \
    "                                  standard output\n"                                          \
    "      --progress                  show progress even if standard error is not a terminal\n"   \
    "      --quiet                     omit progress and notes\n"                                  \
    "      --json                      print statistics and traces as JSON, and diagnostics as\n"  \
    "                                  JSON lines to standard error\n"                             \
    "      --explain ID                explain a rule, finding or erratum\n" VERDICT_HELP_TEXT     \
        VERDICT_LOG_HELP_TEXT "      --help                      print this help\n"                \
    "\n"

/* The lines of --help for the options that only shaders have. */
/* clang-format off */
#define SHADER_HELP_TEXT                                                                           \
    "      --attribute NAME=FILE.csv[:COLUMNS]\n"                                                  \
    "                                  read an attribute (name or number) from columns of a\n"     \
    "                                  table (names, or numbers counted from 1)\n"                 \
    "      --attribute NAME=FILE,format=FORMAT[,components=N][,stride=N][,offset=N]\n"             \
    "                                  read an attribute from a raw little-endian buffer\n"        \
    "      --attributes FILE.csv       read attributes from table columns NAME.x, NAME.y...\n"     \
    "      --uniform NAME=V,V...       set a uniform, by name or row; also NAME[ROW] and NAME.x\n" \
    "      --uniforms FILE.csv         read uniforms from lines NAME,V,V...\n"                     \
    "      --vertices N                run N vertices (default: all)\n"                            \
    "      --first N                   begin with vertex N of the data, counted from 0\n"          \
    "      --varying NAME=FILE,format=f32|f16[,components=N]\n"                                    \
    "                                  also write a varying to a raw little-endian buffer\n"       \
    "      --trace FILE                write a trace of one vertex to FILE; run only that "        \
    "vertex\n"                                                                                     \
    "                                  and those that the machine runs together with it\n"         \
    "      --trace-vertex N            trace vertex N; without --trace, to standard output\n"      \
    "      --choose NAME               choose a behaviour that the documents leave open\n"         \
    "                                  (see --help of the machine)\n"                              \
    DRAW_HELP_TEXT                                                                                 \
    "  -I, --include DIR               search DIR for included files\n"                            \
    "  -D, --define NAME=VALUE         define a constant (VALUE defaults to 1)\n"
/* clang-format on */

/* The arguments of an option that may be repeated. */
struct shader_list {
    const char **items;
    size_t count;
};

/* Allocates a list for up to `most` arguments. Returns false if the host is out of memory. */
bool shader_list_begin(struct shader_list *list, size_t most);
/* Adds an argument. Always returns true. */
bool shader_list_add(struct shader_list *list, const char *item);

struct shader_arguments {
    /* trace_path is NULL if the trace goes to standard output. */
    const char *title, *path, *output, *explain, *trace_path;
    struct shader_list attributes, tables, uniforms, uniform_tables, varyings, choices, includes;
    struct tess_asm_define *defines;
    size_t define_count;
    /* vertices and max_instructions are 0 if the option is not given. */
    uint64_t vertices, first, trace, max_instructions;
    bool has_trace;
    unsigned threads; /* number of host threads, or 0 if --threads is not given */
    bool strict, stats, json, progress, quiet, no_sanitize, help;
    struct shader_draw_options draw;
    struct verdict_options verdict;
};

/* Sets the defaults and allocates room for the arguments. Returns false after an error message if
 * the host is out of memory. */
bool shader_arguments_begin(struct shader_arguments *arguments, int argc, char **argv);
void shader_arguments_free(struct shader_arguments *arguments);

/* Applies a shared option, whose value is optarg. Returns false after an error message if the
 * option or its value is invalid. */
bool shader_arguments_take(struct shader_arguments *arguments, int option);

/* Sets arguments->path to the only argument after the options. Returns false after an error
 * message. */
bool shader_arguments_end(struct shader_arguments *arguments, int argc, char **argv);

/* Reads the shader's whole file into *bytes, which the caller frees. Returns false after reporting
 * an error to report. */
bool shader_arguments_read(const struct shader_arguments *arguments, struct report *report,
                           void **bytes, size_t *size);

/* Returns the name of the shader's file for diagnostics. */
const char *shader_arguments_name(const struct shader_arguments *arguments);

#endif
