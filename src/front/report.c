/* SPDX-License-Identifier: MIT */
/* report.c - see report.h. docs/diagnostics.md shows how to read the output. */
#include "front/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <tessera/finding.h>
#include <tessera/isa.h>

#include "base/diag.h"
#include "base/json.h"
#include "base/utf8.h"
#include "front/colour.h"
#include "front/finding_log.h"
#include "front/source_line.h"

enum {
    SHOWN_COLUMNS = 160,        /* largest number of columns of a source line that are shown */
    FAR_INSTRUCTIONS = 1 << 16, /* a program counter further than this from the program's start
                                 * means that the program has jumped out of its code */
    NAME_BYTES = 512,
    SOURCE_BYTES = 1024,
};

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

static FILE *stream_of(const struct report *report)
{
    return report->stream ? report->stream : stderr;
}

/* --- unsafe bytes ---
 * Diagnostics quote the input, which may contain any bytes. */

/* Returns the number of bytes of the UTF-8 character at text, or 0 if the bytes are not a character
 * or are a control character. */
static size_t character_bytes(const char *text)
{
    uint32_t value = 0;
    size_t bytes = utf8_character(text, &value);
    bool control = value < 0x20 || (value >= 0x7f && value < 0xa0);
    return control ? 0 : bytes;
}

/* Prints up to size bytes. Replaces bytes that are not a printable character by question marks,
 * except for tabs. */
static void print_some(FILE *stream, const char *text, size_t size)
{
    const char *end = text + size;
    while (text < end && *text) {
        size_t bytes = character_bytes(text);
        if (bytes || *text == '\t')
            fwrite(text, 1, bytes ? bytes : 1, stream);
        else
            fputc('?', stream);
        text += bytes ? bytes : 1;
    }
}

static void print_safely(FILE *stream, const char *text)
{
    print_some(stream, text, strlen(text));
}

/* --- text --- */

static void print_name(FILE *stream, uint32_t address, const struct address_name *name)
{
    char text[NAME_BYTES];
    names_text(text, sizeof text, name);
    fprintf(stream, "0x%08" PRIx32, address);
    if (text[0]) {
        fputs(" <", stream);
        print_safely(stream, text);
        fputc('>', stream);
    }
}

/* Prints "0x40421500 <tile_lists+0x20>", or "0x4053cf00 <framebuffer+0x12345, past its end>". */
static void print_address(const struct report *report, uint32_t address)
{
    struct address_name name;
    names_address(&report->names, address, &name);
    print_name(stream_of(report), address, &name);
}

/* Prints "0x40421508 <loop+0x8, shader.qasm:12>". */
static void print_code(const struct report *report, uint32_t address, const uint64_t *word)
{
    struct address_name name;
    names_instruction(&report->names, address, word, &name);
    print_name(stream_of(report), address, &name);
}

/* Returns true if the address of the diagnostic is the offset of a register. */
static bool is_register(const struct tess_finding *diag)
{
    return diag->id && strncmp(diag->id, "v3d-", 4) == 0;
}

static const char *register_of(const struct tess_finding *diag)
{
    return is_register(diag) ? tess_vc4_register_name(diag->place.address) : NULL;
}

/* Returns true if the finding is about an access to a null pointer. The top two bits of a bus
 * address, which select caching, are ignored. Only the finding "bus-unmapped" counts, because a
 * program may have memory at address 0. */
static bool is_null(const struct tess_finding *diag)
{
    return (diag->place.address & 0x3fffffff) == 0 && diag->id &&
           strcmp(diag->id, "bus-unmapped") == 0;
}

static void print_where(const struct report *report, const struct tess_finding *diag)
{
    const char *name = register_of(diag);
    if (name) {
        fprintf(stream_of(report), "register %s", name);
    } else if (is_register(diag)) {
        fprintf(stream_of(report), "register offset 0x%03" PRIx32, diag->place.address);
    } else {
        fprintf(stream_of(report), "address ");
        if (is_null(diag)) /* a null pointer is printed without a symbol, even if a symbol is at
                            * address 0 */
            fprintf(stream_of(report), "0x%08" PRIx32 " (null)", diag->place.address);
        else
            print_address(report, diag->place.address);
    }
}

