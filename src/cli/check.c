/* SPDX-License-Identifier: MIT */
/* check.c - tessera check: finds what the hardware would punish in silence. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tessera/isa.h>

#include "cli.h"
#include "explain.h"
#include "front/report.h"
#include "output.h"

static const char help[] =
    "Usage: tessera check [OPTION]... FILE...\n"
    "Checks programs against the rules of the hardware, see docs/check.md. A FILE is a source or\n"
    "machine code: bytes, hexadecimal text, a C array or an ELF file.\n\n"
    "  -m, --machine NAME       instruction set: qpu, gp or a2xx; default: by the file's ending, else\n"
    "                           qpu\n"
    "      --variant NAME       adreno or xenos, of a2xx; default: adreno\n"
    "  -k, --kind KIND          what programs are: fragment, vertex, or on the QPU coordinate or user\n"
    "  -e, --entry NAME         a program begins at this label or address; may be repeated\n"
    "      --varyings COUNT     number of varyings of fragment shaders, on the QPU\n"
    "      --registers COUNT    number of registers that a2xx programs are given\n"
    "      --base ADDRESS       bus address of the first byte, if the file does not say\n"
    "  -I, --include DIR        look for included files in DIR, too\n"
    "  -i, --pre-include FILE   include FILE first; vc4.qinc is built in\n"
    "  -D, --define NAME=VALUE  set a constant (1 if no value is given)\n"
    "  -W, --rule RULE=LEVEL    let a rule count as off, note, warning or error; RULE may be all\n"
    "      --warnings-as-errors let warnings count as errors\n"
    "      --list-rules         list all rules of the machine\n"
    "      --explain ID         say what is behind a rule, a finding of tessera run, or an "
    "erratum\n"
    "      --json               findings or rules as one JSON document\n"
    "      --sarif              findings as a SARIF 2.1.0 log\n"
    "  -o, --output OUT         write to OUT; default is standard output\n"
    "      --help               this text\n\n"
    "Exit status: 0 nothing worse than a note, 1 warnings or errors, 2 usage or unreadable "
    "input.\n";

enum {
    OPTION_VARYINGS = 256,
    OPTION_VARIANT,
    OPTION_REGISTERS,
    OPTION_BASE,
    OPTION_STRICT,
    OPTION_LIST,
    OPTION_EXPLAIN,
    OPTION_JSON,
    OPTION_SARIF,
    OPTION_HELP,
};

static const struct option options[] = {
    {"machine",          required_argument, NULL, 'm'},
    {"kind",              required_argument, NULL, 'k'},
    {"entry",                  required_argument, NULL, 'e'},
    {"varyings",required_argument, NULL, OPTION_VARYINGS},
    {"variant", required_argument, NULL, OPTION_VARIANT},
    {"registers", required_argument, NULL, OPTION_REGISTERS},
    {"base",               required_argument, NULL, OPTION_BASE},
    {"include",            required_argument, NULL, 'I'},
    {"pre-include",              required_argument, NULL, 'i'},
    {"define",                  required_argument, NULL, 'D'},
    {"rule",              required_argument, NULL, 'W'},
    {"warnings-as-errors",   no_argument, NULL, OPTION_STRICT},
    {"list-rules",             no_argument, NULL, OPTION_LIST},
    {"explain",              required_argument, NULL, OPTION_EXPLAIN},
    {"json",                  no_argument, NULL, OPTION_JSON},
    {"sarif",no_argument, NULL, OPTION_SARIF},
    {"output",               required_argument, NULL, 'o'},
    {"help",      no_argument, NULL, OPTION_HELP},
    {0             },
};

static const char *const levels[] = {"off", "note", "warning", "error"};

enum form { FORM_TEXT, FORM_JSON, FORM_SARIF };

struct arguments {
    struct tess_check_options check;
    const char **include_dirs, **pre_includes, **entries;
    struct tess_asm_define *defines;
    struct tess_check_setting *settings;
    const char *title, *output, *explain;
    enum form form;
    bool has_machine, list, help;
};

/* --- arguments --- */

static bool take_number(const struct arguments *arguments, const char *what, uint64_t most,
                        uint64_t *value)
{
    if (cli_number(optarg, value) && *value <= most)
        return true;
    cli_usage_error(arguments->title, "'%s' is not %s", optarg, what);
    return false;
}

