/* SPDX-License-Identifier: MIT */
/* verdict_options.h - options about findings that verbs share: levels of rules, a baseline, a configuration
 * file, the severity that fails a run, colours.
 *
 * In:  options; the file or folder that the verb processes.
 * Out: a policy (front/policy.h), or the environment of a shim; an exit status; a new baseline if
 *      requested. */
#ifndef CLI_JUDGE_H
#define CLI_JUDGE_H

#include <getopt.h>
#include <stdbool.h>

#include "front/config.h"
#include "front/finding_log.h"
#include "front/report.h"
#include "output.h"

/* Values of the long options for getopt_long(). */
enum {
    JUDGE_COLOR = 4096,
    JUDGE_MAX_MESSAGES,
    JUDGE_FAIL_ON,
    JUDGE_BASELINE,
    JUDGE_WRITE_BASELINE,
    JUDGE_CONFIG,
    JUDGE_NO_CONFIG,
    JUDGE_FORMAT,
    JUDGE_FINDINGS,
    JUDGE_RULE = 'W',
};

enum { JUDGE_RULES = 256 };

/* Rows of a getopt_long() table. */
/* clang-format off */
#define MESSAGE_OPTIONS                                                \
    {"color",          required_argument, NULL, JUDGE_COLOR},          \
    {"max-messages",   required_argument, NULL, JUDGE_MAX_MESSAGES}
#define JUDGE_LETTERS "W:"
#define JUDGE_OPTIONS {"rule", required_argument, NULL, JUDGE_RULE}, JUDGE_FILE_OPTIONS
#define JUDGE_FILE_OPTIONS                                             \
    MESSAGE_OPTIONS,                                                   \
    {"fail-on",        required_argument, NULL, JUDGE_FAIL_ON},        \
    {"baseline",       required_argument, NULL, JUDGE_BASELINE},       \
    {"write-baseline", no_argument,       NULL, JUDGE_WRITE_BASELINE}, \
    {"config",         required_argument, NULL, JUDGE_CONFIG},         \
    {"no-config",      no_argument,       NULL, JUDGE_NO_CONFIG}
/* clang-format on */

/* Rows of a getopt_long() table, for verbs that can write a log. */
#define JUDGE_LOG_OPTIONS                                   \
    {"format", required_argument, NULL, JUDGE_FORMAT},      \
    {                                                       \
        "findings", required_argument, NULL, JUDGE_FINDINGS \
    }
#define JUDGE_LOG_HELP_TEXT                                                                \
    "      --format NAME               set the format of findings: text (default), json\n" \
    "                                  (lines), github, sarif or junit\n"                  \
    "      --findings FILE             write findings to FILE, and text to standard error\n"

/* The lines of --help. */
#define COLOR_HELP_TEXT                                                                      \
    "      --color WHEN                use colours: auto (on a terminal), always or never\n" \
    "      --max-messages N            show up to N messages per severity (default 100; 0: all)\n"
#define JUDGE_HELP_TEXT                                                                            \
    "  -W, --rule ID=LEVEL             set the level of ID or all: off, note, warning or error\n"  \
    "      --fail-on LEVEL             fail from LEVEL on: error (default), warning or note\n"     \
    "      --baseline FILE             omit findings that FILE lists (docs/ci.md)\n"               \
    "      --write-baseline            write all findings to the FILE of --baseline; none fails\n" \
    "      --config FILE               read settings from FILE (default: tessera.toml in the\n"    \
    "                                  file's folder or above)\n"                                  \
    "      --no-config                 read no settings file\n" COLOR_HELP_TEXT

/* Options about findings and the state of a run. Zero-initialise, set title, and release with
 * judge_end(). */
struct judge {
    const char *title, *config_path, *baseline_path;
    bool no_config, write_baseline, has_fail_on, has_colour;
    enum tess_severity fail_on;
    struct policy_rule options[JUDGE_RULES]; /* levels of -W */
    size_t option_count;

    struct policy_rule *rules; /* levels of the configuration, then levels of options */
    size_t rule_count;
    enum finding_format format;
    const char *findings_path;
    struct finding_log log;
    struct output log_output;

    struct config config;
    struct policy policy;
    bool failed; /* something was not read or assembled, so the findings are incomplete */
};

/* Applies --color or --max-messages with optarg. Returns false after an error message if the value
 * is invalid. */
bool judge_color(const char *title);
bool judge_max_messages(const char *title);

/* True if an option of getopt_long() is one of those above. */
bool judge_is_option(int option);

/* Applies one option with optarg. Returns false after an error message if the value is invalid. */
bool judge_take(struct judge *judge, int option);

/* Reads the baseline, and the configuration that applies to a file or folder. Returns false after
 * an error message. */
bool judge_begin(struct judge *judge, const char *file);

/* Writes the baseline if requested and if nothing failed. Releases everything. status is the verb's
 * exit status so far; the function returns the final one. */
int judge_end(struct judge *judge, int status);

/* Begin and end the log that options request, about a file that a model runs. status is the exit
 * status. Both return false after an error message. */
bool judge_log_begin(struct judge *judge, struct report *report, enum tess_machine machine,
                     const char *file);
bool judge_log_end(struct judge *judge, struct report *report, int status);

/* Like judge_log_end(), but CLI_USAGE does not mark the run as failed, since the status may be that
 * of the user's program. */
bool judge_log_close(struct judge *judge, struct report *report, int status);

/* Returns the exit status for the status of a library call and the findings of a run. */
int judge_status(const struct report *report, enum tess_status status);

/* Passes the options on to a shim: TESSERA_RULES, TESSERA_FAIL_ON, TESSERA_BASELINE, TESSERA_LEARN,
 * TESSERA_FINDINGS, TESSERA_STRICT, TESSERA_MAX_MESSAGES, TESSERA_COLOR. Returns false after an
 * error message. */
bool judge_export(struct judge *judge);

/* Adds a line that a shim wrote (front/finding_relay.h, baseline_append()) to the log or to the new
 * baseline. */
void judge_take_line(struct judge *judge, char *line);

#endif
