/* SPDX-License-Identifier: MIT */
/* check.c - tessera check: reports violations of hardware rules without running the program.
 *
 * In:  options; sources or machine code, in files and folders.
 * Out: findings as text, JSON, SARIF, GitHub annotations or JUnit XML; mistakes in the files on
 *      standard error; an exit status. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tessera/finding.h>
#include <tessera/isa.h>

#include "base/json.h"
#include "base/status.h"
#include "cli/cli.h"
#include "cli/explain.h"
#include "cli/levels.h"
#include "cli/option_rows.h"
#include "cli/output.h"
#include "cli/paths.h"
#include "cli/verdict_options.h"
#include "front/colour.h"
#include "front/finding_log.h"
#include "front/report.h"

struct arguments {
    struct tess_check_options check;
    struct option_list include_dirs, pre_includes, entries;
    struct option_defines defines;
    struct tess_check_setting *settings; /* levels of rules, from .levels */
    struct levels levels; /* levels of -W for all ids, including ids that are not rules */
    const char *title, *output, *explain;
    enum finding_format format;
    bool has_machine, has_varyings, list;
    struct verdict_options verdict;
};

/* --- options --- */

static bool is_rule(const char *id)
{
    return strcmp(id, "all") == 0 || tess_rule_find(id, TESS_RULES_OF_CHECKS);
}

static bool take_level(const struct option_use *use)
{
    struct arguments *arguments = use->target;
    return levels_take(&arguments->levels, use->title, use->value);
}

OPTION_FINDER(find_kind, tess_shader_kind_find)

#define TARGET struct arguments
static const struct option_row rows[] = {
#include "cli/code/check.def"
    OPTIONS_END};
#undef TARGET

const struct option_table check_options = {.rows = rows, .column = 27};

/* Copies the lists into the options of the check. Returns OPTIONS_PARSED, or CLI_USAGE after an
 * error message. */
static int finish_options(struct arguments *arguments, size_t files)
{
    struct tess_check_options *check = &arguments->check;
    check->find_machine = !arguments->has_machine;
    check->varyings_plus_1 += arguments->has_varyings;
    check->include_dirs = arguments->include_dirs.items;
    check->include_dir_count = arguments->include_dirs.count;
    check->pre_includes = arguments->pre_includes.items;
    check->pre_include_count = arguments->pre_includes.count;
    check->entries = arguments->entries.items;
    check->entry_count = arguments->entries.count;
    check->defines = arguments->defines.items;
    check->define_count = arguments->defines.count;
    bool help = arguments->list || arguments->explain;
    if (help && arguments->format > FINDING_SARIF)
        return cli_usage_error(
            arguments->title,
            "--list-rules and --explain support the formats text, json and sarif only");
    if (!help && files == 0)
        return cli_usage_error(arguments->title, "no file given");
    return OPTIONS_PARSED;
}

/* --- rules --- */

/* Returns true if a rule is one of the checker's about a machine. */
static bool is_of(const struct tess_rule *rule, enum tess_machine machine)
{
    return rule->of == TESS_RULE_CHECK && rule->machines >> machine & 1;
}

static void list_text(FILE *stream, enum tess_machine machine)
{
    for (size_t i = 0; i < tess_rule_count(); i++) {
        const struct tess_rule *rule = tess_rule_get(i);
        if (is_of(rule, machine))
            fprintf(stream, "%-32s %-8s %s\n", rule->id, policy_level_name(rule->level),
                    rule->title);
    }
}

static void list_json(FILE *stream, enum tess_machine machine)
{
    struct json json = {.stream = stream, .flow = true};
    json_begin_object(&json);
    json_key(&json, "rules");
    json_begin_array_rows(&json);
    for (size_t i = 0; i < tess_rule_count(); i++)
        if (is_of(tess_rule_get(i), machine))
            explain_json_rule(&json, tess_rule_get(i));
    json_end_array(&json);
    json_end_object(&json);
}

