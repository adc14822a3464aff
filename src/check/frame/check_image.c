/* SPDX-License-Identifier: MIT */
/* check_image.c - runs the checker on machine code that was read from a file.
 *
 * In:  segments, symbols, and the file's information about data and lines.
 * Out: findings with addresses, and with lines if the file has them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/address_text.h"
#include "base/bits.h"
#include "base/diag.h"
#include "check/frame/check.h"
#include "check/frame/check_scene.h"
#include "check/frame/check_written.h"

struct image_check {
    struct check_job *job;
    const struct code_image *image;
    const char *name;
    struct tess_sink sink;
    const char *notes; /* text of ".tessera", or NULL */
    size_t notes_size;
    const struct code_segment *segment; /* the segment being checked */
    struct check_entry *entries;
    size_t entry_count, entry_capacity;
    struct check_stored *stored;
    size_t stored_count;
    bool no_memory;
};

/* Returns the file, line and column of an address. The instruction in the result is not set. */
static struct tess_check_place line_of(const struct image_check *check, uint32_t address)
{
    struct tess_check_place place = {.file = check->name, .address = address};
    const struct code_line *line = code_line_at(check->image, address);
    if (line) {
        place.file = line->file;
        place.line = line->line;
        place.column = line->column;
    }
    return place;
}

static struct tess_check_place place_of(const struct image_check *check, uint32_t address,
                                        uint32_t bytes)
{
    struct tess_check_place place = line_of(check, address);
    size_t offset = address - check->segment->address;
    if (offset < check->segment->size)
        check_set_instruction(check->job, &place, bytes, check->segment->bytes + offset,
                              check->segment->size - offset);
    return place;
}

enum { SEE_TEXT = 80 };

static const uint8_t *scene_memory(void *user, uint32_t address, size_t *left)
{
    const struct image_check *check = user;
    for (size_t i = 0; i < check->image->segment_count; i++) {
        const struct code_segment *segment = &check->image->segments[i];
        uint32_t offset = (address - segment->address) &
                          UINT32_C(0x3fffffff); /* without the bits that select caching */
        if (offset < segment->size) {
            *left = segment->size - offset;
            return segment->bytes + offset;
        }
    }
    return NULL;
}

/* Returns the nearest symbol at or before an address, and sets *offset to the distance from the
 * symbol. */
