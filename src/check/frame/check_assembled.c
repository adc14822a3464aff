/* SPDX-License-Identifier: MIT */
/* check_assembled.c - runs the checker on an assembled program: its regions, its labels, and the
 * comments in its sources.
 *
 * In:  the assembler's output, which has the source line of every byte.
 * Out: findings with lines and columns. A comment that allows a rule at a macro call also allows
 *      the rule on the lines of the expansion. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/diag.h"
#include "base/order.h"
#include "base/sort_runs.h"
#include "check/frame/assembler_warnings.h"
#include "check/frame/check_remarks.h"
#include "check/frame/check_subject.h"
#include "isa/cl/ranges.h"

enum { CALLS_MAX = 200 };

/* The assembled program that is being checked. */
struct source_check {
    struct check_subject subject;
    const struct asm_program *program;
    struct remarks remarks;
    const struct asm_origin **origins; /* sorted by address */
    size_t origin_count;
    uint32_t *labels; /* addresses, sorted */
    size_t label_count;
};

/* --- addresses and lines --- */

static int order_origins(const void *one, const void *other)
{
    const struct asm_origin *a = *(const struct asm_origin *const *)one,
                            *b = *(const struct asm_origin *const *)other;
    return a->address < b->address ? -1 : a->address > b->address;
}

static bool sort_origins(struct source_check *check)
{
    check->origins = calloc(check->program->origin_count + 1, sizeof *check->origins);
    if (!check->origins)
        return false;
    for (size_t i = 0; i < check->program->origin_count; i++)
        check->origins[check->origin_count++] = &check->program->origins[i];
    sort_runs(check->origins, check->origin_count, sizeof *check->origins, order_origins);
    return true;
}

static int order_addresses(const void *one, const void *other)
{
    return order_u32(*(const uint32_t *)one, *(const uint32_t *)other);
}

static bool sort_labels(struct source_check *check)
{
    const struct asm_symbols *labels = &check->program->labels;
    check->labels = calloc(labels->count + 1, sizeof *check->labels);
    if (!check->labels)
        return false;
    for (size_t i = 0; i < labels->count; i++)
        if (labels->items[i].pass && labels->items[i].value.kind == ASM_INTEGER)
            check->labels[check->label_count++] = (uint32_t)labels->items[i].value.integer;
    qsort(check->labels, check->label_count, sizeof *check->labels, order_addresses);
    return true;
}

/* Returns the index of the first label at or after an address. */
static size_t first_label(const struct source_check *check, uint32_t address)
{
    return array_below(check->labels, check->label_count, sizeof *check->labels, 0, address);
}