static void print_list(const struct report *report, const struct tess_place *place)
{
    FILE *stream = stream_of(report);
    const char *name = tess_control_record_name(place->record);
    fprintf(stream, "control list ");
    print_address(report, place->list_address);
    if (name)
        fprintf(stream, " (%s, thread %" PRIu32 ")", name, place->thread);
    else
        fprintf(stream, " (record id %" PRIu32 ", thread %" PRIu32 ")", place->record,
                place->thread);
}

/* Prints the record in the program's binning list that drew the primitive. The record in the tile
 * list, which the binner wrote, is not in the program's source. */
static void print_draw(const struct report *report, const struct tess_place *place)
{
    fprintf(stream_of(report), ", drawn by ");
    print_address(report, place->draw);
}

static void print_instruction(FILE *stream, const struct tess_place *place)
{
    char text[200];
    tess_qpu_mnemonic(text, sizeof text, place->instruction, place->pc);
    if (place->instruction)
        fprintf(stream, ": `%s`", text);
    else
        fprintf(stream, ": no instruction (all bits are 0)");
}

/* Prints ", on QPU 3" or ", on 12 QPUs (0 to 11)". */
static void print_qpus(FILE *stream, const struct tess_place *place)
{
    uint64_t qpus = place->qpus;
    if (!qpus) {
        fprintf(stream, ", on QPU %" PRIu32, place->qpu);
        return;
    }
    fprintf(stream, ", on %d QPUs (", __builtin_popcountll(qpus));
    for (const char *before = ""; qpus; before = ", ") {
        int first = __builtin_ctzll(qpus), count = __builtin_ctzll(~(qpus >> first));
        fprintf(stream, count > 1 ? "%s%d to %d" : "%s%d", before, first, first + count - 1);
        qpus &= qpus + (UINT64_C(1) << first); /* clears the lowest run of ones */
    }
    fputc(')', stream);
}

static void print_shader(const struct report *report, const struct tess_place *place)
{
    FILE *stream = stream_of(report);
    bool fetched = place->known & TESS_PLACE_INSTRUCTION;
    const uint64_t *word = fetched ? &place->instruction : NULL;
    fprintf(stream, "shader ");
    print_code(report, place->shader, place->pc == place->shader ? word : NULL);
    uint32_t distance = (place->pc - place->shader) / 8;
    if (place->pc == place->shader) {
        fprintf(stream, "%s", fetched ? ", first instruction" : "");
    } else {
        if (place->pc > place->shader && distance < FAR_INSTRUCTIONS)
            fprintf(stream, " + %" PRIu32 " instruction%s,", distance, plural(distance));
        fprintf(stream, " at ");
        print_code(report, place->pc, word);
    }
    print_qpus(stream, place);
    if (fetched)
        print_instruction(stream, place);
}

static void print_place(const struct report *report, const struct tess_finding *diag)
{
    const struct tess_place *place = &diag->place;
    FILE *stream = stream_of(report);
    const char *before = "  at ";
    if (place->known & TESS_PLACE_LIST) {
        fputs(before, stream);
        print_list(report, place);
        before = ", ";
    }
    if (place->known & TESS_PLACE_TILE) {
        fprintf(stream, "%stile %" PRIu32 ",%" PRIu32, before, place->tile_column, place->tile_row);
        before = ", ";
    }
    if (place->known & TESS_PLACE_DRAW)
        print_draw(report, place);
    if (place->known & TESS_PLACE_SHADER) {
        fputs(before, stream);
        print_shader(report, place);
        before = ", ";
    }
    if (place->known & TESS_PLACE_ADDRESS) {
        fputs(before, stream);
        print_where(report, diag);
    }
    if (place->known)
        fputc('\n', stream);
}

