/* SPDX-License-Identifier: MIT */
/* assembler_warnings.c - see assembler_warnings.h. */
#include "check/frame/assembler_warnings.h"

#include <stdlib.h>
#include <string.h>

#include "asm/source.h"
#include "base/array.h"
#include "base/diag.h"
#include "check/frame/check.h"

enum { NOTES_MAX = 8 }; /* largest number of notes for a warning */

static bool keep(struct check_said *said, const struct tess_finding *diag, enum check_rule rule)
{
    if (!ARRAY_GROW(said->items, said->count))
        return false;
    struct check_said_warning *item = &said->items[said->count++];
    *item = (struct check_said_warning){
        .rule = rule,
        .text = strdup(diag->text),
        .hint = strdup(diag->hint ? diag->hint : check_rule(rule)->instead),
        .file = strdup(diag->file ? diag->file : ""),
        .line = diag->line,
        .column = diag->column};
    return item->text && item->hint && item->file;
}

static void take(void *user, const struct tess_finding *diag)
{
    struct check_said *said = user;
    enum check_rule rule;
    bool note = diag->level == TESS_NOTE && diag->id && strcmp(diag->id, "asm-context") == 0;
    if (said->taken && note)
        return;
    said->taken = diag->level == TESS_WARNING && diag->id &&
                  check_rule_find(diag->id, strlen(diag->id), &rule);
    if (said->taken)
        said->no_memory |= !keep(said, diag, rule);
    else if (said->sink.report)
        said->sink.report(said->sink.user, diag);
}

struct tess_sink check_warnings_sink(struct check_said *said)
{
    return (struct tess_sink){take, said};
}

void check_warnings_free(struct check_said *said)
{
    for (size_t i = 0; i < said->count; i++) {
        free(said->items[i].text);
        free(said->items[i].hint);
        free(said->items[i].file);
    }
    free(said->items);
    *said = (struct check_said){0};
}

const struct asm_trace *check_trace(const struct asm_program *program, uint32_t number)
{
    return number > 0 && number <= program->trace_count ? &program->traces[number - 1] : NULL;
}

void check_report_calls(const struct asm_program *program, uint32_t number, struct tess_sink sink)
{
    const struct asm_trace *trace = check_trace(program, number);
    for (unsigned notes = 0; trace && notes < NOTES_MAX; notes++) {
        struct tess_finding diag = {.level = TESS_NOTE, .id = "asm-context"};
        if (trace->call) {
            diag.file = trace->call->file->path;
            diag.line = trace->call->number;
            diag.source_line = trace->call->raw;
        }
        const char *name = trace->name ? trace->name : "";
        diag_report(sink, &diag,
                    !trace->macro    ? "'%s' included here"
                    : name[0] == '.' ? "in the repetition by %s"
                                     : "in the expansion of macro '%s'",
                    name);
        trace = check_trace(program, trace->parent);
    }
}

void check_report_warning(void *user, const struct tess_finding *finding)
{
    const struct check_to_assembler *to = user;
    if (finding->level < TESS_WARNING || !to->sink.report)
        return;
    struct tess_finding warning = *finding;
    warning.level = TESS_WARNING;
    to->sink.report(to->sink.user, &warning);
    check_report_calls(to->program, to->job->origin ? to->job->origin->trace : 0, to->sink);
}
