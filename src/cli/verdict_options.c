/* SPDX-License-Identifier: MIT */
/* verdict_options.c - see verdict_options.h.
 *
 * In:  options; a configuration file; a baseline.
 * Out: a policy and its environment variables; a log of findings; a new baseline; an exit
 * status. */
#include "verdict_options.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "environment.h"
#include "explain.h"
#include "front/finding_relay.h"
#include "output.h"
#include "written_files.h"

/* --- ids --- */

static bool is_id(const char *id)
{
    return policy_is_finding(id) || explain_knows(id);
}

/* --- options --- */

bool judge_color(const char *title)
{
    enum colour_when when;
    if (colour_find(optarg, &when)) {
        colour_choose(when);
        return true;
    }
    cli_usage_error(title, "invalid value '%s' for --color; expected auto, always or never",
                    optarg);
    return false;
}

bool judge_max_messages(const char *title)
{
    uint64_t most;
    if (cli_number(optarg, &most)) {
        message_limit_choose(most);
        return true;
    }
    cli_usage_error(title, "invalid number of messages '%s': expected a number, or 0 for all",
                    optarg);
    return false;
}

bool judge_is_option(int option)
{
    return option == JUDGE_RULE || (option >= JUDGE_COLOR && option <= JUDGE_FINDINGS);
}

static bool add_rule(struct judge *judge, const char *id, enum tess_check_level level)
{
    if (judge->option_count == JUDGE_RULES) {
        cli_usage_error(judge->title, "more than %d -W options", JUDGE_RULES);
        return false;
    }
    judge->options[judge->option_count++] = (struct policy_rule){id, level};
    return true;
}

/* Splits ID=LEVEL in place and adds the rule. */
static bool take_rule(struct judge *judge, char *text)
{
    enum tess_check_level level;
    char *equals = strchr(text, '=');
    if (equals)
        *equals = 0;
    if (strcmp(text, "all") != 0 && !is_id(text)) {
        cli_usage_error(judge->title,
                        "unknown rule '%s' (see tessera check --list-rules and docs/faults.md)",
                        text);
        return false;
    }
    if (!equals || !policy_level(equals + 1, &level)) {
        cli_usage_error(judge->title, "unknown level '%s'; expected off, note, warning or error",
                        equals ? equals + 1 : "");
        return false;
    }
    return add_rule(judge, text, level);
}

static bool take_fail_on(struct judge *judge)
{
    judge->has_fail_on = policy_severity(optarg, &judge->fail_on);
    if (!judge->has_fail_on)
        cli_usage_error(judge->title,
                        "unknown level '%s' for --fail-on; expected error, warning or note",
                        optarg);
    return judge->has_fail_on;
}

static bool take_format(struct judge *judge)
{
    if (finding_format_find(optarg, &judge->format))
        return true;
    cli_usage_error(judge->title,
                    "unknown format '%s'; expected text, json, sarif, github or junit", optarg);
    return false;
}

bool judge_take(struct judge *judge, int option)
{
    switch (option) {
    case JUDGE_COLOR: return judge->has_colour = judge_color(judge->title);
    case JUDGE_MAX_MESSAGES: return judge_max_messages(judge->title);
    case JUDGE_RULE: return take_rule(judge, optarg);
    case JUDGE_FAIL_ON: return take_fail_on(judge);
    case JUDGE_BASELINE: judge->baseline_path = optarg; return true;
    case JUDGE_WRITE_BASELINE: judge->write_baseline = true; return true;
    case JUDGE_FORMAT: return take_format(judge);
    case JUDGE_FINDINGS: judge->findings_path = optarg; return true;
    case JUDGE_CONFIG: judge->config_path = optarg; return true;
    default: judge->no_config = true; return true;
    }
}

/* --- the configuration and the baseline --- */

/* Prints an error message. Always returns false. */
static bool no_memory(const char *title)
{
    fprintf(stderr, "%s: %s\n", title, tess_status_text(TESS_NO_MEMORY));
    return false;
}

static bool read_config(struct judge *judge, const char *file)
{
    struct report report = {0};
    char *found = judge->config_path ? strdup(judge->config_path)
                  : judge->no_config ? NULL
                                     : config_find(file);
    enum tess_status status = TESS_OK;
    if (found)
        status = config_read(&judge->config, found, is_id, report_sink(&report));
    bool noted = !found || input_note_path(found);
    free(found);
    report_total(&report);
    return status == TESS_NO_MEMORY || !noted ? no_memory(judge->title) : status == TESS_OK;
}