/* Returns the offset of the first byte of a line that is shown. The offset is chosen so that
 * `column` is visible, and is the start of a character. */
static size_t window_start(const char *line, size_t length, size_t column)
{
    if (length <= SHOWN_COLUMNS || column <= SHOWN_COLUMNS / 2)
        return 0;
    size_t start = column - SHOWN_COLUMNS / 2;
    while (start < length && ((unsigned char)line[start] & 0xc0) == 0x80)
        start++;
    return start;
}

/* Prints the source line, or the part of a long line around the column, and a caret under the
 * column. Tabs are copied to the line with the caret, so that the caret is aligned. */
static void print_source(FILE *stream, const struct tess_finding *diag)
{
    const char *line = diag->source_line;
    if (!line)
        return;
    size_t length = strlen(line), start = window_start(line, length, diag->column);
    const char *before = start ? "..." : "", *shown = line + start;
    fprintf(stream, "    %s", before);
    print_some(stream, shown, SHOWN_COLUMNS);
    fprintf(stream, "%s\n", length - start > SHOWN_COLUMNS ? "..." : "");
    if (diag->column == 0 || diag->column > length + 1)
        return;
    fprintf(stream, "    %*s%s", (int)strlen(before), "", colour_begin(stream, COLOUR_CARET));
    const char *caret = line + diag->column - 1;
    for (size_t bytes; shown < caret; shown += bytes ? bytes : 1) {
        bytes = character_bytes(shown);
        fputc(*shown == '\t' ? '\t' : ' ', stream);
    }
    fprintf(stream, "^%s\n", colour_end(stream));
}

/* Returns the command-line options for the setting that a hint asks to change, or NULL. */
static const char *options_of(const struct report *report, enum tess_setting setting)
{
    static const char *const all[TESS_SETTINGS] = {
        [TESS_SETTING_MESSAGES] = "--max-messages 0",
        [TESS_SETTING_VARIANT] = "--variant",
        [TESS_SETTING_GP] = "-m gp",
        [TESS_SETTING_A2XX] = "-m a2xx",
        [TESS_SETTING_XENOS] = "-m a2xx --variant=xenos",
        [TESS_SETTING_SCENE] = "-f elf",
        [TESS_SETTING_INCLUDE] = "or -i FILE",
    };
    return setting == TESS_SETTING_LIMIT ? report->budgets : all[setting];
}

/* Prints "shader.qasm:12:5: ". */
static void print_position(FILE *stream, const struct tess_finding *diag)
{
    if (!diag->file)
        return;
    fputs(colour_begin(stream, COLOUR_PLACE), stream);
    print_safely(stream, diag->file);
    fputc(':', stream);
    if (diag->line)
        fprintf(stream, "%" PRIu32 ":", diag->line);
    if (diag->line && diag->column)
        fprintf(stream, "%" PRIu32 ":", diag->column);
    fprintf(stream, "%s ", colour_end(stream));
}

static void print_text(const struct report *report, const struct tess_finding *diag)
{
    static const enum colour colours[] = {COLOUR_NOTE, COLOUR_WARNING, COLOUR_ERROR};
    FILE *stream = stream_of(report);
    print_position(stream, diag);
    fprintf(stream, "%s%s:%s ", colour_begin(stream, colours[diag->level]),
            policy_level_name(diag->level), colour_end(stream));
    print_safely(stream, diag->text);
    if (diag->id) {
        fputs(" [", stream);
        print_safely(stream, diag->id);
        fputc(']', stream);
    }
    fputc('\n', stream);
    print_source(stream, diag);
    print_place(report, diag);
    if (diag->hint) {
        const char *options = options_of(report, diag->setting);
        fprintf(stream, "  hint: ");
        print_safely(stream, diag->hint);
        fprintf(stream, options ? " (%s)\n" : "\n", options);
    }
}

