/* SPDX-License-Identifier: MIT */
/* check_image.c - runs the checker on machine code that was read from a file.
 *
 * In:  segments, symbols, and the file's information about data and lines.
 * Out: findings with addresses, and with lines if the file has them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/diag.h"
#include "check/frame/check_subject.h"

struct image_check {
    struct check_subject subject;
    const struct code_image *image;
};

static const struct code_image *image_of(const void *user)
{
    return ((const struct image_check *)user)->image;
}

static bool block_at(const struct check_subject *subject, size_t number, struct check_block *block)
{
    const struct code_image *image = image_of(subject);
    if (number >= image->segment_count)
        return false;
    const struct code_segment *segment = &image->segments[number];
    *block = (struct check_block){segment->address, segment->bytes, segment->size};
    return true;
}

static struct tess_check_place line_of(const struct check_subject *subject, uint32_t address)
{
    struct tess_check_place place = {.file = subject->name, .address = address};
    const struct code_line *line = code_line_at(image_of(subject), address);
    if (line) {
        place.file = line->file;
        place.line = line->line;
        place.column = line->column;
    }
    return place;
}

/* Returns the nearest symbol at or before an address, and sets *offset to the distance from the
 * symbol. */
static const char *scene_name(void *user, uint32_t address, uint32_t *offset)
{
    const struct code_image *image = image_of(user);
    const char *name = NULL;
    *offset = UINT32_MAX;
    for (size_t i = 0; i < image->symbol_count; i++) {
        uint32_t distance = (address - image->symbols[i].address) & UINT32_C(0x3fffffff);
        if (!image->symbols[i].name || distance >= *offset)
            continue;
        *offset = distance;
        name = image->symbols[i].name;
    }
    return name;
}

static void report(struct check_subject *subject, enum check_rule rule, const char *text,
                   struct tess_check_details *details)
{
    check_job_report(subject->job, rule, text, NULL, details);
}

static bool find_symbol(const struct code_symbol *symbols, size_t count, const char *name,
                        uint32_t *address)
{
    for (size_t i = 0; i < count; i++) {
        if (!symbols[i].name || strcmp(symbols[i].name, name) != 0)
            continue;
        *address = symbols[i].address;
        return true;
    }
    return false;
}

static bool find_address(const struct code_image *image, const char *name, uint32_t *address)
{
    char *end;
    if (find_symbol(image->symbols, image->symbol_count, name, address))
        return true;
    *address = (uint32_t)strtoul(name, &end, 0);
    return *name && *end == 0;
}

/* Returns the address of the first word of a segment. */
static uint32_t base_of(const struct image_check *check, const struct code_segment *segment)
{
    uint32_t mask = check->subject.job->machine->alignment - 1;
    for (size_t i = 0; i < check->image->range_count && !check->subject.job->machine->scenes; i++) {
        const struct code_range *range = &check->image->ranges[i];
        if (range->content == CODE_INSTRUCTIONS &&
            range->address - segment->address < segment->size)
            return range->address;
    }
    return (segment->address + mask) & ~mask;
}

/* --- scenes and other notes --- */

/* Finds the section ".tessera" of an ELF file. code_read() has already checked that the ELF tables
 * are inside the file. Source: ELF specification 1.2. */
static void find_notes(struct image_check *check, const uint8_t *file, size_t size)
{
    enum { HEADER_BYTES = 52, SECTION_BYTES = 40, TABLE = 32, COUNT = 48, NAMES = 50 };
    static const char wanted[] = ".tessera";
    if (check->image->format != CODE_ELF || size < HEADER_BYTES)
        return;
    uint64_t table = load_le32(file + TABLE), count = load_le16(file + COUNT),
             names = load_le16(file + NAMES);
    if (table == 0 || table + count * SECTION_BYTES > size || names >= count)
        return;
    uint64_t strings = load_le32(file + table + names * SECTION_BYTES + 16);
    for (uint64_t i = 0; i < count; i++) {
        const uint8_t *section = file + table + i * SECTION_BYTES;
        uint64_t name = strings + load_le32(section), offset = load_le32(section + 16),
                 length = load_le32(section + 20);
        if (name + sizeof wanted > size || memcmp(file + name, wanted, sizeof wanted) != 0 ||
            offset + length > size)
            continue;
        check->subject.notes = (const char *)file + offset;
        check->subject.notes_size = length;
    }
}

static bool scene_symbol(void *user, const char *name, uint32_t *address)
{
    const struct code_image *image = image_of(user);
    return find_symbol(image->symbols, image->symbol_count, name, address) ||
           find_symbol(image->constants, image->constant_count, name, address);
}

static void scene_found(void *user, enum check_rule rule, uint32_t address, const char *text)
{
    struct check_subject *subject = user;
    char whole[CHECK_TEXT + 80];
    snprintf(whole, sizeof whole, "control record at 0x%08x: %s", address, text);
    struct tess_check_details out = {.place = line_of(subject, address)};
    check_job_report(subject->job, rule, whole, NULL, &out);
}

