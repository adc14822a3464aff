/* SPDX-License-Identifier: MIT */
/* verdict_options.c - see verdict_options.h.
 *
 * In:  options; a configuration file; a baseline.
 * Out: a policy; environment variables for a shim; a log of findings; a new baseline; an exit
 *      status. */
#include "verdict_options.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "environment.h"
#include "explain.h"
#include "front/finding_relay.h"
#include "option_rows.h"
#include "output.h"
#include "written_files.h"

/* --- ids --- */

static bool is_id(const char *id)
{
    return policy_is_finding(id) || explain_knows(id);
}

/* --- options --- */

static bool take_color(const struct option_use *use)
{
    enum colour_when when;
    if (!colour_find(use->value, &when))
        return option_unknown(use);
    colour_choose(when);
    return true;
}

static bool take_max_messages(const struct option_use *use)
{
    uint64_t most;
    if (!cli_number(use->value, &most))
        return option_refuse(
            use, "invalid number of messages '%s': expected a number, or 0 for all", use->value);
    message_limit_choose(most);
    return true;
}

/* Parses "ID=LEVEL", which is split in place, and adds the rule. */
static bool take_rule(const struct option_use *use)
{
    struct verdict_options *verdict = use->target;
    enum tess_level level;
    char *equals = strchr(use->value, '=');
    if (equals)
        *equals = 0;
    if (strcmp(use->value, "all") != 0 && !is_id(use->value))
        return option_refuse(
            use, "unknown rule '%s' (see tessera check --list-rules and docs/faults.md)",
            use->value);
    if (!equals || !policy_level(equals + 1, &level))
        return option_refuse(use, "unknown level '%s'; expected off, note, warning or error",
                             equals ? equals + 1 : "");
    if (verdict->option_count == VERDICT_RULES)
        return option_refuse(use, "more than %d -W options", VERDICT_RULES);
    verdict->options[verdict->option_count++] = (struct policy_rule){use->value, level};
    return true;
}

bool verdict_take_fail_on(const struct option_use *use)
{
    struct verdict_options *verdict = use->target;
    verdict->has_fail_on = policy_severity(use->value, &verdict->fail_on);
    return verdict->has_fail_on ||
           option_refuse(use, "unknown level '%s' for --fail-on; expected error, warning or note",
                         use->value);
}

bool option_find_finding_format(const char *word, void *value)
{
    return finding_format_find(word, value);
}

#define TARGET struct verdict_options

const struct option_row message_rows[] = {
#include "cli/messages.def"
    OPTIONS_END};

const struct option_row verdict_file_rows[] = {
#include "cli/verdict_files.def"
    OPTIONS_END};

const struct option_row verdict_rows[] = {
#include "cli/verdict.def"
    OPTIONS_END};

const struct option_row verdict_log_rows[] = {
#include "cli/verdict_log.def"
    OPTIONS_END};

#undef TARGET

/* --- the configuration and the baseline --- */

static bool read_config(struct verdict_options *verdict, const char *file)
{
    struct report report = {0};
    char *found = verdict->config_path ? strdup(verdict->config_path)
                  : verdict->no_config ? NULL
                                       : config_find(file);
    enum tess_status status = TESS_OK;
    if (found)
        status = config_read(&verdict->config, found, is_id, report_sink(&report));
    bool noted = !found || input_note_path(found);
    free(found);
    report_total(&report);
    return status == TESS_NO_MEMORY || !noted ? cli_no_memory(verdict->title) : status == TESS_OK;
}

/* Merges the configuration into the options. Options override the configuration. */
static bool merge_config(struct verdict_options *verdict)
{
    const struct config *config = &verdict->config;
    size_t count = config->rule_count;
    uint64_t most;
    verdict->rules = calloc(count + verdict->option_count + 1, sizeof *verdict->rules);
    if (!verdict->rules)
        return cli_no_memory(verdict->title);
    if (count)
        memcpy(verdict->rules, config->rules, count * sizeof *verdict->rules);
    memcpy(verdict->rules + count, verdict->options,
           verdict->option_count * sizeof *verdict->rules);
    verdict->rule_count = count + verdict->option_count;
    if (!verdict->has_fail_on && config->has_fail_on) {
        verdict->fail_on = config->fail_on;
        verdict->has_fail_on = true;
    }
    if (!verdict->baseline_path)
        verdict->baseline_path = config->baseline;
    if (!colour_is_chosen() && config->has_colour)
        colour_choose(config->colour);
    if (!message_limit_chosen(&most) && config->has_max_messages)
        message_limit_choose(config->max_messages);
    return true;
}

