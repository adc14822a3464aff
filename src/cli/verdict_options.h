/* SPDX-License-Identifier: MIT */
/* verdict_options.h - options about findings that verbs share. These options set the levels of
 * rules, a baseline, a configuration file, the severity that fails a run, and colours.
 *
 * In:  options; the file or folder that the verb processes.
 * Out: a policy (front/policy.h), or the environment of a shim; an exit status; a new baseline if
 *      requested. */
#ifndef CLI_VERDICT_OPTIONS_H
#define CLI_VERDICT_OPTIONS_H

#include <stdbool.h>

#include "front/config.h"
#include "front/finding_log.h"
#include "front/report.h"
#include "options.h"
#include "output.h"

enum { VERDICT_RULES = 256 };

/* Options about messages, which need no structure; about findings; about the files of findings
 * only; about the log of findings. */
extern const struct option_row message_rows[], verdict_rows[], verdict_file_rows[],
    verdict_log_rows[];

/* Options about findings and the state of a run. The caller sets the structure to zero, sets title,
 * and calls verdict_end() at the end. */
struct verdict_options {
    const char *title, *config_path, *baseline_path;
    bool no_config, write_baseline, has_fail_on;
    enum tess_level fail_on;
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

/* Takes --fail-on. The target is a struct verdict_options. */
bool verdict_take_fail_on(const struct option_use *use);

bool option_find_finding_format(const char *word, void *value);

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