static const char *scene_name(void *user, uint32_t address, uint32_t *offset)
{
    const struct code_image *image = ((const struct image_check *)user)->image;
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

/* Adds symbol names after the addresses in a text, if the rule is about textures in memory that a
 * frame or a store also uses. */
static void put_names(struct image_check *check, enum check_rule rule, char *text, size_t size)
{
    const struct address_namer namer = {scene_name, check};
    char plain[CHECK_TEXT + SEE_TEXT];
    if (rule != CHECK_TEXTURE_FRAME && rule != CHECK_TEXTURE_STORED)
        return;
    snprintf(plain, sizeof plain, "%s", text);
    address_text(text, size, plain, &namer);
}

static void take_finding(void *user, const struct check_finding *finding)
{
    struct image_check *check = user;
    char text[CHECK_TEXT + SEE_TEXT], see[SEE_TEXT] = "";
    struct tess_check_finding out = {.text = text,
                                     .place = place_of(check, finding->address, finding->bytes),
                                     .has_other = finding->has_other,
                                     .distance = finding->distance,
                                     .program = finding->entry,
                                     .kind = finding->kind};
    if (finding->has_other) {
        out.other = place_of(check, finding->other, finding->other_bytes);
        snprintf(see, sizeof see, " (see instruction at 0x%08x)", finding->other);
    }
    diag_append(text, sizeof text, finding->text, see);
    put_names(check, finding->rule, text, sizeof text);
    out.place.slot = finding->slot;
    out.other.slot = finding->other_slot;
    check_job_report(check->job, &out, finding->rule);
}

static bool find_address(const struct code_image *image, const char *name, uint32_t *address)
{
    char *end;
    for (size_t i = 0; i < image->symbol_count; i++) {
        if (image->symbols[i].name && strcmp(image->symbols[i].name, name) == 0) {
            *address = image->symbols[i].address;
            return true;
        }
    }
    *address = (uint32_t)strtoul(name, &end, 0);
    return *name && *end == 0;
}

/* Returns the address of the first word of a segment. */
static uint32_t base_of(const struct image_check *check, const struct code_segment *segment)
{
    uint32_t mask = check->job->machine->alignment - 1;
    for (size_t i = 0; i < check->image->range_count && !check->job->machine->scenes; i++) {
        const struct code_range *range = &check->image->ranges[i];
        if (range->content == CODE_INSTRUCTIONS &&
            range->address - segment->address < segment->size)
            return range->address;
    }
    return (segment->address + mask) & ~mask;
}

static void add_entry(struct image_check *check, const struct check_entry *entry)
{
    if (check->entry_count == check->entry_capacity) {
        size_t wanted = check->entry_capacity ? check->entry_capacity * 2 : 16;
        struct check_entry *larger = realloc(check->entries, wanted * sizeof *larger);
        check->no_memory |= !larger;
        if (!larger)
            return;
        check->entries = larger;
        check->entry_capacity = wanted;
    }
    check->entries[check->entry_count++] = *entry;
}

static void add_address(struct image_check *check, uint32_t address, bool sure)
{
    const struct tess_check_options *options = check->job->options;
    const struct check_entry entry = {.address = address,
                                      .kind = options->kind,
                                      .varyings = (int)options->varyings_plus_1 - 1,
                                      .rows = -1,
                                      .registers = (int)options->registers,
                                      .sure = sure};
    add_entry(check, &entry);
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
        check->notes = (const char *)file + offset;
        check->notes_size = length;
    }
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

static bool scene_symbol(void *user, const char *name, uint32_t *address)
{
    const struct code_image *image = ((const struct image_check *)user)->image;
    return find_symbol(image->symbols, image->symbol_count, name, address) ||
           find_symbol(image->constants, image->constant_count, name, address);
}

static void scene_program(void *user, const struct check_entry *program)
{
    struct image_check *check = user;
    struct check_entry entry = *program;
    for (size_t i = 0; i < check->image->segment_count; i++) {
        const struct code_segment *segment = &check->image->segments[i];
        uint32_t offset = (entry.address - segment->address) & UINT32_C(0x3fffffff);
        if (offset < segment->size)
            entry.address = segment->address + offset;
    }
    if (check->job->options->kind)
        entry.kind = check->job->options->kind;
    for (size_t i = 0; i < check->entry_count; i++) {
        if (check->entries[i].address == entry.address) {
            check_scene_merge(&check->entries[i], &entry);
            return;
        }
    }
    add_entry(check, &entry);
}

static void scene_stored(void *user, const struct check_stored *stored)
{
    struct image_check *check = user;
    check->no_memory |= !check_stored_add(&check->stored, &check->stored_count, stored);
}

static void scene_found(void *user, enum check_rule rule, uint32_t address, const char *text)
{
    struct image_check *check = user;
    char whole[CHECK_TEXT + 80];
    snprintf(whole, sizeof whole, "control record at 0x%08x: %s", address, text);
    struct tess_check_finding out = {.text = whole, .place = line_of(check, address)};
    check_job_report(check->job, &out, rule);
}

static void add_scene_entries(struct image_check *check)
{
    const struct check_scene scene = {.text = check->notes,
                                      .size = check->notes_size,
                                      .memory = scene_memory,
                                      .symbol = scene_symbol,
                                      .program = scene_program,
                                      .stored = scene_stored,
                                      .name = scene_name,
                                      .found = scene_found,
                                      .user = check};
    check_scene_read(&scene);
}

static enum tess_status add_entries(struct image_check *check)
{
    const struct tess_check_options *options = check->job->options;
    const struct code_image *image = check->image;
    for (size_t i = 0; i < options->entry_count; i++) {
        uint32_t address;
        if (!find_address(image, options->entries[i], &address)) {
            struct tess_diag diag = {
                .severity = TESS_ERROR, .rule = "check-entry", .file = check->name};
            diag_report(check->sink, &diag, "the entry '%s' is neither a symbol nor an address",
                        options->entries[i]);
            return TESS_BAD_INPUT;
        }
        add_address(check, address, true);
    }
    bool scenes = check->job->machine->scenes;
    if (scenes)
        add_scene_entries(check);
    for (size_t i = 0; i < image->segment_count && options->entry_count == 0; i++)
        add_address(check, base_of(check, &image->segments[i]), false);
    for (size_t i = 0; i < image->symbol_count && options->entry_count == 0 && scenes; i++)
        if (image->symbols[i].global)
            add_address(check, image->symbols[i].address, false);
    return check->no_memory ? TESS_NO_MEMORY : TESS_OK;
}

enum { CERTAIN_WORDS = 4 };

/* Guesses which words are code where the file does not describe its words. Marks a word as
 * CHECK_UNSURE unless the word begins a sequence of at least CERTAIN_WORDS plausible instructions.
 * An unsure word counts as code only if a program reaches it. */
static void guess_data(const struct check_machine *machine, const uint8_t *words, uint8_t *content,
                       size_t count)
{
    size_t plausible = CERTAIN_WORDS; /* number of consecutive plausible words that begin at word i;
                                       * the words after the last word count as plausible */
    for (size_t i = count; i-- > 0 && machine->is_plausible;) {
        bool good = machine->is_plausible(words + i * machine->word_bytes);
        plausible = good ? plausible + 1 : 0;
        if (content[i] == CHECK_CODE && plausible < CERTAIN_WORDS)
            content[i] = CHECK_UNSURE;
    }
}

/* Marks each word as code or as data. If the file describes any range as instructions, words that
 * the file does not describe are data; otherwise they are code. */
static void mark_data(const struct image_check *check, uint32_t base, uint8_t *content,
                      size_t count)
{
    const struct code_image *image = check->image;
    uint32_t bytes = check->job->machine->word_bytes;
    bool known = false;
    for (size_t i = 0; i < image->range_count; i++)
        known |= image->ranges[i].content == CODE_INSTRUCTIONS;
    memset(content, known ? CHECK_DATA : CHECK_CODE, count);
    for (size_t i = 0; i < image->range_count; i++) {
        const struct code_range *range = &image->ranges[i];
        uint64_t first = range->address > base ? (range->address - base) / bytes : 0;
        uint64_t end = (uint64_t)range->address + range->size > base
                           ? ((uint64_t)range->address + range->size - base + bytes - 1) / bytes
                           : 0;
        for (uint64_t word = first; word < end && word < count && range->content != CODE_UNKNOWN;
             word++)
            content[word] = range->content == CODE_DATA ? CHECK_DATA : CHECK_CODE;
    }
}

/* Returns true if the data at symbol number index are the first instructions of the program that
 * continues in the code after the data. Returns false if that code begins at a symbol, because the
 * symbol begins another program. */
static bool joins_code(const struct image_check *check, const struct check_written *written,
                       size_t index)
{
    const struct code_image *image = check->image;
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
static bool find_written(struct image_check *check, const struct check_written *written)
{
    const struct code_image *image = check->image;
    bool good = true;
    for (size_t i = 0; i < check->entry_count && good; i++)
        if (check->entries[i].sure || !check_written_is_data(written, check->entries[i].address))
            good = check_written_follow(written, check->entries[i].address);
    for (size_t i = 0; i < image->symbol_count && good && check->job->options->entry_count == 0;
         i++) {
        uint32_t address = image->symbols[i].address;
        if (!check_written_begins(written, address, SIZE_MAX) && !joins_code(check, written, i))
            continue;
        add_address(check, address, true);
        good = !check->no_memory && check_written_follow(written, address);
    }
    return good;
}

static bool check_segment(struct image_check *check, const struct code_segment *segment)
{
    const struct check_machine *machine = check->job->machine;
    uint32_t base = base_of(check, segment), skip = base - segment->address;
    size_t left = segment->size > skip ? segment->size - skip : 0,
           count = left / machine->word_bytes;
    uint8_t *content = calloc(count + 1, 1), *seen = calloc(count + 1, 1);
    const struct check_written written = {
        check->job->options->machine, base, segment->bytes + skip, count, content, seen};
    bool good = content && seen;
    check->segment = segment;
    if (good && count > 0) {
        mark_data(check, base, content, count);
        check_find_written_as_data(machine, written.words, content, count);
        good = find_written(check, &written);
    }
    if (good && count > 0) {
        const struct check_input input = {.base = base,
                                          .words = segment->bytes + skip,
                                          .count = count,
                                          .content = content,
                                          .entries = check->entries,
                                          .entry_count = check->entry_count,
                                          .stored = check->stored,
                                          .stored_count = check->stored_count,
                                          .partial = check->job->partial,
                                          .variant = check->job->options->variant,
                                          .notes = machine->scenes ? NULL : check->notes,
                                          .notes_size = machine->scenes ? 0 : check->notes_size,
                                          .name = check->name,
                                          .sink = check->sink};
        guess_data(machine, input.words, content, count);
        good = machine->check(&input, (struct check_sink){take_finding, check});
    }
    free(content);
    free(seen);
    return good;
}

enum tess_status check_image(struct check_job *job, const struct code_image *image,
                             const uint8_t *file, size_t size, const char *name,
                             struct tess_sink sink)
{
    struct image_check check = {.job = job, .image = image, .name = name, .sink = sink};
    find_notes(&check, file, size);
    enum tess_status status = add_entries(&check);
    for (size_t i = 0; i < image->segment_count && status == TESS_OK; i++)
        status = check_segment(&check, &image->segments[i]) ? TESS_OK : TESS_NO_MEMORY;
    free(check.entries);
    free(check.stored);
    return status;
}