/* Cuts RULE=LEVEL in place. */
static bool take_setting(struct arguments *arguments, char *text)
{
    char *equals = strchr(text, '=');
    const char *level = equals ? equals + 1 : "";
    if (equals)
        *equals = '\0';
    if (strcmp(text, "all") != 0 && !tess_check_rule_find(text)) {
        cli_usage_error(arguments->title, "there is no rule '%s'; --list-rules lists them", text);
        return false;
    }
    for (unsigned i = 0; i < sizeof levels / sizeof levels[0]; i++) {
        if (strcmp(level, levels[i]) != 0)
            continue;
        arguments->settings[arguments->check.setting_count++] = (struct tess_check_setting){
            text, (enum tess_check_level)i};
        return true;
    }
    cli_usage_error(arguments->title, "a rule can be off, note, warning or error, not '%s'", level);
    return false;
}

static bool take_kind(struct arguments *arguments)
{
    if (tess_shader_kind_find(optarg, &arguments->check.kind))
        return true;
    cli_usage_error(arguments->title, "there is no kind '%s'", optarg);
    return false;
}

static void take_define(struct arguments *arguments, char *text)
{
    char *equals = strchr(text, '=');
    if (equals)
        *equals = '\0';
    arguments->defines[arguments->check.define_count++] = (struct tess_asm_define){
        text, equals ? equals + 1 : "1"};
}

static bool take_explain(struct arguments *arguments)
{
    arguments->explain = optarg;
    if (explain_knows(optarg))
        return true;
    cli_usage_error(arguments->title, "there is no rule '%s'; --list-rules lists them", optarg);
    return false;
}

/* False if the option or its value is not understood; getopt or this function has said why. */
static bool take_option(struct arguments *arguments, int option)
{
    uint64_t number = 0;
    switch (option) {
    case 'm':
        arguments->has_machine = true;
        return cli_machine(arguments->title, optarg, &arguments->check.machine);
    case 'k': return take_kind(arguments);
    case 'e': arguments->entries[arguments->check.entry_count++] = optarg; return true;
    case 'I': arguments->include_dirs[arguments->check.include_dir_count++] = optarg; return true;
    case 'i': arguments->pre_includes[arguments->check.pre_include_count++] = optarg; return true;
    case 'D': take_define(arguments, optarg); return true;
    case 'W': return take_setting(arguments, optarg);
    case 'o': arguments->output = optarg; return true;
    case OPTION_VARYINGS:
        if (!take_number(arguments, "a number of varyings", 64, &number))
            return false;
        arguments->check.varyings_plus_1 = (uint32_t)number + 1;
        return true;
    case OPTION_VARIANT:
        return cli_variant(arguments->title, optarg, &arguments->check.variant);
    case OPTION_REGISTERS:
        if (!take_number(arguments, "a number of registers", 64, &number))
            return false;
        arguments->check.registers = (uint32_t)number;
        return true;
    case OPTION_BASE:
        if (!take_number(arguments, "an address", UINT32_MAX, &number))
            return false;
        arguments->check.address = (uint32_t)number;
        return true;
    case OPTION_STRICT: arguments->check.warnings_are_errors = true; return true;
    case OPTION_LIST: arguments->list = true; return true;
    case OPTION_EXPLAIN: return take_explain(arguments);
    case OPTION_JSON: arguments->form = FORM_JSON; return true;
    case OPTION_SARIF: arguments->form = FORM_SARIF; return true;
    case OPTION_HELP: arguments->help = true; return true;
    default: cli_usage_hint(arguments->title); return false;
    }
}

static bool parse(struct arguments *arguments, int argc, char **argv)
{
    int option;
    while ((option = getopt_long(argc, argv, "m:k:e:I:i:D:W:o:", options, NULL)) != -1)
        if (!take_option(arguments, option))
            return false;
    if (!arguments->has_machine && optind < argc)
        arguments->check.machine = cli_machine_of(argv[optind]);
    if (arguments->help || arguments->list || arguments->explain || optind < argc)
        return true;
    cli_usage_error(arguments->title, "no file given");
    return false;
}

/* --- rules --- */

static void json_member(FILE *stream, const char *before, const char *key, const char *text)
{
    fprintf(stream, "%s\"%s\": ", before, key);
    report_json_text(stream, text);
}

/* The next rule of a machine from number *at on, which becomes the one behind it; NULL if there is none. */
static const struct tess_check_rule *next_rule(enum tess_machine machine, size_t *at)
{
    while (*at < tess_check_rule_count()) {
        const struct tess_check_rule *rule = tess_check_rule_get((*at)++);
        if (rule->machines >> machine & 1)
            return rule;
    }
    return NULL;
}

