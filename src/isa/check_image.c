/* SPDX-License-Identifier: MIT */
/* check_image.c - the checker on machine code that was read from a file.
 *
 * In:  segments, symbols, and what the file says about data and lines.
 * Out: findings with addresses, and lines if the file has them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/diag.h"
#include "isa/check.h"

struct image_check {
    struct check_job *job;
    const struct code_image *image;
    const char *name;
    const struct code_segment *segment; /* being checked */
    struct check_entry *entries;
    size_t entry_count;
};

static const struct code_line *line_at(const struct code_image *image, uint32_t address)
{
    size_t low = 0, high = image->line_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (image->lines[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? &image->lines[low - 1] : NULL;
}

static struct tess_check_place place_of(const struct image_check *check, uint32_t address)
{
    struct tess_check_place place = {.file = check->name, .address = address};
    const struct code_line *line = line_at(check->image, address);
    if (line && line->line) {
        place.file = line->file;
        place.line = line->line;
    }
    size_t offset = address - check->segment->address;
    if (offset + 8 <= check->segment->size)
        place.instruction = load_le64(check->segment->bytes + offset);
    return place;
}

static void take_finding(void *user, const struct check_finding *finding)
{
    struct image_check *check = user;
    char text[400];
    struct tess_check_finding out = {.text = text,
                                     .place = place_of(check, finding->address),
                                     .has_other = finding->has_other,
                                     .distance = finding->distance,
                                     .program = finding->entry,
                                     .kind = finding->kind};
    snprintf(text, sizeof text, "%s", finding->text);
    if (finding->has_other) {
        size_t length = strlen(text);
        out.other = place_of(check, finding->other);
        snprintf(text + length, sizeof text - length, " (instruction at 0x%08x)", finding->other);
    }
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

static void add_entry(struct image_check *check, uint32_t address, bool sure)
{
    check->entries[check->entry_count++] = (struct check_entry){
        address, check->job->options->kind, (int)check->job->options->varyings_plus_1 - 1, -1,
        sure};
}

static enum tess_status add_entries(struct image_check *check, struct tess_sink sink)
{
    const struct tess_check_options *options = check->job->options;
    const struct code_image *image = check->image;
    check->entries = calloc(options->entry_count + image->segment_count + image->symbol_count + 1,
                            sizeof *check->entries);
    if (!check->entries)
        return TESS_NO_MEMORY;
    for (size_t i = 0; i < options->entry_count; i++) {
        uint32_t address;
        if (!find_address(image, options->entries[i], &address)) {
            struct tess_diag diag = {
                .severity = TESS_ERROR, .rule = "check-entry", .file = check->name};
            diag_report(sink, &diag, "there is no symbol '%s' for --entry", options->entries[i]);
            return TESS_BAD_INPUT;
        }
        add_entry(check, address, true);
    }
    for (size_t i = 0; i < image->segment_count && options->entry_count == 0; i++)
        add_entry(check, (image->segments[i].address + 7) & ~UINT32_C(7), false);
    for (size_t i = 0; i < image->symbol_count && options->entry_count == 0; i++)
        if (image->symbols[i].global)
            add_entry(check, image->symbols[i].address, false);
    return TESS_OK;
}

enum { CERTAIN_WORDS = 4 };

/* Where the file says nothing, several instructions in a row are taken for a program; what lies between, only if a
 * program leads there. */
static void guess_data(const uint64_t *words, uint8_t *content, size_t count)
{
    size_t plausible = CERTAIN_WORDS; /* from here on, as far as they count */
    for (size_t i = count; i-- > 0;) {
        plausible = check_is_plausible(words[i]) ? plausible + 1 : 0;
        if (content[i] == CHECK_CODE && plausible < CERTAIN_WORDS)
            content[i] = CHECK_UNSURE;
    }
}

/* Marks the words that the file calls data. An ELF file that knows its instructions has nothing else. */
static void mark_data(const struct image_check *check, uint32_t base, uint8_t *content,
                      size_t count)
{
    const struct code_image *image = check->image;
    bool known = false;
    for (size_t i = 0; i < image->range_count; i++)
        known |= image->ranges[i].content == CODE_INSTRUCTIONS;
    memset(content, known ? CHECK_DATA : CHECK_CODE, count);
    for (size_t i = 0; i < image->range_count; i++) {
        const struct code_range *range = &image->ranges[i];
        uint64_t first = range->address > base ? (range->address - base) / 8 : 0;
        uint64_t end = (uint64_t)range->address + range->size > base
                           ? ((uint64_t)range->address + range->size - base + 7) / 8
                           : 0;
        for (uint64_t word = first; word < end && word < count && range->content != CODE_UNKNOWN;
             word++)
            content[word] = range->content == CODE_DATA ? CHECK_DATA : CHECK_CODE;
    }
}

static bool check_segment(struct image_check *check, const struct code_segment *segment)
{
    uint32_t base = (segment->address + 7) & ~UINT32_C(7), skip = base - segment->address;
    size_t count = segment->size > skip ? (segment->size - skip) / 8 : 0;
    uint64_t *words = calloc(count + 1, sizeof *words);
    uint8_t *content = calloc(count + 1, 1);
    bool good = words && content;
    check->segment = segment;
    for (size_t i = 0; good && i < count; i++)
        words[i] = load_le64(segment->bytes + skip + i * 8);
    if (good && count > 0) {
        mark_data(check, base, content, count);
        guess_data(words, content, count);
        const struct check_input input = {
            base, words, count, content, check->entries, check->entry_count, check->job->partial};
        good = check_words(&input, (struct check_sink){take_finding, check});
    }
    free(words);
    free(content);
    return good;
}

enum tess_status check_image(struct check_job *job, const struct code_image *image,
                             const char *name, struct tess_sink sink)
{
    struct image_check check = {.job = job, .image = image, .name = name};
    enum tess_status status = add_entries(&check, sink);
    for (size_t i = 0; i < image->segment_count && status == TESS_OK; i++)
        status = check_segment(&check, &image->segments[i]) ? TESS_OK : TESS_NO_MEMORY;
    free(check.entries);
    return status;
}
