/* SPDX-License-Identifier: MIT */
/* judge.h - options about findings that verbs share: levels of rules, a baseline, a configuration file, what fails, colours.
 *
 * In:  options; the file that is looked at.
 * Out: a policy (front/policy.h), or the environment of a shim; an exit status; the baseline that was asked for. */
#ifndef CLI_JUDGE_H
#define CLI_JUDGE_H

#include <getopt.h>
#include <stdbool.h>

#include "front/config.h"
#include "front/finding_log.h"
#include "front/report.h"
#include "output.h"

/* Values of the long options. */
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

/* Rows for verbs that can write a log. */
#define JUDGE_LOG_OPTIONS                                   \
    {"format", required_argument, NULL, JUDGE_FORMAT},      \
    {                                                       \
        "findings", required_argument, NULL, JUDGE_FINDINGS \
    }
#define JUDGE_LOG_HELP_TEXT                                                                       \
    "      --format NAME               of findings: text, json (lines), github, sarif or junit\n" \
    "      --findings FILE             write them there, and text to standard error as ever\n"

/* The lines of --help. */
#define COLOR_HELP_TEXT                                                                           \
    "      --color WHEN                colours of diagnostics: auto (on a terminal), always, "    \
    "never\n"                                                                                     \
    "      --max-messages N            show N errors, N warnings and N notes at most; default:\n" \
    "                                  100; 0: all\n"
#define JUDGE_HELP_TEXT                                                                            \
    "  -W, --rule ID=LEVEL             a finding, or all, counts as off, note, warning or error\n" \
    "      --fail-on LEVEL             exit status 1 from error, warning or note on; default:\n"   \
    "                                  error\n"                                                    \
    "      --baseline FILE             leave out findings that FILE lists (docs/ci.md)\n"          \
    "      --write-baseline            write what is found to that FILE; nothing fails\n"          \
    "      --config FILE               settings; default: tessera.toml in the file's folder or\n"  \
    "                                  above\n"                                                    \
    "      --no-config                 without settings of a file\n" COLOR_HELP_TEXT

/* Zero it, set the title, and release it with judge_end(). */
struct judge {
    const char *title, *config_path, *baseline_path;
    bool no_config, write_baseline, has_fail_on, has_colour;
    enum tess_severity fail_on;
    struct policy_rule options[JUDGE_RULES]; /* of -W */
    size_t option_count;

    struct policy_rule *rules; /* those of the file, then those of options */
    size_t rule_count;
    enum finding_format format;
    const char *findings_path;
    struct finding_log log;
    struct output log_output;

    struct config config;
    struct policy policy;
    bool failed;      /* something was not read or assembled: what is known is not all */
};

/* Takes --color or --max-messages. False if the value is not understood; stderr has been told. */
bool judge_color(const char *title);
bool judge_max_messages(const char *title);

/* Whether an option is one of these. */
bool judge_is_option(int option);

/* Takes one with optarg. False if the value is not understood; stderr has been told. */
bool judge_take(struct judge *judge, int option);

/* Reads the configuration that holds for a file or folder, and the baseline. False if something is wrong with them; stderr has been
 * told. */
bool judge_begin(struct judge *judge, const char *file);

/* Writes the baseline, if that was asked for and nothing failed, and releases everything. status: the verb's so far; returns
 * the final one. */
int judge_end(struct judge *judge, int status);

/* Begins the log that options ask for, about a file that a model runs; ends it, with the exit status. False, and stderr has been told, if it cannot
 * be written. */
bool judge_log_begin(struct judge *judge, struct report *report, enum tess_machine machine,
                     const char *file);
bool judge_log_end(struct judge *judge, struct report *report, int status);

/* Like judge_log_end(), but CLI_USAGE is no sign of failure: the status is that of a program of the user's. */
bool judge_log_close(struct judge *judge, struct report *report, int status);

/* What a library call and the findings make of the exit status. */
int judge_status(const struct report *report, enum tess_status status);

/* Passes the choices on to a shim: TESSERA_RULES, TESSERA_FAIL_ON, TESSERA_BASELINE, TESSERA_LEARN, TESSERA_FINDINGS,
 * TESSERA_COLOR. Returns false after an error message. */
bool judge_export(struct judge *judge);

/* Adds a line that a shim wrote (front/finding_relay.h, baseline_append()) to the log or to the new baseline. */
void judge_take_line(struct judge *judge, char *line);

#endif
