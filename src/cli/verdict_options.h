/* SPDX-License-Identifier: MIT */
/* verdict_options.h - options about findings that verbs share. These options set the levels of
 * rules, a baseline, a configuration file, the severity that fails a run, and colours.
 *
 * In:  options; the file or folder that the verb processes.
 * Out: a policy (front/policy.h), or the environment of a shim; an exit status; a new baseline if
 *      requested. */
#ifndef CLI_VERDICT_OPTIONS_H
#define CLI_VERDICT_OPTIONS_H

#include <getopt.h>
#include <stdbool.h>

#include "front/config.h"
#include "front/finding_log.h"
#include "front/report.h"
#include "output.h"

/* Values of the long options for getopt_long(). */
enum {
    VERDICT_COLOR = 4096,
    VERDICT_MAX_MESSAGES,
    VERDICT_FAIL_ON,
    VERDICT_BASELINE,
    VERDICT_WRITE_BASELINE,
    VERDICT_CONFIG,
    VERDICT_NO_CONFIG,
    VERDICT_FORMAT,
    VERDICT_FINDINGS,
    VERDICT_RULE = 'W',
};

enum { VERDICT_RULES = 256 };

/* Rows of a getopt_long() table. */
/* clang-format off */
#define MESSAGE_OPTIONS                                                \
    {"color",          required_argument, NULL, VERDICT_COLOR},          \
    {"max-messages",   required_argument, NULL, VERDICT_MAX_MESSAGES}
#define VERDICT_LETTERS "W:"
#define VERDICT_OPTIONS {"rule", required_argument, NULL, VERDICT_RULE}, VERDICT_FILE_OPTIONS
#define VERDICT_FILE_OPTIONS                                             \
    MESSAGE_OPTIONS,                                                   \
    {"fail-on",        required_argument, NULL, VERDICT_FAIL_ON},        \
    {"baseline",       required_argument, NULL, VERDICT_BASELINE},       \
    {"write-baseline", no_argument,       NULL, VERDICT_WRITE_BASELINE}, \
    {"config",         required_argument, NULL, VERDICT_CONFIG},         \
    {"no-config",      no_argument,       NULL, VERDICT_NO_CONFIG}
/* clang-format on */

/* Rows of a getopt_long() table, for verbs that can write a log. */
/* clang-format off */
#define VERDICT_LOG_OPTIONS                                \
    {"format",   required_argument, NULL, VERDICT_FORMAT}, \
    {"findings", required_argument, NULL, VERDICT_FINDINGS}
/* clang-format on */
#define VERDICT_LOG_HELP_TEXT                                                              \
    "      --format NAME               set the format of findings: text (default), json\n" \
    "                                  (lines), github, sarif or junit\n"                  \
    "      --findings FILE             write findings to FILE, and text to standard error\n"

/* The lines of --help. */
#define COLOR_HELP_TEXT                                                                      \
    "      --color WHEN                use colours: auto (on a terminal), always or never\n" \
    "      --max-messages N            show up to N messages per severity (default 100; 0: all)\n"
/* clang-format off */
#define VERDICT_HELP_TEXT                                                                          \
    "  -W, --rule ID=LEVEL             set the level of ID or all: off, note, warning or error\n"  \
    "      --fail-on LEVEL             fail on findings of LEVEL or worse: error (default),\n"     \
    "                                  warning or note\n"                                          \
    "      --baseline FILE             omit findings that FILE lists (docs/ci.md)\n"               \
    "      --write-baseline            write all findings to the FILE of --baseline; no finding\n" \
    "                                  fails the run\n"                                            \
    "      --config FILE               read settings from FILE (default: tessera.toml in the\n"    \
    "                                  file's folder or above)\n"                                  \
    "      --no-config                 do not read tessera.toml\n"                                 \
    COLOR_HELP_TEXT
/* clang-format on */

/* Options about findings and the state of a run. The caller sets the structure to zero, sets title,
 * and calls verdict_end() at the end. */
struct verdict_options {
    const char *title, *config_path, *baseline_path;
    bool no_config, write_baseline, has_fail_on, has_colour;
    enum tess_severity fail_on;
    struct policy_rule options[VERDICT_RULES]; /* levels of -W */
    size_t option_count;

    struct policy_rule *rules; /* levels of the configuration, then levels of -W */
    size_t rule_count;
    enum finding_format format;
    const char *findings_path;
    struct finding_log log;
    struct output log_output;

    struct config config;
    struct policy policy;
    bool failed; /* true if an input was not read, assembled or run, so that findings are missing */
};

/* Apply --color or --max-messages, whose value is optarg. Return false after an error message if
 * the value is invalid. */
bool verdict_color(const char *title);
bool verdict_max_messages(const char *title);

/* True if a value returned by getopt_long() is an option of this header. */
bool verdict_is_option(int option);

/* Applies one option, whose value is optarg. Returns false after an error message if the value is
 * invalid. */
bool verdict_take(struct verdict_options *verdict, int option);

/* Reads the baseline, and the configuration that applies to a file or folder. Returns false after
 * an error message. */
bool verdict_begin(struct verdict_options *verdict, const char *file);

/* Writes the new baseline if one is requested and verdict->failed is false. Releases the memory of
 * verdict. status is the verb's exit status so far. Returns the final exit status. */
int verdict_end(struct verdict_options *verdict, int status);

/* Begin and end the log of --format and --findings. `file` is the file that runs on the model of
 * `machine`. status is the exit status. Both functions return false after an error message. */
bool verdict_log_begin(struct verdict_options *verdict, struct report *report,
                       enum tess_machine machine, const char *file);
bool verdict_log_end(struct verdict_options *verdict, struct report *report, int status);

/* Like verdict_log_end(), but does not set verdict->failed if status is CLI_USAGE, since the user's
 * program may have returned this status. */
bool verdict_log_close(struct verdict_options *verdict, struct report *report, int status);

/* Returns the exit status for the status of a library call and the findings of a run. */
int verdict_status(const struct report *report, enum tess_status status);

/* Passes the options on to a shim: TESSERA_RULES, TESSERA_FAIL_ON, TESSERA_BASELINE, TESSERA_LEARN,
 * TESSERA_FINDINGS, TESSERA_STRICT, TESSERA_MAX_MESSAGES, TESSERA_COLOR. Returns false after an
 * error message. */
bool verdict_export(struct verdict_options *verdict);

/* Adds a line that a shim wrote (front/finding_relay.h, baseline_append()) to the log or to the new
 * baseline. */
void verdict_take_line(struct verdict_options *verdict, char *line);

#endif