static void list_rules(FILE *stream, const struct arguments *arguments)
{
    enum tess_machine machine = arguments->check.machine;
    if (arguments->format == FINDING_SARIF)
        finding_log_rules(stream, arguments->title, 1u << machine, NULL);
    else if (arguments->format == FINDING_JSON)
        list_json(stream, machine);
    else
        list_text(stream, machine);
}

/* Prints the explanation of one id. A finding of a model or an erratum is printed as JSON even with
 * --sarif, since a SARIF log lists only rules of tessera check. */
static void explain_one(FILE *stream, const struct arguments *arguments)
{
    const struct tess_rule *rule = tess_rule_find(arguments->explain, TESS_RULES_OF_CHECKS);
    if (rule && arguments->format == FINDING_SARIF)
        finding_log_rules(stream, arguments->title, rule->machines, rule);
    else
        explain_print(stream, arguments->explain, true, arguments->format != FINDING_TEXT);
}

/* --- findings as text --- */

/* State of one run: destination of the findings, and their counts. */
struct findings {
    FILE *stream;
    enum finding_format format;
    enum tess_machine machine; /* machine of the current finding */
    enum tess_a2xx_variant variant;
    size_t levels[TESS_ERROR + 1];   /* numbers of notes, warnings and errors */
    struct report *report, *trouble; /* report: findings as text; trouble: errors in files */
    struct finding_log *log;         /* findings in JSON, SARIF and the other formats */
    struct policy *policy;
    bool limited; /* true if a check stopped at its limit (rule check-limit) */
    const struct levels *message_levels;
};

static void show_other(const struct findings *findings, const struct tess_finding *finding)
{
    const struct tess_check_place *other = &finding->check->other;
    const struct tess_finding diag = {.level = TESS_NOTE,
                                      .id = finding->id,
                                      .text = "the other instruction is here",
                                      .file = other->file,
                                      .line = other->line,
                                      .column = other->column,
                                      .source_line = other->source_line};
    struct tess_sink sink = report_sink(findings->report);
    if (finding->check->has_other && other->line)
        sink.report(sink.user, &diag);
}

enum { MNEMONIC_MAX = 300 };

static bool has_instruction(const struct tess_check_place *place)
{
    return place->instruction || place->instruction_high;
}

/* Disassembles a slot of the A2xx into one line. For a control-flow slot, the disassembler prints
 * two instructions, and only the line of the first is kept. For an ALU instruction, the
 * disassembler may print two lines (vector and scalar part), and both are joined. */
static void put_slot(char text[MNEMONIC_MAX], const struct findings *findings,
                     const struct tess_check_place *place, const uint32_t words[3])
{
    tess_a2xx_disassemble(text, MNEMONIC_MAX, words, place->slot, findings->variant);
    for (char *at = text; *at; at++) {
        if (*at != '\n')
            continue;
        if (place->slot == TESS_A2XX_SLOT_CONTROL) {
            *at = 0;
            break;
        }
        size_t blanks = strspn(at, "\n \t");
        *at = ' ';
        memmove(at + 1, at + blanks, strlen(at + blanks) + 1);
    }
}

static void put_mnemonic(char text[MNEMONIC_MAX], const struct findings *findings,
                         const struct tess_check_place *place)
{
    const uint32_t words[] = {(uint32_t)place->instruction, (uint32_t)(place->instruction >> 32),
                              (uint32_t)place->instruction_high,
                              (uint32_t)(place->instruction_high >> 32)};
    if (findings->machine == TESS_MACHINE_QPU)
        tess_qpu_mnemonic(text, MNEMONIC_MAX, place->instruction, place->address);
    else if (findings->machine == TESS_MACHINE_A2XX)
        put_slot(text, findings, place, words);
    else
        tess_gp_disassemble(text, MNEMONIC_MAX, words);
}

/* True if the source line contains the mnemonic of the instruction. False if the finding points at
 * a directive such as .long. */
static bool shows_instruction(const struct tess_check_place *place)
{
    const char *line = place->source_line;
    return line &&
           (place->column == 0 || place->column > strlen(line) || line[place->column - 1] != '.');
}