static void list_rules(FILE *stream, enum tess_machine machine, enum form form)
{
    const struct tess_check_rule *rule;
    size_t at = 0, count = 0;
    if (form == FORM_TEXT) {
        while ((rule = next_rule(machine, &at)))
            fprintf(stream, "%-32s %-8s %s\n", rule->id, levels[rule->level], rule->title);
        return;
    }
    fprintf(stream, "{\"rules\": [");
    while ((rule = next_rule(machine, &at))) {
        fprintf(stream, "%s\n  ", count++ ? "," : "");
        explain_json_rule(stream, rule);
    }
    fprintf(stream, "\n]}\n");
}

/* --- findings as text --- */

/* Where findings go. */
struct findings {
    FILE *stream;
    enum form form;
    enum tess_machine machine;
    enum tess_a2xx_variant variant;
    size_t count, levels[TESS_CHECK_ERROR + 1];
    struct report *report; /* of FORM_TEXT */
};

static void show_other(const struct findings *findings, const struct tess_check_finding *finding)
{
    const struct tess_check_place *other = &finding->other;
    const struct tess_diag diag = {.severity = TESS_NOTE,
                                   .rule = finding->rule->id,
                                   .text = "the other instruction is here",
                                   .file = other->file,
                                   .line = other->line,
                                   .column = other->column,
                                   .source_line = other->source_line};
    struct tess_sink sink = report_sink(findings->report);
    if (finding->has_other && other->line)
        sink.report(sink.user, &diag);
}

enum { MNEMONIC_MAX = 300 };

static bool has_instruction(const struct tess_check_place *place)
{
    return place->instruction || place->instruction_high;
}

/* The first line of control flow, whose other half is another instruction; both of an ALU instruction. */
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
    const uint32_t words[] = {
        (uint32_t)place->instruction, (uint32_t)(place->instruction >> 32),
        (uint32_t)place->instruction_high, (uint32_t)(place->instruction_high >> 32)};
    if (findings->machine == TESS_MACHINE_QPU)
        tess_qpu_mnemonic(text, MNEMONIC_MAX, place->instruction, place->address);
    else if (findings->machine == TESS_MACHINE_A2XX)
        put_slot(text, findings, place, words);
    else
        tess_gp_disassemble(text, MNEMONIC_MAX, words);
}

static void show_text(const struct findings *findings, const struct tess_check_finding *finding)
{
    static const enum tess_severity severities[] = {TESS_NOTE, TESS_NOTE, TESS_WARNING, TESS_ERROR};
    const struct tess_check_place *place = &finding->place;
    char text[600];
    snprintf(text, sizeof text, "%s", finding->text);
    if (!place->source_line && has_instruction(place)) {
        char mnemonic[MNEMONIC_MAX];
        put_mnemonic(mnemonic, findings, place);
        snprintf(text, sizeof text, "0x%08" PRIx32 ": %s: `%s`", place->address, finding->text,
                 mnemonic);
    }
    const struct tess_diag diag = {.severity = severities[finding->level],
                                   .rule = finding->rule->id,
                                   .text = text,
                                   .hint = finding->rule->instead,
                                   .file = place->file,
                                   .line = place->line,
                                   .column = place->column,
                                   .source_line = place->source_line};
    struct tess_sink sink = report_sink(findings->report);
    sink.report(sink.user, &diag);
    show_other(findings, finding);
}

/* --- as JSON --- */

/* The whole word as one number. */
static void json_instruction(FILE *stream, const struct tess_check_place *place)
{
    fprintf(stream, ", \"instruction\": \"0x");
    for (uint32_t byte = place->instruction_bytes; byte-- > 0;) {
        uint64_t half = byte < 8 ? place->instruction : place->instruction_high;
        fprintf(stream, "%02x", (unsigned)(half >> byte % 8 * 8 & 0xff));
    }
    fputc('"', stream);
}

static void json_place(const struct findings *findings, const struct tess_check_place *place)
{
    FILE *stream = findings->stream;
    fprintf(stream, "\"address\": \"0x%08" PRIx32 "\"", place->address);
    if (place->file)
        json_member(stream, ", ", "file", place->file);
    if (place->line)
        fprintf(stream, ", \"line\": %" PRIu32, place->line);
    if (place->column)
        fprintf(stream, ", \"column\": %" PRIu32, place->column);
    if (has_instruction(place)) {
        char mnemonic[MNEMONIC_MAX];
        put_mnemonic(mnemonic, findings, place);
        json_instruction(stream, place);
        json_member(stream, ", ", "disassembly", mnemonic);
    }
}