static bool open_baseline(struct verdict_options *verdict)
{
    struct report report = {0};
    enum tess_status status = TESS_OK;
    if (!verdict->baseline_path)
        return true;
    verdict->policy.baseline = baseline_new(verdict->baseline_path);
    if (!verdict->policy.baseline)
        return cli_no_memory(verdict->title);
    verdict->policy.learn = verdict->write_baseline;
    if (verdict->write_baseline)
        return output_plan(verdict->title, verdict->baseline_path);
    status = baseline_read(verdict->policy.baseline, verdict->baseline_path, report_sink(&report));
    if (!input_note_path(verdict->baseline_path))
        status = TESS_NO_MEMORY;
    report_total(&report);
    return status == TESS_NO_MEMORY ? cli_no_memory(verdict->title) : status == TESS_OK;
}

static bool begin(struct verdict_options *verdict, const char *file)
{
    if (!read_config(verdict, file) || !merge_config(verdict))
        return false;
    if (verdict->write_baseline && !verdict->baseline_path)
        return cli_refuse(verdict->title,
                          "--write-baseline needs --baseline FILE, or a baseline in %s",
                          CONFIG_NAME);
    verdict->policy.rules = verdict->rules;
    verdict->policy.rule_count = verdict->rule_count;
    verdict->policy.has_fail_on = verdict->has_fail_on;
    verdict->policy.fail_on = verdict->fail_on;
    return open_baseline(verdict);
}

bool verdict_begin(struct verdict_options *verdict, const char *file)
{
    bool good = begin(verdict, file);
    verdict->policy.learn &= good;
    return good;
}

static int write_baseline(const struct verdict_options *verdict, int status)
{
    struct output output;
    char contents[64];
    if (!verdict->policy.learn)
        return status;
    if (verdict->failed) {
        fprintf(stderr,
                "%s: %s is unchanged, because not all inputs could be read, assembled and run\n",
                verdict->title, verdict->baseline_path);
        return status;
    }
    if (verdict->policy.lost) {
        cli_no_memory(verdict->title);
        return CLI_USAGE;
    }
    size_t count = baseline_count(verdict->policy.baseline);
    snprintf(contents, sizeof contents, "%zu finding%s", count, count == 1 ? "" : "s");
    written_files_note_contents(verdict->baseline_path, contents);
    if (!output_open(&output, verdict->title, verdict->baseline_path))
        return CLI_USAGE;
    baseline_write(verdict->policy.baseline, output.stream);
    return output_close(&output) ? status : CLI_USAGE;
}

int verdict_end(struct verdict_options *verdict, int status)
{
    status = write_baseline(verdict, status);
    baseline_free(verdict->policy.baseline);
    policy_free(&verdict->policy);
    config_free(&verdict->config);
    free(verdict->rules);
    verdict->rules = NULL;
    return status;
}

/* True if findings are written to standard error as JSON lines. */
static bool has_lines(const struct verdict_options *verdict)
{
    return verdict->format == FINDING_JSON && !verdict->findings_path;
}

/* Returns false after an error message if --findings has no --format. */
static bool check_format(const struct verdict_options *verdict)
{
    bool good = !verdict->findings_path || verdict->format != FINDING_TEXT;
    if (!good)
        cli_usage_error(verdict->title, "--findings needs --format json, sarif, github or junit");
    return good;
}