static enum tess_status add_entries(struct check_subject *subject)
{
    const struct tess_check_options *options = subject->job->options;
    const struct code_image *image = image_of(subject);
    const struct check_scene scene = check_subject_scene(subject);
    bool guess = options->entry_count == 0, scenes = subject->job->machine->scenes;
    for (size_t i = 0; i < options->entry_count; i++) {
        uint32_t address;
        if (!find_address(image, options->entries[i], &address)) {
            struct tess_finding diag = {
                .level = TESS_ERROR, .id = "check-entry", .file = subject->name};
            diag_report(subject->sink, &diag, "the entry '%s' is neither a symbol nor an address",
                        options->entries[i]);
            return TESS_BAD_INPUT;
        }
        check_subject_add(subject, address, true);
    }
    if (scenes)
        check_scene_read(&scene);
    for (size_t i = 0; i < image->segment_count && guess; i++)
        check_subject_add(subject,
                          base_of((const struct image_check *)subject, &image->segments[i]), false);
    for (size_t i = 0; i < image->symbol_count && guess && scenes; i++)
        if (image->symbols[i].global)
            check_subject_add(subject, image->symbols[i].address, false);
    return subject->no_memory ? TESS_NO_MEMORY : TESS_OK;
}

enum { CERTAIN_WORDS = 4 };

/* Guesses which words are code where the file does not describe its words. Marks a word as
 * CHECK_UNSURE unless the word begins a sequence of at least CERTAIN_WORDS plausible instructions.
 * An unsure word counts as code only if a program reaches it. */
static void guess_data(const struct check_subject *subject, const struct check_written *written)
{
    const struct check_machine *machine = subject->job->machine;
    size_t plausible = CERTAIN_WORDS; /* number of consecutive plausible words that begin at word i;
                                       * the words after the last word count as plausible */
    for (size_t i = written->count; i-- > 0 && machine->is_plausible;) {
        bool good = machine->is_plausible(written->words + i * machine->word_bytes);
        plausible = good ? plausible + 1 : 0;
        if (written->content[i] == CHECK_CODE && plausible < CERTAIN_WORDS)
            written->content[i] = CHECK_UNSURE;
    }
}

/* Marks each word as code or as data. If the file describes any range as instructions, words that
 * the file does not describe are data; otherwise they are code. */
static void mark_data(const struct check_subject *subject, const struct check_written *written)
{
    const struct code_image *image = image_of(subject);
    uint32_t bytes = subject->job->machine->word_bytes, base = written->base;
    bool known = false;
    for (size_t i = 0; i < image->range_count; i++)
        known |= image->ranges[i].content == CODE_INSTRUCTIONS;
    memset(written->content, known ? CHECK_DATA : CHECK_CODE, written->count);
    for (size_t i = 0; i < image->range_count; i++) {
        const struct code_range *range = &image->ranges[i];
        uint64_t first = range->address > base ? (range->address - base) / bytes : 0;
        uint64_t end = (uint64_t)range->address + range->size > base
                           ? ((uint64_t)range->address + range->size - base + bytes - 1) / bytes
                           : 0;
        for (uint64_t word = first;
             word < end && word < written->count && range->content != CODE_UNKNOWN; word++)
            written->content[word] = range->content == CODE_DATA ? CHECK_DATA : CHECK_CODE;
    }
    check_find_written_as_data(subject->job->machine, written->words, written->content,
                               written->count);
}

/* Returns true if the data at symbol number index are the first instructions of the program that
 * continues in the code after the data. Returns false if that code begins at a symbol, because the
 * symbol begins another program. */
static bool joins_code(const struct code_image *image, const struct check_written *written,
                       size_t index)
{
    uint32_t code;
    if (!check_written_joins(written, image->symbols[index].address, &code))
        return false;
    while (index < image->symbol_count && image->symbols[index].address < code)
        index++;
    return index == image->symbol_count || image->symbols[index].address != code;
}

/* Marks data words as code where a program begins. A program begins at an entry that the user or
 * the scene gives, and at a symbol whose data look like a program. The symbols are sorted by
 * address, so that the start of a program is found before the symbols inside the program. */
static bool find_written(struct check_subject *subject, const struct check_written *written)
{
    const struct code_image *image = image_of(subject);
    bool good = true, guess = subject->job->options->entry_count == 0;
    for (size_t i = 0; i < subject->entry_count && good; i++)
        if (subject->entries[i].sure ||
            !check_written_is_data(written, subject->entries[i].address))
            good = check_written_follow(written, subject->entries[i].address);
    for (size_t i = 0; i < image->symbol_count && good && guess; i++) {
        uint32_t address = image->symbols[i].address;
        if (!check_written_begins(written, address, SIZE_MAX) && !joins_code(image, written, i))
            continue;
        check_subject_add(subject, address, true);
        good = !subject->no_memory && check_written_follow(written, address);
    }
    return good;
}

enum tess_status check_image(struct check_job *job, const struct code_image *image,
                             const uint8_t *file, size_t size, const char *name,
                             struct tess_sink sink)
{
    static const struct check_subject_kind kind = {.block = block_at,
                                                   .line_of = line_of,
                                                   .symbol = scene_symbol,
                                                   .name = scene_name,
                                                   .found = scene_found,
                                                   .report = report,
                                                   .set_instruction = check_set_instruction,
                                                   .mark = mark_data,
                                                   .find_written = find_written,
                                                   .guess = guess_data};
    struct image_check check = {.subject = {.kind = &kind, .job = job, .name = name, .sink = sink},
                                .image = image};
    struct check_block block;
    find_notes(&check, file, size);
    enum tess_status status = add_entries(&check.subject);
    for (size_t i = 0; status == TESS_OK && block_at(&check.subject, i, &block); i++)
        if (!check_subject_run(&check.subject, &block, base_of(&check, &image->segments[i])))
            status = TESS_NO_MEMORY;
    check_subject_free(&check.subject);
    return status;
}