static void show_json(const struct findings *findings, const struct tess_check_finding *finding)
{
    FILE *stream = findings->stream;
    json_member(stream, findings->count ? ",\n  {" : "\n  {", "rule", finding->rule->id);
    json_member(stream, ", ", "level", levels[finding->level]);
    json_member(stream, ", ", "text", finding->text);
    json_member(stream, ", ", "instead", finding->rule->instead);
    fprintf(stream, ", ");
    json_place(findings, &finding->place);
    if (finding->has_other) {
        fprintf(stream, ", \"other\": {");
        json_place(findings, &finding->other);
        fputc('}', stream);
    }
    if (finding->distance)
        fprintf(stream, ", \"distance\": %" PRIu32, finding->distance);
    fprintf(stream, ", \"program\": \"0x%08" PRIx32 "\"", finding->program);
    json_member(stream, ", ", "kind", tess_shader_kind_name(finding->kind));
    fputc('}', stream);
}

/* --- as SARIF --- */

static const char *sarif_level(enum tess_check_level level)
{
    return level == TESS_CHECK_OFF ? "none" : levels[level];
}

static void sarif_rule(FILE *stream, const struct tess_check_rule *rule)
{
    json_member(stream, "{", "id", rule->id);
    fprintf(stream, ", \"shortDescription\": {");
    json_member(stream, "", "text", rule->title);
    fprintf(stream, "}, \"fullDescription\": {");
    json_member(stream, "", "text", rule->why);
    fprintf(stream, "}, \"help\": {");
    json_member(stream, "", "text", rule->instead);
    fprintf(stream, "}, \"defaultConfiguration\": {\"enabled\": %s, ",
            rule->level == TESS_CHECK_OFF ? "false" : "true");
    json_member(stream, "", "level", sarif_level(rule->level));
    fprintf(stream, "}, \"properties\": {");
    json_member(stream, "", "source", rule->source);
    fprintf(stream, "}}");
}

static void sarif_begin(FILE *stream, enum tess_machine machine)
{
    const struct tess_check_rule *rule;
    size_t at = 0, count = 0;
    fprintf(
        stream,
        "{\"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\", \"version\": \"2.1.0\", "
        "\"runs\": [{\n"
        "\"tool\": {\"driver\": {\"name\": \"tessera check\", \"version\": \"%s\", \"rules\": [",
        tess_version());
    while ((rule = next_rule(machine, &at))) {
        fprintf(stream, "%s\n  ", count++ ? "," : "");
        sarif_rule(stream, rule);
    }
    fprintf(stream, "\n]}},\n\"columnKind\": \"utf16CodeUnits\",\n\"results\": [");
}

/* A path as an URI reference: what is no plain character is escaped. */
static void sarif_uri(FILE *stream, const char *path)
{
    fputc('"', stream);
    for (const unsigned char *at = (const unsigned char *)path; *at; at++) {
        bool plain = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') ||
                     (*at >= '0' && *at <= '9') || strchr("-._~/", *at);
        fprintf(stream, plain ? "%c" : "%%%02X", *at);
    }
    fputc('"', stream);
}

static void sarif_place(FILE *stream, const struct tess_check_place *place)
{
    fprintf(stream, "\"physicalLocation\": {\"artifactLocation\": {\"uri\": ");
    sarif_uri(stream, place->file ? place->file : "program");
    fputc('}', stream);
    if (place->line)
        fprintf(stream, ", \"region\": {\"startLine\": %" PRIu32, place->line);
    if (place->line && place->column)
        fprintf(stream, ", \"startColumn\": %" PRIu32, place->column);
    if (place->line)
        fputc('}', stream);
    fprintf(stream,
            ", \"address\": {\"absoluteAddress\": %" PRIu32 ", \"length\": %" PRIu32
            ", \"kind\": \"instruction\"}}",
            place->address, place->instruction_bytes);
}

static void show_sarif(const struct findings *findings, const struct tess_check_finding *finding)
{
    FILE *stream = findings->stream;
    size_t rule = 0, at = 0;
    while (next_rule(findings->machine, &at) != finding->rule)
        rule++;
    json_member(stream, findings->count ? ",\n  {" : "\n  {", "ruleId", finding->rule->id);
    fprintf(stream, ", \"ruleIndex\": %zu, \"level\": \"%s\", \"message\": {", rule,
            levels[finding->level]);
    json_member(stream, "", "text", finding->text);
    fprintf(stream, "}, \"locations\": [{");
    sarif_place(stream, &finding->place);
    fprintf(stream, "}]");
    if (finding->has_other) {
        fprintf(stream, ", \"relatedLocations\": [{\"id\": 1, ");
        sarif_place(stream, &finding->other);
        fprintf(stream, ", \"message\": {\"text\": \"the other instruction\"}}]");
    }
    if (finding->distance)
        fprintf(stream, ", \"properties\": {\"distance\": %" PRIu32 "}", finding->distance);
    fputc('}', stream);
}