/* Opens no log for text and for JSON lines on standard error, which the report prints itself. */
bool verdict_log_begin(struct verdict_options *verdict, struct report *report,
                       enum tess_machine machine, const char *file)
{
    bool lines = has_lines(verdict);
    report->json |= lines;
    if (lines || (verdict->format != FINDING_TEXT && !verdict->findings_path))
        written_files_end(false); /* lists no files, since a program reads standard error */
    if (!check_format(verdict))
        return false;
    if (lines || verdict->format == FINDING_TEXT)
        return true;
    verdict->log_output.stream = stderr;
    if (verdict->findings_path &&
        !output_open(&verdict->log_output, verdict->title, verdict->findings_path))
        return false;
    verdict->log = (struct finding_log){.stream = verdict->log_output.stream,
                                        .format = verdict->format,
                                        .tool = verdict->title,
                                        .models = 1U << machine};
    finding_log_begin(&verdict->log);
    finding_log_file(&verdict->log, strcmp(file, "-") == 0 ? "<stdin>" : file);
    report->log = &verdict->log;
    report->log_only = !verdict->findings_path;
    return true;
}

bool verdict_log_end(struct verdict_options *verdict, struct report *report, int status)
{
    verdict->failed |= report->failed > 0 || status == CLI_USAGE;
    return verdict_log_close(verdict, report, status);
}

bool verdict_log_close(struct verdict_options *verdict, struct report *report, int status)
{
    if (!report->log)
        return true;
    bool good = finding_log_end(&verdict->log, !verdict->failed, status);
    if (!good)
        cli_no_memory(verdict->title);
    report->log = NULL;
    verdict->log.stream = NULL;
    return (!verdict->findings_path || output_close(&verdict->log_output)) && good;
}

int verdict_status(const struct report *report, enum tess_status status)
{
    if (status != TESS_OK && status != TESS_WRONG)
        return cli_exit_status(status);
    return report_fails(report, status == TESS_WRONG) ? CLI_WRONG : CLI_DONE;
}

/* --- shims --- */

static bool export_rules(const struct verdict_options *verdict)
{
    char one[128];
    for (size_t i = 0; i < verdict->rule_count; i++) {
        const struct policy_rule *rule = &verdict->rules[i];
        snprintf(one, sizeof one, "%s=%s", rule->id, policy_level_name(rule->level));
        if (!environment_add(verdict->title, "TESSERA_RULES", one, false))
            return false;
    }
    return true;
}

/* Sets TESSERA_FINDINGS to the form in which the program's processes report findings. Also reserves
 * the output of --findings. Returns false after an error message. */
static bool export_format(const struct verdict_options *verdict)
{
    const char *form = has_lines(verdict)       ? FINDINGS_LINES
                       : verdict->findings_path ? FINDINGS_RELAY
                                                : FINDINGS_RELAY_ONLY;
    if (!check_format(verdict) ||
        (verdict->findings_path && !output_plan(verdict->title, verdict->findings_path)))
        return false;
    return verdict->format == FINDING_TEXT ||
           environment_set(verdict->title, "TESSERA_FINDINGS", form);
}

void verdict_take_line(struct verdict_options *verdict, char *line)
{
    struct finding finding;
    if (verdict->policy.learn && !baseline_take(verdict->policy.baseline, line))
        verdict->policy.lost = true;
    if (verdict->log.stream && finding_relay_read(line, &finding))
        finding_log_add(&verdict->log, &finding);
}

static bool set_max_messages(const char *title, uint64_t most)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRIu64, most);
    return environment_set(title, "TESSERA_MAX_MESSAGES", text);
}

bool verdict_export(struct verdict_options *verdict)
{
    bool good = export_rules(verdict) && export_format(verdict);
    uint64_t most;
    if (verdict->policy.learn)
        good = good && environment_set(verdict->title, "TESSERA_LEARN", "1");
    if (verdict->has_fail_on)
        good = good && environment_set(verdict->title, "TESSERA_FAIL_ON",
                                       policy_level_name(verdict->fail_on));
    if (verdict->baseline_path)
        good = good &&
               environment_set_path(verdict->title, "TESSERA_BASELINE", verdict->baseline_path);
    if (verdict->config.strict)
        good = good && environment_set(verdict->title, "TESSERA_STRICT", "1");
    if (message_limit_chosen(&most))
        good = good && set_max_messages(verdict->title, most);
    if (colour_is_chosen())
        good = good &&
               environment_set(verdict->title, "TESSERA_COLOR", colour_name(colour_chosen()));
    return good;
}