/* --- JSON lines --- */

static void json_address(struct json *json, const struct report *report, const char *key,
                         uint32_t address)
{
    char prefix[32];
    struct address_name name;
    snprintf(prefix, sizeof prefix, "%s_", key);
    json_member_hex(json, key, address, 8);
    if (names_address(&report->names, address, &name))
        names_json(json, prefix, &name);
}

static void json_code(struct json *json, const struct report *report, const char *key,
                      uint32_t address, const uint64_t *word)
{
    char prefix[32];
    struct address_name name;
    snprintf(prefix, sizeof prefix, "%s_", key);
    json_member_hex(json, key, address, 8);
    if (names_instruction(&report->names, address, word, &name))
        names_json(json, prefix, &name);
}

static void json_shader(struct json *json, const struct report *report,
                        const struct tess_place *place)
{
    bool fetched = place->known & TESS_PLACE_INSTRUCTION;
    json_code(json, report, "shader", place->shader, NULL);
    json_code(json, report, "pc", place->pc, fetched ? &place->instruction : NULL);
    if (fetched) {
        char text[200];
        tess_qpu_mnemonic(text, sizeof text, place->instruction, place->pc);
        json_member_hex(json, "instruction", place->instruction, 16);
        json_member_string(json, "disassembly", text);
    }
    json_member_uint(json, "qpu", place->qpu);
    if (!place->qpus)
        return;
    json_member_array(json, "qpus");
    for (unsigned qpu = 0; qpu < 64; qpu++)
        if (place->qpus >> qpu & 1)
            json_uint(json, qpu);
    json_end_array(json);
}

static void json_place(struct json *json, const struct report *report,
                       const struct tess_finding *diag)
{
    const struct tess_place *place = &diag->place;
    if (place->known & TESS_PLACE_LIST) {
        json_member_uint(json, "thread", place->thread);
        json_address(json, report, "list", place->list_address);
        json_member_uint(json, "record", place->record);
        json_member_text(json, "record_name", tess_control_record_name(place->record));
    }
    if (place->known & TESS_PLACE_TILE) {
        json_member_uint(json, "tile_column", place->tile_column);
        json_member_uint(json, "tile_row", place->tile_row);
    }
    if (place->known & TESS_PLACE_DRAW)
        json_address(json, report, "draw", place->draw);
    if (place->known & TESS_PLACE_SHADER)
        json_shader(json, report, place);
    if (!(place->known & TESS_PLACE_ADDRESS))
        return;
    if (is_register(diag)) {
        json_member_hex(json, "register", place->address, 3);
        json_member_text(json, "register_name", register_of(diag));
    } else if (is_null(diag)) {
        json_member_hex(json, "address", place->address, 8);
    } else {
        json_address(json, report, "address", place->address);
    }
}

/* Prints a diagnostic as one JSON line. If the diagnostic names a source, scene is the file that
 * was run; otherwise NULL. */
static void print_json(const struct report *report, const struct tess_finding *diag,
                       const char *scene)
{
    struct json json = {.stream = stream_of(report), .flow = true};
    json_begin_object(&json);
    json_member_string(&json, "severity", policy_level_name(diag->level));
    json_member_text(&json, "rule", diag->id);
    json_member_text(&json, "text", diag->text);
    json_member_text(&json, "hint", diag->hint);
    json_member_text(&json, "file", diag->file);
    if (diag->line)
        json_member_uint(&json, "line", diag->line);
    if (diag->line && diag->column)
        json_member_uint(&json, "column", diag->column);
    json_member_text(&json, "scene", scene);
    json_place(&json, report, diag);
    json_end_object(&json);
}

/* --- sink --- */

/* Returns a copy of the diagnostic. If the place in the machine has a source line, the copy has the
 * file, line and column. */