/* --- the check --- */

static void take_finding(void *user, const struct tess_check_finding *finding)
{
    struct findings *findings = user;
    if (findings->form == FORM_TEXT)
        show_text(findings, finding);
    else if (findings->form == FORM_JSON)
        show_json(findings, finding);
    else
        show_sarif(findings, finding);
    findings->count++;
    findings->levels[finding->level]++;
}

static enum tess_status check(const struct arguments *arguments, FILE *stream,
                              const char *const *paths, size_t count)
{
    struct report report = {.stream = stream}, trouble = {0};
    struct findings findings = {.stream = stream,
                                .form = arguments->form,
                                .report = &report,
                                .machine = arguments->check.machine,
                                .variant = arguments->check.variant};
    if (arguments->form == FORM_JSON)
        fprintf(stream, "{\"findings\": [");
    if (arguments->form == FORM_SARIF)
        sarif_begin(stream, arguments->check.machine);
    enum tess_status status = tess_check(paths, count, &arguments->check, report_sink(&trouble),
                                         (struct tess_check_sink){take_finding, &findings});
    if (arguments->form == FORM_JSON)
        fprintf(stream, "\n]}\n");
    if (arguments->form == FORM_SARIF)
        fprintf(stream, "\n]\n}]}\n");
    if (status == TESS_NO_MEMORY)
        fprintf(stderr, "%s: %s\n", arguments->title, tess_status_text(status));
    fflush(stream);
    if (arguments->form == FORM_TEXT && trouble.errors && !findings.count)
        outputs_abandon(); /* what was found out is on standard error */
    trouble.errors += findings.levels[TESS_CHECK_ERROR];
    trouble.warnings += findings.levels[TESS_CHECK_WARNING];
    report_total(&trouble); /* the sum is no part of the answer */
    return status;
}

static int run(struct arguments *arguments, const char *const *paths, size_t count)
{
    struct output output;
    if (arguments->help) {
        fputs(help, stdout);
        return CLI_DONE;
    }
    if (!output_open(&output, arguments->title, arguments->output))
        return CLI_USAGE;
    enum tess_status status = TESS_OK;
    if (arguments->list)
        list_rules(output.stream, arguments->check.machine, arguments->form);
    else if (arguments->explain)
        explain_print(output.stream, arguments->explain, true, arguments->form != FORM_TEXT);
    else
        status = check(arguments, output.stream, paths, count);
    if (!output_close(&output))
        return CLI_USAGE;
    /* A document is whole whatever was found; text about what could not be read is not. */
    if (arguments->form != FORM_TEXT && status == TESS_IO && !outputs_commit(arguments->title))
        return CLI_USAGE;
    return cli_exit_status(status);
}

int cli_check(int argc, char **argv)
{
    struct arguments arguments = {.title = argv[0], .output = "-"};
    size_t room = (size_t)argc + 1;
    arguments.include_dirs = calloc(room, sizeof *arguments.include_dirs);
    arguments.pre_includes = calloc(room, sizeof *arguments.pre_includes);
    arguments.entries = calloc(room, sizeof *arguments.entries);
    arguments.defines = calloc(room, sizeof *arguments.defines);
    arguments.settings = calloc(room, sizeof *arguments.settings);
    int result = CLI_USAGE;
    if (!arguments.include_dirs || !arguments.pre_includes || !arguments.entries ||
        !arguments.defines || !arguments.settings) {
        fprintf(stderr, "%s: %s\n", argv[0], tess_status_text(TESS_NO_MEMORY));
    } else if (parse(&arguments, argc, argv)) {
        arguments.check.include_dirs = arguments.include_dirs;
        arguments.check.pre_includes = arguments.pre_includes;
        arguments.check.entries = arguments.entries;
        arguments.check.defines = arguments.defines;
        arguments.check.settings = arguments.settings;
        result = run(&arguments, (const char *const *)argv + optind, (size_t)(argc - optind));
    }
    free(arguments.include_dirs);
    free(arguments.pre_includes);
    free(arguments.entries);
    free(arguments.defines);
    free(arguments.settings);
    return result;
}
