/* SPDX-License-Identifier: MIT */
/* check_subject.c - see check_subject.h. */
#include "check/frame/check_subject.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/diag.h"
#include "base/text.h"

/* --- entries --- */

struct check_entry *check_subject_find(const struct check_subject *subject, uint32_t address)
{
    for (size_t i = 0; i < subject->entry_count; i++)
        if (subject->entries[i].address == address)
            return &subject->entries[i];
    return NULL;
}

struct check_entry *check_subject_add(struct check_subject *subject, uint32_t address, bool sure)
{
    const struct tess_check_options *options = subject->job->options;
    if (!ARRAY_GROW(subject->entries, subject->entry_count)) {
        subject->no_memory = true;
        return NULL;
    }
    struct check_entry *entry = &subject->entries[subject->entry_count++];
    *entry = (struct check_entry){.address = address,
                                  .kind = options->kind,
                                  .varyings = (int)options->varyings_plus_1 - 1,
                                  .rows = -1,
                                  .registers = (int)options->registers,
                                  .sure = sure};
    return entry;
}

/* --- scene --- */

/* Returns the distance from one address to another. Bits 31:30 of an address select caching, not
 * memory. */
static uint32_t distance(uint32_t from, uint32_t to)
{
    return (to - from) & UINT32_C(0x3fffffff);
}

static const uint8_t *memory(void *user, uint32_t address, size_t *left)
{
    const struct check_subject *subject = user;
    struct check_block block;
    for (size_t i = 0; subject->kind->block(subject, i, &block); i++) {
        uint32_t offset = distance(block.address, address);
        if (offset >= block.size)
            continue;
        *left = block.size - offset;
        return block.bytes + offset;
    }
    return NULL;
}

/* Adds a program of the scene to the entries. Facts that comments have given take precedence over
 * the scene's facts. */
static void take_program(void *user, const struct check_entry *program)
{
    struct check_subject *subject = user;
    uint32_t address = program->address;
    struct check_block block;
    for (size_t i = 0; subject->kind->block(subject, i, &block); i++)
        if (distance(block.address, address) < block.size)
            address = block.address + distance(block.address, address);
    struct check_entry *entry = check_subject_find(subject, address);
    if (!entry && (entry = check_subject_add(subject, address, true)) && !subject->kind->source)
        entry->varyings = -1;
    if (entry)
        check_scene_merge(entry, program);
}

static void take_stored(void *user, const struct check_stored *stored)
{
    struct check_subject *subject = user;
    subject->no_memory |= !check_stored_add(&subject->stored, &subject->stored_count, stored);
}

struct check_scene check_subject_scene(struct check_subject *subject)
{
    return (struct check_scene){.text = subject->notes,
                                .size = subject->notes_size,
                                .memory = memory,
                                .symbol = subject->kind->symbol,
                                .program = take_program,
                                .stored = take_stored,
                                .name = subject->kind->name,
                                .found = subject->kind->found,
                                .user = subject};
}

/* --- findings --- */

enum { SEE_TEXT = 80 };

static struct tess_check_place place_of(const struct check_subject *subject, uint32_t address,
                                        uint32_t bytes)
{
    struct tess_check_place place = subject->kind->line_of(subject, address);
    size_t offset = address - subject->block.address;
    if (offset < subject->block.size)
        subject->kind->set_instruction(subject->job, &place, bytes, subject->block.bytes + offset,
                                       subject->block.size - offset);
    return place;
}

/* Adds names after the addresses in a text, if the rule is about textures in memory that a frame or
 * a store also uses. */
static void put_names(struct check_subject *subject, enum check_rule rule, char *text, size_t size)
{
    const struct address_namer namer = {subject->kind->name, subject};
    char plain[CHECK_TEXT + SEE_TEXT];
    if (rule != CHECK_TEXTURE_FRAME && rule != CHECK_TEXTURE_STORED)
        return;
    snprintf(plain, sizeof plain, "%s", text);
    address_text(text, size, plain, &namer);
}

static void take_finding(void *user, const struct check_finding *finding)
{
    struct check_subject *subject = user;
    char text[CHECK_TEXT + SEE_TEXT], see[SEE_TEXT] = "";
    struct tess_check_details out = {.place = place_of(subject, finding->address, finding->bytes),
                                     .has_other = finding->has_other,
                                     .distance = finding->distance,
                                     .program = finding->entry,
                                     .kind = finding->kind};
    if (finding->has_other) {
        out.other = place_of(subject, finding->other, finding->other_bytes);
        if (subject->kind->source && out.other.line)
            snprintf(see, sizeof see, " (see line %u, instruction at 0x%08x)", out.other.line,
                     finding->other);
        else
            snprintf(see, sizeof see, " (see instruction at 0x%08x)", finding->other);
    }
    diag_append(text, sizeof text, finding->text, see);
    put_names(subject, finding->rule, text, sizeof text);
    out.place.slot = finding->slot;
    out.other.slot = finding->other_slot;
    subject->kind->report(subject, finding->rule, text, &out);
}

/* --- blocks --- */

static bool check_words(struct check_subject *subject, const struct check_written *written)
{
    const struct check_machine *machine = subject->job->machine;
    const struct check_input input = {.base = written->base,
                                      .words = written->words,
                                      .count = written->count,
                                      .content = written->content,
                                      .entries = subject->entries,
                                      .entry_count = subject->entry_count,
                                      .stored = subject->stored,
                                      .stored_count = subject->stored_count,
                                      .partial = subject->job->partial,
                                      .variant = subject->job->options->variant,
                                      .notes = machine->scenes ? NULL : subject->notes,
                                      .notes_size = machine->scenes ? 0 : subject->notes_size,
                                      .name = subject->name,
                                      .sink = subject->sink};
    if (subject->kind->guess)
        subject->kind->guess(subject, written);
    return machine->check(&input, (struct check_sink){take_finding, subject});
}

bool check_subject_run(struct check_subject *subject, const struct check_block *block,
                       uint32_t base)
{
    const struct check_machine *machine = subject->job->machine;
    uint32_t skip = base - block->address;
    size_t left = block->size > skip ? block->size - skip : 0, count = left / machine->word_bytes;
    uint8_t *content = calloc(count + 1, 1), *seen = calloc(count + 1, 1);
    const struct check_written written = {subject->job->options->machine,
                                          base,
                                          left ? block->bytes + skip : NULL,
                                          count,
                                          content,
                                          seen};
    bool good = content && seen;
    subject->block = *block;
    if (good && count > 0) {
        subject->kind->mark(subject, &written);
        good = subject->kind->find_written(subject, &written);
    }
    bool code = good && count > 0 && (!subject->kind->source || memchr(content, CHECK_CODE, count));
    if (code)
        good = check_words(subject, &written);
    free(content);
    free(seen);
    return good;
}

void check_subject_free(struct check_subject *subject)
{
    free(subject->entries);
    free(subject->stored);
}