static struct tess_finding located(const struct report *report, const struct tess_finding *diag)
{
    struct tess_finding found = *diag;
    struct address_name name;
    if (is_register(diag) || (diag->file && diag->line) ||
        !names_place(&report->names, &diag->place, &name))
        return found;
    found.file = name.file;
    found.line = name.line;
    found.column = name.column;
    return found;
}

/* Writes the key of a place that has no source line. The key does not change if the code is moved
 * to other addresses. */
static void put_key(const struct report *report, const struct tess_finding *diag, char *key,
                    size_t size)
{
    const struct tess_place *place = &diag->place;
    struct address_name name = {0};
    char what[200] = "";
    if (place->known & TESS_PLACE_INSTRUCTION)
        tess_qpu_mnemonic(what, sizeof what, place->instruction, place->pc);
    else if (place->known & TESS_PLACE_LIST)
        snprintf(what, sizeof what, "record %" PRIu32, place->record);
    else if (place->known & TESS_PLACE_ADDRESS && is_register(diag))
        snprintf(what, sizeof what, "register 0x%03" PRIx32, place->address);
    if (place->known & TESS_PLACE_SHADER)
        names_instruction(&report->names, place->pc, NULL, &name);
    else if (place->known & TESS_PLACE_LIST)
        names_address(&report->names, place->list_address, &name);
    else if (place->known & TESS_PLACE_ADDRESS && !is_register(diag))
        names_address(&report->names, place->address, &name);
    snprintf(key, size, "%s%s%s",
             what[0]        ? what
             : place->known ? ""
                            : diag->text,
             name.symbol ? " in " : "", name.symbol ? name.symbol : "");
}

/* Returns true if a diagnostic is an error in reading, assembling or writing a file. */
static bool is_failure(const struct report *report, const struct tess_finding *diag)
{
    return diag->level == TESS_ERROR &&
           (report->reading || !diag->id || !policy_is_finding(diag->id));
}

/* Returns true if the diagnostic should be shown, and sets the severity of a finding according to
 * the policy. Without a policy, all diagnostics are shown. */
static bool is_let(const struct report *report, struct tess_finding *diag)
{
    char key[400];
    if (!report->policy)
        return true;
    put_key(report, diag, key, sizeof key);
    return policy_judge(report->policy, diag, key);
}

/* --- limits per rule --- */

enum { SHOWN = 8, WAITS_SHOWN = 20 };

/* Returns the counter of shown findings of a rule. Returns NULL if the rule is not limited or if
 * the host is out of memory. */
static uint32_t *shown_of(struct report *report, const char *id)
{
    const struct tess_rule *limited = tess_rule_find(id, TESS_RULES_OF_RUNS);
    if (!report->policy || !limited || limited->of == TESS_RULE_PI)
        return NULL;
    if (!report->shown)
        report->shown = calloc(tess_rule_count(), sizeof *report->shown);
    return report->shown ? &report->shown[limited - tess_rule_get(0)] : NULL;
}

/* Returns the largest number of findings of a rule that are shown. The limit is higher for rules
 * about waiting, because each QPU that waits has a finding. */
static uint32_t most_shown(const char *id)
{
    bool waits = strcmp(id, "qpu-hang") == 0 || strcmp(id, "vpm-empty") == 0 ||
                 strcmp(id, "tmu-empty") == 0;
    uint64_t most = message_limit_of_rule(waits ? WAITS_SHOWN : SHOWN);
    return most < UINT32_MAX ? (uint32_t)most : UINT32_MAX - 1;
}

/* Returns true if a finding should be shown, because the limit of its rule has not been reached.
 * The first finding after the limit becomes a note that further findings are not shown. */
static bool is_few(struct report *report, struct tess_finding *finding)
{
    uint32_t *shown = shown_of(report, finding->id);
    enum diag_show show = shown ? diag_limit(shown, most_shown(finding->id)) : DIAG_SHOW;
    if (show == DIAG_SHOW)
        return true;
    report->limit.hidden[finding->level] += !finding->more;
    if (show == DIAG_HIDE)
        return false;
    *finding = (struct tess_finding){
        .level = TESS_NOTE,
        .id = finding->id,
        .text = "further findings of this kind are counted but not shown"};
    return true;
}