/* Merges the configuration into the options. Options override the configuration. */
static bool merge_config(struct judge *judge)
{
    const struct config *config = &judge->config;
    size_t count = config->rule_count;
    uint64_t most;
    judge->rules = calloc(count + judge->option_count + 1, sizeof *judge->rules);
    if (!judge->rules)
        return no_memory(judge->title);
    if (count)
        memcpy(judge->rules, config->rules, count * sizeof *judge->rules);
    memcpy(judge->rules + count, judge->options, judge->option_count * sizeof *judge->rules);
    judge->rule_count = count + judge->option_count;
    if (!judge->has_fail_on && config->has_fail_on) {
        judge->fail_on = config->fail_on;
        judge->has_fail_on = true;
    }
    if (!judge->baseline_path)
        judge->baseline_path = config->baseline;
    if (!judge->has_colour && config->has_colour)
        colour_choose(config->colour);
    if (!message_limit_chosen(&most) && config->has_max_messages)
        message_limit_choose(config->max_messages);
    return true;
}

static bool open_baseline(struct judge *judge)
{
    struct report report = {0};
    enum tess_status status = TESS_OK;
    if (!judge->baseline_path)
        return true;
    judge->policy.baseline = baseline_new(judge->baseline_path);
    if (!judge->policy.baseline)
        return no_memory(judge->title);
    judge->policy.learn = judge->write_baseline;
    if (judge->write_baseline)
        return output_plan(judge->title, judge->baseline_path);
    status = baseline_read(judge->policy.baseline, judge->baseline_path, report_sink(&report));
    if (!input_note_path(judge->baseline_path))
        status = TESS_NO_MEMORY;
    report_total(&report);
    return status == TESS_NO_MEMORY ? no_memory(judge->title) : status == TESS_OK;
}

static bool begin(struct judge *judge, const char *file)
{
    if (!read_config(judge, file) || !merge_config(judge))
        return false;
    if (judge->write_baseline && !judge->baseline_path) {
        cli_usage_error(judge->title, "--write-baseline needs --baseline FILE, or a baseline in %s",
                        CONFIG_NAME);
        return false;
    }
    judge->policy.rules = judge->rules;
    judge->policy.rule_count = judge->rule_count;
    judge->policy.has_fail_on = judge->has_fail_on;
    judge->policy.fail_on = judge->fail_on;
    return open_baseline(judge);
}

bool judge_begin(struct judge *judge, const char *file)
{
    bool good = begin(judge, file);
    judge->policy.learn &= good;
    return good;
}

static int write_baseline(const struct judge *judge, int status)
{
    struct output output;
    char contents[64];
    if (!judge->policy.learn)
        return status;
    if (judge->failed) {
        fprintf(stderr,
                "%s: %s is unchanged, since not everything could be read, assembled and run\n",
                judge->title, judge->baseline_path);
        return status;
    }
    if (judge->policy.lost) {
        no_memory(judge->title);
        return CLI_USAGE;
    }
    size_t count = baseline_count(judge->policy.baseline);
    snprintf(contents, sizeof contents, "%zu finding%s", count, count == 1 ? "" : "s");
    wrote_note_contents(judge->baseline_path, contents);
    if (!output_open(&output, judge->title, judge->baseline_path))
        return CLI_USAGE;
    baseline_write(judge->policy.baseline, output.stream);
    return output_close(&output) ? status : CLI_USAGE;
}

int judge_end(struct judge *judge, int status)
{
    status = write_baseline(judge, status);
    baseline_free(judge->policy.baseline);
    policy_free(&judge->policy);
    config_free(&judge->config);
    free(judge->rules);
    judge->rules = NULL;
    return status;
}

/* True if findings are written to standard error as JSON lines. */
static bool has_lines(const struct judge *judge)
{
    return judge->format == FINDING_JSON && !judge->findings_path;
}

/* Returns false after an error message if --findings has no --format. */
static bool check_format(const struct judge *judge)
{
    bool good = !judge->findings_path || judge->format != FINDING_TEXT;
    if (!good)
        cli_usage_error(judge->title, "--findings needs --format json, sarif, github or junit");
    return good;
}