static void show_text(const struct findings *findings, const struct tess_finding *finding)
{
    const struct tess_check_place *place = &finding->check->place;
    struct tess_finding shown = *finding;
    char text[600];
    snprintf(text, sizeof text, "%s", finding->text);
    if (!shows_instruction(place) && has_instruction(place)) {
        char mnemonic[MNEMONIC_MAX];
        put_mnemonic(mnemonic, findings, place);
        snprintf(text, sizeof text, "0x%08" PRIx32 ": %s: `%s`", place->address, finding->text,
                 mnemonic);
    }
    shown.text = text;
    struct tess_sink sink = report_sink(findings->report);
    sink.report(sink.user, &shown);
    show_other(findings, finding);
}

/* --- findings in machine-readable formats --- */

enum { WORD_DIGITS_MAX = 35 };

struct place_text {
    char mnemonic[MNEMONIC_MAX], word[WORD_DIGITS_MAX];
};

/* Writes the whole instruction word as one hexadecimal number. */
static void put_word(char text[WORD_DIGITS_MAX], const struct tess_check_place *place)
{
    size_t length = (size_t)snprintf(text, WORD_DIGITS_MAX, "0x");
    for (uint32_t byte = place->instruction_bytes; byte-- > 0;) {
        uint64_t half = byte < 8 ? place->instruction : place->instruction_high;
        length += (size_t)snprintf(text + length, WORD_DIGITS_MAX - length, "%02x",
                                   (unsigned)(half >> byte % 8 * 8 & 0xff));
    }
}

static struct finding_place log_place(const struct findings *findings,
                                      const struct tess_check_place *place, struct place_text *text)
{
    struct finding_place to = {.file = place->file,
                               .line = place->line,
                               .column = place->column,
                               .source_line = place->source_line,
                               .statement = true,
                               .semicolon_comments = findings->machine == TESS_MACHINE_A2XX,
                               .has_address = true,
                               .address = place->address,
                               .bytes = place->instruction_bytes};
    if (has_instruction(place)) {
        put_mnemonic(text->mnemonic, findings, place);
        put_word(text->word, place);
        to.instruction = text->word;
        to.disassembly = text->mnemonic;
    }
    return to;
}

static void log_finding(const struct findings *findings, const struct tess_finding *from)
{
    const struct tess_check_details *details = from->check;
    struct place_text texts[2];
    struct finding finding = finding_of(from);
    finding.place = log_place(findings, &details->place, &texts[0]);
    finding.has_other = details->has_other;
    finding.related_count = details->has_other;
    finding.distance = details->distance;
    finding.has_program = true;
    finding.program = details->program;
    finding.kind = tess_shader_kind_name(details->kind);
    if (details->has_other)
        finding.related[0] = log_place(findings, &details->other, &texts[1]);
    finding_log_add(findings->log, &finding);
}

/* --- the check --- */

/* True if the baseline lists the finding. */
static bool is_known(const struct findings *findings, const struct tess_finding *finding)
{
    char mnemonic[MNEMONIC_MAX] = "";
    if (!findings->policy->baseline)
        return false;
    if (has_instruction(&finding->check->place))
        put_mnemonic(mnemonic, findings, &finding->check->place);
    return policy_known(findings->policy, finding, mnemonic);
}

/* True if a finding of this level makes the run fail. By default, warnings and errors do. --fail-on
 * changes the lowest level that fails. */
static bool is_failure(const struct policy *policy, enum tess_level level)
{
    return level >= (policy->has_fail_on ? policy->fail_on : TESS_WARNING);
}

/* Returns the final status. A status other than TESS_OK and TESS_WRONG is returned unchanged.
 * Otherwise the result is TESS_WRONG if a file has errors (trouble) or a finding makes the run
 * fail. */
static enum tess_status judged(const struct findings *findings, const struct report *trouble,
                               enum tess_status status)
{
    if (status != TESS_OK && status != TESS_WRONG)
        return status;
    return trouble->errors || findings->policy->failures ? TESS_WRONG : TESS_OK;
}