/* Passes a finding to the log and to the relay. */
static void pass_on(const struct report *report, const struct tess_finding *diag)
{
    const struct tess_place *place = &diag->place;
    char mnemonic[200] = "", word[24] = "", line[SOURCE_BYTES];
    struct finding finding = finding_of(diag);
    if (!diag->source_line && diag->file && diag->line &&
        source_line_read(diag->file, diag->line, line, sizeof line)) {
        finding.place.source_line = line;
        finding.place.statement = true;
        finding.place.semicolon_comments = policy_machine(diag->file) == TESS_MACHINE_A2XX;
    }
    if (place->known & TESS_PLACE_INSTRUCTION) {
        tess_qpu_mnemonic(mnemonic, sizeof mnemonic, place->instruction, place->pc);
        snprintf(word, sizeof word, "0x%016" PRIx64, place->instruction);
        finding.place.disassembly = mnemonic;
        finding.place.instruction = word;
        finding.place.has_address = true;
        finding.place.address = place->pc;
        finding.place.bytes = 8;
    }
    if (report->log)
        finding_log_add(report->log, &finding);
    if (report->relay)
        report->relay(&finding);
}

static void show(void *user, const struct tess_finding *from)
{
    struct report *report = user;
    names_forget(&report->names);
    struct tess_finding shown = located(report, from), *diag = &shown;
    bool failure = is_failure(report, diag);
    report->seen += diag->level == TESS_ERROR;
    report->failed += failure;
    if (failure && report->policy)
        report->policy->failures++;
    report->more |= diag->more;
    diag->level = diag_level(diag->level, report->strict);
    if ((!failure && !is_let(report, diag)) || (report->quiet && diag->level == TESS_NOTE))
        return;
    report->errors += diag->level == TESS_ERROR;
    report->warnings += diag->level == TESS_WARNING;
    if (!is_few(report, diag))
        return;
    if (report->log || report->relay)
        pass_on(report, diag);
    if (report->log_only)
        return;
    if (report->json)
        print_json(report, diag, diag->file && diag->file != from->file ? from->file : NULL);
    else if (message_limit_lets(&report->limit, diag))
        print_text(report, diag);
}

struct tess_sink report_sink(struct report *report)
{
    return (struct tess_sink){show, report};
}

void report_total(const struct report *report)
{
    FILE *stream = stream_of(report);
    uint64_t known = report->policy ? report->policy->hidden : 0;
    char hidden[120];
    message_limit_text(hidden, sizeof hidden, report->limit.hidden);
    if (report->json || report->log_only ||
        (report->errors == 0 && report->warnings == 0 && known == 0 && !hidden[0]))
        return;
    fprintf(stream, "%s%" PRIu64 " error%s, %" PRIu64 " warning%s", report->more ? "at least " : "",
            report->errors, plural(report->errors), report->warnings, plural(report->warnings));
    if (known)
        fprintf(stream, "; %" PRIu64 " known finding%s", known, plural(known));
    fputc('\n', stream);
    if (hidden[0])
        fprintf(stream, "not shown: %s (--max-messages 0 shows all)\n", hidden);
}

void report_add_hidden(struct report *report, const struct report *other)
{
    for (int severity = TESS_NOTE; severity <= TESS_ERROR; severity++)
        report->limit.hidden[severity] += other->limit.hidden[severity];
    report->more |= other->more;
}

bool report_fails(const struct report *report, bool wrong)
{
    if (!report->policy)
        return wrong || report->errors;
    return report->policy->failures > 0 || (wrong && report->seen == 0);
}

void report_free(struct report *report)
{
    free(report->shown);
    report->shown = NULL;
}