/* Returns the origin of the byte at an address, or NULL if unknown. */
static const struct asm_origin *origin_at(const struct source_check *check, uint32_t address)
{
    size_t low = 0, high = check->origin_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (check->origins[middle]->address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    const struct asm_origin *origin = low ? check->origins[low - 1] : NULL;
    return origin && address - origin->address < origin->size ? origin : NULL;
}

static struct tess_check_place line_of(const struct check_subject *subject, uint32_t address)
{
    const struct asm_origin *origin = origin_at((const struct source_check *)subject, address);
    struct tess_check_place place = {.address = address};
    if (origin && origin->line) {
        place.file = origin->line->file->path;
        place.line = origin->line->number;
        place.column = origin->column;
        place.source_line = origin->line->raw;
    }
    return place;
}

/* Returns true if a comment allows the rule, either on the line or at a macro call that produced
 * the code of origin. line and origin may be NULL. */
static bool is_allowed(struct source_check *check, enum check_rule rule,
                       const struct asm_origin *origin, const struct source_line *line)
{
    bool allowed = line && remarks_allow(&check->remarks, rule, line);
    const struct asm_trace *trace = origin ? check_trace(check->program, origin->trace) : NULL;
    for (unsigned i = 0; trace && i < CALLS_MAX; i++) {
        allowed |= remarks_allow(&check->remarks, rule, trace->call);
        trace = check_trace(check->program, trace->parent);
    }
    return allowed;
}

/* --- findings --- */

/* Findings that are consequences of a warning that the assembler reports on the same line. */
static const struct {
    enum check_rule said, found;
} consequences[] = {
    {CHECK_GP_LINE_ALONE, CHECK_GP_STORE_IDLE},
    {CHECK_GP_LINE_ALONE, CHECK_GP_REGISTER_UNSET},
};

static bool has_warning_at(const struct check_said *said, enum check_rule rule,
                           const struct source_line *line)
{
    for (size_t i = 0; i < said->count; i++)
        if (said->items[i].rule == rule && said->items[i].line == line->number &&
            strcmp(said->items[i].file, line->file->path) == 0)
            return true;
    return false;
}

static bool follows_from_warning(const struct source_check *check, enum check_rule rule,
                                 const struct source_line *line)
{
    for (size_t i = 0;
         check->subject.job->said && line && i < sizeof consequences / sizeof *consequences; i++)
        if (consequences[i].found == rule &&
            has_warning_at(check->subject.job->said, consequences[i].said, line))
            return true;
    return false;
}

static void report_unless_allowed(struct check_subject *subject, enum check_rule rule,
                                  const char *text, struct tess_check_details *out)
{
    struct source_check *check = (struct source_check *)subject;
    const struct asm_origin *origin = origin_at(check, out->place.address);
    check->subject.job->origin = origin;
    /* The level is tested first: if the rule is off, the comment that allows it must not be marked
     * as used. */
    const struct source_line *line = origin ? origin->line : NULL;
    if (check->subject.job->levels[rule] != TESS_OFF && !follows_from_warning(check, rule, line) &&
        !is_allowed(check, rule, origin, line))
        check_job_report(check->subject.job, rule, text, NULL, out);
}

static bool block_at(const struct check_subject *subject, size_t number, struct check_block *block)
{
    const struct asm_program *program = ((const struct source_check *)subject)->program;
    if (number >= program->regions.count)
        return false;
    const struct asm_region *region = &program->regions.items[number];
    *block = (struct check_block){region->address, region->bytes.data, region->bytes.size};
    return true;
}

static bool is_memory(const struct source_check *check, uint32_t address)
{
    for (size_t i = 0; i < check->program->regions.count; i++) {
        const struct asm_region *region = &check->program->regions.items[i];
        if (((address - region->address) & CL_ADDRESS_MASK) < region_size(region))
            return true;
    }
    return false;
}

/* Returns the nearest label at or before an address, and sets *offset to the distance from the
 * label. Ignores labels outside of the program's memory. If several labels have the same address,
 * returns the first one in the source. */
static const char *scene_name(void *user, uint32_t address, uint32_t *offset)
{
    const struct source_check *check = user;
    const struct asm_symbols *labels = &check->program->labels;
    const char *name = NULL;
    *offset = UINT32_MAX;
    for (size_t i = 0; i < labels->count; i++) {
        const struct asm_symbol *label = &labels->items[i];
        uint32_t distance = (address - (uint32_t)label->value.integer) & CL_ADDRESS_MASK;
        if (!label->pass || label->value.kind != ASM_INTEGER || distance >= *offset ||
            !is_memory(check, (uint32_t)label->value.integer))
            continue;
        *offset = distance;
        name = label->name;
    }
    return name;
}

static void scene_found(void *user, enum check_rule rule, uint32_t address, const char *text)
{
    struct tess_check_details out = {.place = line_of(user, address)};
    report_unless_allowed(user, rule, text, &out);
}

/* Reports a finding about a comment. */
static void report_remark(struct source_check *check, enum check_rule rule,
                          const struct source_file *file, uint32_t line, uint32_t column,
                          const char *text)
{
    struct tess_check_details out = {.place = {.file = file->path, .line = line, .column = column}};
    if (line > 0 && line <= file->line_count)
        out.place.source_line = file->lines[line - 1].raw;
    check->subject.job->origin = NULL;
    check_job_report(check->subject.job, rule, text, NULL, &out);
}

/* --- warnings of the assembler --- */

static const struct source_line *line_at(const struct source_check *check, const char *path,
                                         uint32_t number)
{
    for (const struct source_file *file = check->program->files; file; file = file->next)
        if (strcmp(file->path, path) == 0 && number > 0 && number <= file->line_count)
            return &file->lines[number - 1];
    return NULL;
}

/* Returns an origin on the line, or NULL if the line has no output. *from is the index of the
 * origin that the last search found. The search starts there, because warnings are in the order of
 * the statements. */
static const struct asm_origin *origin_of(const struct source_check *check,
                                          const struct source_line *line, size_t *from)
{
    size_t count = check->program->origin_count;
    for (size_t i = 0; line && i < count; i++) {
        size_t at = (*from + i) % count;
        if (check->program->origins[at].line != line)
            continue;
        *from = at;
        return &check->program->origins[at];
    }
    return NULL;
}

static void report_warnings(struct source_check *check)
{
    const struct check_said *said = check->subject.job->said;
    size_t from = 0;
    for (size_t i = 0; said && i < said->count; i++) {
        const struct check_said_warning *warning = &said->items[i];
        const struct source_line *line = line_at(check, warning->file, warning->line);
        const struct asm_origin *origin = origin_of(check, line, &from);
        struct tess_check_details out = {0};
        out.place = origin ? line_of(&check->subject, origin->address)
                           : (struct tess_check_place){0};
        out.place.file = warning->file;
        out.place.line = warning->line;
        out.place.column = warning->column;
        out.place.source_line = line ? line->raw : NULL;
        bool off = check->subject.job->levels[warning->rule] == TESS_OFF;
        if (!off && !is_allowed(check, warning->rule, origin, line)) {
            check->subject.job->origin = origin;
            check_job_report(check->subject.job, warning->rule, warning->text, warning->hint, &out);
        }
    }
}

static void report_remarks(struct source_check *check)
{
    struct remarks *remarks = &check->remarks;
    for (size_t i = 0; i < remarks->wrong_count; i++)
        report_remark(check, CHECK_UNKNOWN_RULE, remarks->wrongs[i].file, remarks->wrongs[i].line,
                      remarks->wrongs[i].column, remarks->wrongs[i].text);
    for (size_t i = 0; i < remarks->allow_count; i++) {
        const struct remark_allow *allow = &remarks->allows[i];
        if (allow->finding) /* the comment allows a finding of a model, which only a run can
                             * report */
            continue;
        char text[120];
        snprintf(text, sizeof text, "the comment allows '%s', but no such rule is broken here",
                 allow->every ? "all" : check_rule(allow->rule)->id);
        bool looked_for = allow->every || check->subject.job->levels[allow->rule] != TESS_OFF;
        if (!allow->used && looked_for)
            report_remark(check, CHECK_UNUSED_ALLOW, allow->file, allow->line, 0, text);
    }
}

/* --- entries --- */

/* Adds a sure entry, or returns the existing entry at the address. The caller adds all sure entries
 * before the entries that are not sure. The checker skips an entry whose code an earlier entry has
 * already reached. */
static struct check_entry *add_entry(struct source_check *check, uint32_t address)
{
    struct check_entry *entry = check_subject_find(&check->subject, address);
    return entry ? entry : check_subject_add(&check->subject, address, true);
}

/* Returns the bytes at an address, or NULL if fewer bytes than one instruction word are there. */
static const uint8_t *word_at(const struct source_check *check, uint32_t address)
{
    const struct check_machine *machine = check->subject.job->machine;
    for (size_t i = 0; i < check->program->regions.count; i++) {
        const struct asm_region *region = &check->program->regions.items[i];
        size_t offset = address - region->address;
        if (offset < region->bytes.size && region->bytes.size - offset >= machine->word_bytes)
            return region->bytes.data + offset;
    }
    return NULL;
}

/* Returns true if a statement's data may be an instruction written as a number. If the machine has
 * no test for instructions, returns true for every aligned word. */
static bool may_be_code(const struct source_check *check, const struct asm_origin *origin)
{
    const struct check_machine *machine = check->subject.job->machine;
    const uint8_t *word = word_at(check, origin->address);
    if (origin->address % machine->alignment != 0 || !word)
        return false;
    return !machine->is_plausible || machine->is_plausible(word);
}

/* Returns the first instruction on or after a comment's line, or NULL. If surely is set,
 * instructions written as numbers are ignored. */
static const struct asm_origin *first_behind(const struct source_check *check,
                                             const struct remark_about *about, bool surely)
{
    const struct asm_origin *first = NULL;
    for (size_t i = 0; i < check->origin_count; i++) {
        const struct asm_origin *origin = check->origins[i];
        bool behind = origin->line && origin->line->file == about->file &&
                      origin->line->number >= about->line;
        if (!behind || (first && origin->line->number >= first->line->number))
            continue;
        if (origin->code || (!surely && may_be_code(check, origin)))
            first = origin;
    }
    return first;
}

/* Returns the first instruction that a comment refers to. If the machine cannot recognise
 * instructions written as numbers, real instructions take precedence. */
static const struct asm_origin *first_of(const struct source_check *check,
                                         const struct remark_about *about)
{
    const struct asm_origin *first = NULL;
    if (!check->subject.job->machine->is_plausible)
        first = first_behind(check, about, true);
    return first ? first : first_behind(check, about, false);
}

/* Returns the address at which the check of a region starts. On machines where all code of a region
 * is one program, this is the address of the first instruction, or of a sure entry before the first
 * instruction. On other machines, it is the first aligned address. */
static uint32_t base_of(const struct source_check *check, const struct asm_region *region)
{
    uint32_t mask = check->subject.job->machine->alignment - 1,
             base = (region->address + mask) & ~mask, first = base;
    bool found = check->subject.job->machine->scenes;
    for (size_t i = 0; i < check->origin_count && !found; i++) {
        const struct asm_origin *origin = check->origins[i];
        found = origin->code && origin->address - region->address < region->bytes.size;
        first = found ? origin->address : base;
    }
    for (size_t i = 0; i < check->subject.entry_count && !check->subject.job->machine->scenes; i++)
        if (check->subject.entries[i].sure &&
            check->subject.entries[i].address - base < first - base)
            first = check->subject.entries[i].address;
    return first;
}

/* Returns the start of the program that an instruction belongs to. On machines where all code of a
 * region is one program, this is the start of the region's code. On other machines, it is the
 * instruction. */
static uint32_t start_of(const struct source_check *check, const struct asm_origin *first)
{
    const struct asm_program *program = check->program;
    for (size_t i = 0; i < program->regions.count && !check->subject.job->machine->scenes; i++) {
        const struct asm_region *region = &program->regions.items[i];
        if (first->address - region->address < region->bytes.size)
            return base_of(check, region);
    }
    return first->address;
}

/* Returns the first statement after a comment that has output, or NULL. */
static const struct asm_origin *next_origin(const struct source_check *check,
                                            const struct remark_about *about)
{
    const struct asm_origin *next = NULL;
    for (size_t i = 0; i < check->origin_count; i++) {
        const struct asm_origin *origin = check->origins[i];
        bool behind = origin->line && origin->line->file == about->file &&
                      origin->line->number >= about->line;
        if (behind && (!next || origin->line->number < next->line->number))
            next = origin;
    }
    return next;
}

/* Returns the start of a program that is written as numbers. good is the address of the first
 * number after the comment that looks like an instruction. Numbers before that address may be
 * faulty instructions. The program therefore begins at the last label at or before good, or
 * directly after the comment if no such label follows the comment. */
static uint32_t start_of_numbers(const struct source_check *check, const struct remark_about *about,
                                 uint32_t good)
{
    const struct asm_origin *next = next_origin(check, about);
    size_t label = first_label(check, good + 1);
    uint32_t start = next ? next->address : good;
    if (label > 0 && check->labels[label - 1] >= start)
        start = check->labels[label - 1];
    bool sound = start <= good && start % check->subject.job->machine->alignment == 0 &&
                 word_at(check, start) &&
                 word_at(check, good) - word_at(check, start) == (ptrdiff_t)(good - start);
    return sound ? start : good;
}

static void add_remarked_entries(struct source_check *check)
{
    for (size_t i = 0; i < check->remarks.about_count; i++) {
        const struct remark_about *about = &check->remarks.abouts[i];
        const struct asm_origin *first = first_of(check, about);
        if (!first)
            continue;
        uint32_t address = first->code || !check->subject.job->machine->scenes
                               ? start_of(check, first)
                               : start_of_numbers(check, about, first->address);
        struct check_entry *entry = add_entry(check, address);
        if (!entry)
            continue;
        if (about->fact == REMARK_KIND)
            entry->kind = (enum tess_shader_kind)about->value;
        else if (about->fact == REMARK_VARYINGS)
            entry->varyings = about->value;
        else if (about->fact == REMARK_REGISTERS)
            entry->registers = about->value;
        else
            entry->rows = about->value;
    }
}

static bool scene_symbol(void *user, const char *name, uint32_t *address)
{
    const struct source_check *check = user;
    const struct asm_symbol *symbol = symbols_find(&check->program->labels, name, strlen(name));
    if (!symbol)
        symbol = symbols_find(&check->program->constants, name, strlen(name));
    if (!symbol || symbol->value.kind != ASM_INTEGER)
        return false;
    *address = (uint32_t)symbol->value.integer;
    return true;
}

/* Adds the programs of the scene, and of shader records outside of its lists. */
static void add_scene_entries(struct source_check *check)
{
    const struct check_scene scene = check_subject_scene(&check->subject);
    check_scene_read(&scene);
    for (size_t i = 0; i < check->origin_count; i++) {
        const struct asm_origin *origin = check->origins[i];
        if (!origin->code && origin->line && origin->column <= strlen(origin->line->raw))
            check_scene_record(&scene, origin->line->raw + origin->column - 1, origin->address);
    }
}

static bool find_number(const struct source_check *check, const char *name, uint32_t *address)
{
    char *end;
    const struct asm_symbol *label = symbols_find(&check->program->labels, name, strlen(name));
    if (label && label->value.kind == ASM_INTEGER) {
        *address = (uint32_t)label->value.integer;
        return true;
    }
    *address = (uint32_t)strtoul(name, &end, 0);
    return *name && *end == 0;
}

/* Adds the entries from comments, from the scene and from the user. If the user names no entry,
 * also adds the start of each region and, on machines with scenes, every global label. */
static enum tess_status add_entries(struct source_check *check)
{
    const struct tess_check_options *options = check->subject.job->options;
    bool scenes = check->subject.job->machine->scenes;
    add_remarked_entries(check);
    if (scenes)
        add_scene_entries(check);
    for (size_t i = 0; i < options->entry_count; i++) {
        uint32_t address;
        if (!find_number(check, options->entries[i], &address)) {
            struct tess_finding diag = {.level = TESS_ERROR, .id = "check-entry"};
            diag_report(check->subject.sink, &diag,
                        "the entry '%s' is neither a label nor an address", options->entries[i]);
            return TESS_BAD_INPUT;
        }
        add_entry(check, address);
    }
    for (size_t i = 0; i < check->program->regions.count && options->entry_count == 0; i++)
        check_subject_add(&check->subject, check->program->regions.items[i].address, false);
    for (size_t i = 0; i < check->program->labels.count && options->entry_count == 0 && scenes;
         i++) {
        const struct asm_symbol *label = &check->program->labels.items[i];
        if (label->global && label->pass && label->value.kind == ASM_INTEGER)
            check_subject_add(&check->subject, (uint32_t)label->value.integer, false);
    }
    return check->subject.no_memory ? TESS_NO_MEMORY : TESS_OK;
}

/* --- regions --- */

/* Returns true if every byte of the word was written by a statement that is an instruction, or by
 * numbers that are declared as code. */
static bool is_code(const struct source_check *check, uint32_t address)
{
    uint32_t done = 0, bytes = check->subject.job->machine->word_bytes;
    while (done < bytes) {
        const struct asm_origin *origin = origin_at(check, address + done);
        uint32_t before = origin ? address + done - origin->address : 0;
        if (!origin || !origin->code || before % bytes != 0 || (before > 0 && done > 0))
            return false;
        done += origin->size - before;
        if (origin->size > bytes && done > bytes)
            return true;
    }
    return done == bytes;
}

/* --- programs that are written as numbers --- */

/* Returns true if the numbers at an address are the first instructions of the program that
 * continues in the code after the numbers. Returns false if that code begins at a label, because
 * the label begins another program. */
static bool joins_code(const struct source_check *check, const struct check_written *written,
                       uint32_t address)
{
    uint32_t code;
    if (!check_written_joins(written, address, &code))
        return false;
    size_t label = first_label(check, code);
    return label == check->label_count || check->labels[label] != code;
}

/* Begins a program at an address if check_written_begins() accepts the numbers at the address, or
 * if the numbers are the first instructions of the code after them. */
static bool begin_if_written(struct source_check *check, const struct check_written *written,
                             uint32_t address, size_t enough)
{
    if (!check_written_begins(written, address, enough) && !joins_code(check, written, address))
        return true;
    add_entry(check, address);
    return !check->subject.no_memory && check_written_follow(written, address);
}

static bool has_code(const struct asm_program *program)
{
    for (size_t i = 0; i < program->origin_count; i++)
        if (program->origins[i].code)
            return true;
    return false;
}

/* Begins programs at the start of the region and at its labels. Tries the lowest address first,
 * because a later label may be inside a program that an earlier label begins. */
static bool begin_guessed(struct source_check *check, const struct check_written *written)
{
    bool told = check->subject.job->options->kind != TESS_SHADER_UNKNOWN ||
                !has_code(check->program);
    uint64_t end = written->base +
                   (uint64_t)written->count * check->subject.job->machine->word_bytes;
    bool good = begin_if_written(check, written, written->base, SIZE_MAX);
    if (good && told && check_written_mostly(written, written->base)) {
        add_entry(check, written->base);
        good = !check->subject.no_memory && check_written_follow(written, written->base);
    }
    for (size_t i = first_label(check, written->base);
         i < check->label_count && check->labels[i] < end && good; i++)
        good = begin_if_written(check, written, check->labels[i], SIZE_MAX);
    return good;
}

/* Begins programs at the entries that the user, the scene, shader records and comments give. If the
 * user gives no entry, also begins programs where the data look like a program. */
static bool find_written(struct check_subject *subject, const struct check_written *written)
{
    struct source_check *check = (struct source_check *)subject;
    bool good = true;
    for (size_t i = 0; i < check->subject.entry_count && good; i++)
        if (check->subject.entries[i].sure ||
            !check_written_is_data(written, check->subject.entries[i].address))
            good = check_written_follow(written, check->subject.entries[i].address);
    if (good && !check->subject.job->machine->scenes && !has_code(check->program))
        good = check_written_follow(written, written->base);
    if (good && check->subject.job->options->entry_count == 0)
        good = begin_guessed(check, written);
    return good;
}

static void mark_code(const struct check_subject *subject, const struct check_written *written)
{
    uint32_t bytes = subject->job->machine->word_bytes;
    for (size_t i = 0; i < written->count; i++) {
        bool code = is_code((const struct source_check *)subject,
                            written->base + (uint32_t)i * bytes);
        written->content[i] = code ? CHECK_CODE : CHECK_DATA;
    }
    check_find_written_as_data(subject->job->machine, written->words, written->content,
                               written->count);
}

static enum tess_status check_regions(struct source_check *check)
{
    struct check_block block;
    for (size_t i = 0; block_at(&check->subject, i, &block); i++)
        if (!check_subject_run(&check->subject, &block,
                               base_of(check, &check->program->regions.items[i])))
            return TESS_NO_MEMORY;
    return TESS_OK;
}

enum tess_status check_assembled(struct check_job *job, const struct asm_program *program,
                                 struct tess_sink sink)
{
    static const struct check_subject_kind kind = {.source = true,
                                                   .block = block_at,
                                                   .line_of = line_of,
                                                   .symbol = scene_symbol,
                                                   .name = scene_name,
                                                   .found = scene_found,
                                                   .report = report_unless_allowed,
                                                   .set_instruction = check_set_instruction,
                                                   .mark = mark_code,
                                                   .find_written = find_written};
    struct source_check check = {.subject = {.kind = &kind,
                                             .job = job,
                                             .name = program->files ? program->files->path : "",
                                             .sink = sink,
                                             .notes = (const char *)program->scene.data,
                                             .notes_size = program->scene.size},
                                 .program = program,
                                 .remarks = {.machine = job->options->machine}};
    enum tess_status status = sort_origins(&check) && sort_labels(&check) ? TESS_OK
                                                                          : TESS_NO_MEMORY;
    remarks_read(&check.remarks, program->files);
    if (status == TESS_OK)
        report_warnings(&check);
    if (status == TESS_OK)
        status = add_entries(&check);
    if (status == TESS_OK)
        status = check_regions(&check);
    if (status == TESS_OK)
        report_remarks(&check);
    free(check.origins);
    free(check.labels);
    check_subject_free(&check.subject);
    remarks_free(&check.remarks);
    return status;
}

enum tess_status check_for_assembler(const struct asm_program *program, enum tess_machine machine,
                                     enum tess_a2xx_variant variant, const struct check_said *said,
                                     struct tess_sink sink)
{
    const struct tess_check_options options = {.machine = machine, .variant = variant};
    struct check_job job;
    struct check_to_assembler to = {program, &job, sink};
    size_t bad;
    if (!check_machine(machine) ||
        !check_job_begin(&job, &options, (struct tess_sink){check_report_warning, &to}, &bad))
        return TESS_OK;
    job.partial = true; /* code placed before this program may write the registers that
                         * the program reads */
    job.levels[CHECK_UNDEFINED] = job.levels[CHECK_UNDEFINED_FLAGS] = TESS_OFF;
    job.said = said;
    return check_assembled(&job, program, sink);
}