static void take_finding(void *user, const struct tess_finding *finding)
{
    struct findings *findings = user;
    bool limit = strcmp(finding->id, "check-limit") == 0;
    findings->machine = finding->machine;
    findings->limited |= limit;
    if (!limit && is_known(findings, finding))
        return;
    findings->policy->failures += is_failure(findings->policy, finding->level);
    if (findings->format == FINDING_TEXT)
        show_text(findings, finding);
    else
        log_finding(findings, finding);
    findings->levels[finding->level]++;
}

/* Reports an error in a file as text on standard error, whatever the format is, and also in the
 * finding log if the format is not text. */
static void take_trouble(void *user, const struct tess_finding *from)
{
    struct findings *findings = user;
    struct tess_finding levelled = *from, *diag = &levelled;
    if (!levels_apply(findings->message_levels, diag))
        return;
    struct tess_sink sink = report_sink(findings->trouble);
    sink.report(sink.user, diag);
    bool asked = diag->id && strcmp(diag->id, "check-entry") == 0;
    if (findings->format != FINDING_TEXT)
        finding_log_diag(findings->log, diag, asked ? FINDING_OPTIONS : FINDING_FILE);
}

static enum tess_status check_files(const struct arguments *arguments, struct findings *findings,
                                    const char *const *paths, size_t count)
{
    enum tess_status status = TESS_OK;
    for (size_t i = 0; i < count; i++) {
        if (findings->format != FINDING_TEXT)
            finding_log_file(findings->log, strcmp(paths[i], "-") == 0 ? "<stdin>" : paths[i]);
        status = status_worse(status, tess_check(&paths[i], 1, &arguments->check,
                                                 (struct tess_sink){take_trouble, findings},
                                                 (struct tess_sink){take_finding, findings}));
    }
    return status;
}

static bool has_findings(const struct findings *findings)
{
    for (size_t i = 0; i < sizeof findings->levels / sizeof *findings->levels; i++)
        if (findings->levels[i] > 0)
            return true;
    return false;
}

static enum tess_status check(struct arguments *arguments, FILE *stream, const char *const *paths,
                              size_t count)
{
    struct report report = {.stream = stream}, trouble = {0};
    struct finding_log log = {
        .stream = stream,
        .format = arguments->format,
        .tool = arguments->title,
        .machines = arguments->check.find_machine ? UINT32_MAX : 1u << arguments->check.machine};
    struct findings findings = {.stream = stream,
                                .format = arguments->format,
                                .policy = &arguments->verdict.policy,
                                .message_levels = &arguments->levels,
                                .report = &report,
                                .trouble = &trouble,
                                .log = &log,
                                .variant = arguments->check.variant};
    bool text = arguments->format == FINDING_TEXT;
    if (!text)
        finding_log_begin(&log);
    enum tess_status status = check_files(arguments, &findings, paths, count);
    status = judged(&findings, &trouble, status);
    arguments->verdict.failed = trouble.errors > 0;
    bool complete = !arguments->verdict.failed && !findings.limited &&
                    (status == TESS_OK || status == TESS_WRONG);
    if (!text && !finding_log_end(&log, complete, cli_exit_status(status)))
        status = TESS_NO_MEMORY;
    if (status == TESS_NO_MEMORY)
        fprintf(stderr, "%s: %s\n", arguments->title, tess_status_text(status));
    fflush(stream);
    if (text && trouble.errors && !has_findings(&findings))
        outputs_abandon(); /* the output is empty, since all messages are on standard error */
    report_add_hidden(&trouble, &report);
    trouble.policy = findings.policy;
    trouble.errors += findings.levels[TESS_ERROR];
    trouble.warnings += findings.levels[TESS_WARNING];
    report_total(&trouble); /* the summary goes to standard error, not to the output */
    return status;
}

/* Inserts the levels of the configuration before the levels of -W, so that -W takes precedence.
 * Returns false after an error message if the host is out of memory. */