/* Text, and JSON lines on standard error, need no log. */
bool judge_log_begin(struct judge *judge, struct report *report, enum tess_machine machine,
                     const char *file)
{
    bool lines = has_lines(judge);
    report->json |= lines;
    if (lines || (judge->format != FINDING_TEXT && !judge->findings_path))
        wrote_end(false); /* standard error is for programs then */
    if (!check_format(judge))
        return false;
    if (lines || judge->format == FINDING_TEXT)
        return true;
    judge->log_output.stream = stderr;
    if (judge->findings_path &&
        !output_open(&judge->log_output, judge->title, judge->findings_path))
        return false;
    judge->log = (struct finding_log){.stream = judge->log_output.stream,
                                      .format = judge->format,
                                      .tool = judge->title,
                                      .models = 1U << machine};
    finding_log_begin(&judge->log);
    finding_log_file(&judge->log, strcmp(file, "-") == 0 ? "<stdin>" : file);
    report->log = &judge->log;
    report->log_only = !judge->findings_path;
    return true;
}

bool judge_log_end(struct judge *judge, struct report *report, int status)
{
    judge->failed |= report->failed > 0 || status == CLI_USAGE;
    return judge_log_close(judge, report, status);
}

bool judge_log_close(struct judge *judge, struct report *report, int status)
{
    if (!report->log)
        return true;
    bool good = finding_log_end(&judge->log, !judge->failed, status);
    if (!good)
        fprintf(stderr, "%s: %s\n", judge->title, tess_status_text(TESS_NO_MEMORY));
    report->log = NULL;
    judge->log.stream = NULL;
    return (!judge->findings_path || output_close(&judge->log_output)) && good;
}

int judge_status(const struct report *report, enum tess_status status)
{
    if (status != TESS_OK && status != TESS_WRONG)
        return cli_exit_status(status);
    return report_fails(report, status == TESS_WRONG) ? CLI_WRONG : CLI_DONE;
}

/* --- shims --- */

static bool export_rules(const struct judge *judge)
{
    static const char *const levels[] = {"off", "note", "warning", "error"};
    char one[128];
    for (size_t i = 0; i < judge->rule_count; i++) {
        const struct policy_rule *rule = &judge->rules[i];
        snprintf(one, sizeof one, "%s=%s", rule->id, levels[rule->level]);
        if (!environment_add(judge->title, "TESSERA_RULES", one, false))
            return false;
    }
    return true;
}

/* Sets TESSERA_FINDINGS: the form in which the program's processes report findings to this
 * process. */
static bool export_format(const struct judge *judge)
{
    const char *form = has_lines(judge)       ? FINDINGS_LINES
                       : judge->findings_path ? FINDINGS_RELAY
                                              : FINDINGS_RELAY_ONLY;
    if (!check_format(judge) ||
        (judge->findings_path && !output_plan(judge->title, judge->findings_path)))
        return false;
    return judge->format == FINDING_TEXT || environment_set(judge->title, "TESSERA_FINDINGS", form);
}

void judge_take_line(struct judge *judge, char *line)
{
    struct finding finding;
    if (judge->policy.learn && !baseline_take(judge->policy.baseline, line))
        judge->policy.lost = true;
    if (judge->log.stream && finding_relay_read(line, &finding))
        finding_log_add(&judge->log, &finding);
}

static bool set_max_messages(const char *title, uint64_t most)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRIu64, most);
    return environment_set(title, "TESSERA_MAX_MESSAGES", text);
}

bool judge_export(struct judge *judge)
{
    static const char *const severities[] = {"note", "warning", "error"};
    bool good = export_rules(judge) && export_format(judge);
    uint64_t most;
    if (judge->policy.learn)
        good = good && environment_set(judge->title, "TESSERA_LEARN", "1");
    if (judge->has_fail_on)
        good = good && environment_set(judge->title, "TESSERA_FAIL_ON", severities[judge->fail_on]);
    if (judge->baseline_path)
        good = good && environment_set_path(judge->title, "TESSERA_BASELINE", judge->baseline_path);
    if (judge->config.strict)
        good = good && environment_set(judge->title, "TESSERA_STRICT", "1");
    if (message_limit_chosen(&most))
        good = good && set_max_messages(judge->title, most);
    if (judge->has_colour || judge->config.has_colour)
        good = good && environment_set(judge->title, "TESSERA_COLOR", colour_name(colour_chosen()));
    return good;
}