static bool put_first(struct arguments *arguments, const struct config *config)
{
    struct levels own = arguments->levels;
    bool good = true;
    arguments->levels = (struct levels){0};
    for (size_t i = 0; i < config->rule_count && good; i++)
        good = levels_add(&arguments->levels, arguments->title, config->rules[i].id,
                          config->rules[i].level);
    for (size_t i = 0; i < own.count && good; i++)
        good = levels_add(&arguments->levels, arguments->title, own.items[i].id,
                          own.items[i].level);
    levels_free(&own);
    return good;
}

/* Adds the levels of the configuration before the levels of -W. The checker receives the levels of
 * rules. The levels of other ids, such as findings of a model, only apply to messages. Returns
 * false after an error message if the host is out of memory. */
static bool take_config(struct arguments *arguments)
{
    const struct config *config = &arguments->verdict.config;
    struct tess_check_options *check = &arguments->check;
    if (!put_first(arguments, config))
        return false;
    const struct levels *levels = &arguments->levels;
    arguments->settings = calloc(levels->count + 1, sizeof *arguments->settings);
    if (!arguments->settings)
        return cli_no_memory(arguments->title);
    for (size_t i = 0; i < levels->count; i++)
        if (is_rule(levels->items[i].id))
            arguments->settings[check->setting_count++] = (struct tess_check_setting){
                levels->items[i].id, levels->items[i].level};
    check->settings = arguments->settings;
    check->warnings_are_errors |= config->strict;
    check->max_errors = message_limit_errors();
    return true;
}

static int run(struct arguments *arguments, const char *const *paths, size_t count);

/* Runs the verb with the baseline and the configuration file. The folder of the first file is where
 * the search for the configuration file begins. */
static int run_judged(struct arguments *arguments, const char *const *paths, size_t count)
{
    struct verdict_options *verdict = &arguments->verdict;
    verdict->title = arguments->title;
    if (arguments->list || arguments->explain)
        return run(arguments, paths, count);
    bool good = verdict_begin(verdict, count ? paths[0] : ".") && take_config(arguments);
    int status = good ? run(arguments, paths, count) : CLI_USAGE;
    verdict->failed |= status == CLI_USAGE;
    return verdict_end(verdict, status);
}

static int run(struct arguments *arguments, const char *const *paths, size_t count)
{
    struct output output;
    if (!output_open(&output, arguments->title, arguments->output))
        return CLI_USAGE;
    enum tess_status status = TESS_OK;
    if (strcmp(arguments->output, "-") == 0)
        colour_follow(output.stream, stdout);
    if (arguments->list)
        list_rules(output.stream, arguments);
    else if (arguments->explain)
        explain_one(output.stream, arguments);
    else
        status = check(arguments, output.stream, paths, count);
    if (!output_close(&output))
        return CLI_USAGE;
    /* If a file could not be read, a document (JSON, SARIF ...) is still complete and is kept. Text
     * is discarded. */
    if (arguments->format != FINDING_TEXT && status == TESS_IO && !outputs_commit(arguments->title))
        return CLI_USAGE;
    return cli_exit_status(status);
}

static int check_paths(struct arguments *arguments, const char *const *paths, size_t count)
{
    struct paths all;
    int result = finish_options(arguments, count);
    if (result != OPTIONS_PARSED)
        return result;
    result = paths_expand(arguments->title, paths, count, &all)
                 ? run_judged(arguments, (const char *const *)all.items, all.count)
                 : CLI_USAGE;
    paths_free(&all);
    return result;
}

int cli_check(int argc, char **argv)
{
    struct arguments arguments = {.title = argv[0], .output = "-", .verdict = {.title = argv[0]}};
    int result = options_parse(&check_options, &arguments, argc, argv);
    if (result == OPTIONS_PARSED)
        result = check_paths(&arguments, (const char *const *)argv + optind,
                             (size_t)(argc - optind));
    free(arguments.include_dirs.items);
    free(arguments.pre_includes.items);
    free(arguments.entries.items);
    free(arguments.defines.items);
    free(arguments.settings);
    levels_free(&arguments.levels);
    return result;
}
