/* SPDX-License-Identifier: MIT */
/* elf.c - an assembled program as a scene: ELF32, little-endian, EM_NONE, ET_EXEC.
 *
 * One PT_LOAD segment for each region, at its bus address, with the zeros at its end only in
 * memory. The same regions as sections, so that objdump and gdb can look into them; a region's
 * zeros are a section of their own, ".ADDRESS.zero". Labels are symbols of their section, constants
 * absolute symbols. The section
 * ".tessera" holds the steps (tessera/scene.h).
 *
 * Source: System V ABI, chapter 4 (object files). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asm/write.h"
#include "base/bits.h"

enum {
    HEADER_SIZE = 52,
    SEGMENT_SIZE = 32,
    SECTION_SIZE = 40,
    SYMBOL_SIZE = 16,
    TYPE_EXECUTABLE = 2,
    MACHINE_NONE = 0,
    VERSION_CURRENT = 1,
    SEGMENT_LOAD = 1,
    SEGMENT_READ_WRITE_EXECUTE = 7,
    SECTION_PROGRAM = 1,
    SECTION_SYMBOLS = 2,
    SECTION_STRINGS = 3,
    SECTION_ZEROS = 8,
    FLAGS_WRITE_ALLOCATE_EXECUTE = 7,
    INDEX_ABSOLUTE = 0xfff1,
    BIND_GLOBAL = 1 << 4,
};

struct writer {
    const struct asm_program *program;
    struct buffer *out;
    struct buffer sections, section_names, symbols, symbol_names;
    uint32_t section_count, symbol_count, local_count;
    /* For each region, its last section and that section's beginning; 0: no section. */
    uint16_t last_section[ASM_REGIONS_MAX], first_section[ASM_REGIONS_MAX];
    /* The regions with content, in the order of their addresses, as the ABI wants segments. */
    const struct asm_region *sorted[ASM_REGIONS_MAX];
    uint32_t sorted_count;
};

static void append_le16(struct buffer *out, uint32_t value)
{
    buffer_byte(out, (uint8_t)value);
    buffer_byte(out, (uint8_t)(value >> 8));
}

/* Appends a name and its NUL; returns its place in the string table. */
static uint32_t add_string(struct buffer *strings, const char *name)
{
    uint32_t offset = (uint32_t)strings->size;
    buffer_append(strings, name, strlen(name) + 1);
    return offset;
}

static uint32_t stored_size(const struct asm_region *region)
{
    return (uint32_t)region->bytes.size;
}

/* --- segments --- */

static int compare_addresses(const void *one, const void *other)
{
    const struct asm_region *const *a = one, *const *b = other;
    return (*a)->address < (*b)->address ? -1 : (*a)->address > (*b)->address;
}

static void sort_regions(struct writer *w)
{
    const struct asm_regions *regions = &w->program->regions;
    for (size_t i = 0; i < regions->count; i++)
        if (region_size(&regions->items[i]) > 0)
            w->sorted[w->sorted_count++] = &regions->items[i];
    qsort(w->sorted, w->sorted_count, sizeof w->sorted[0], compare_addresses);
}

static uint32_t contents_offset(const struct writer *w)
{
    return HEADER_SIZE + w->sorted_count * SEGMENT_SIZE;
}

static void write_segments(struct writer *w)
{
    uint32_t offset = contents_offset(w);
    for (uint32_t i = 0; i < w->sorted_count; i++) {
        const struct asm_region *region = w->sorted[i];
        const uint32_t words[SEGMENT_SIZE / 4] = {SEGMENT_LOAD,
                                                  offset,
                                                  region->address,
                                                  region->address,
                                                  stored_size(region),
                                                  region_size(region),
                                                  SEGMENT_READ_WRITE_EXECUTE,
                                                  1};
        for (size_t k = 0; k < SEGMENT_SIZE / 4; k++)
            buffer_le32(w->out, words[k]);
        offset += stored_size(region);
    }
}

/* --- sections --- */

struct section {
    const char *name;
    uint32_t type, flags, address, offset, size, link, info, alignment, entry_size;
};

static uint32_t add_section(struct writer *w, const struct section *section)
{
    const uint32_t words[SECTION_SIZE / 4] = {add_string(&w->section_names, section->name),
                                              section->type,
                                              section->flags,
                                              section->address,
                                              section->offset,
                                              section->size,
                                              section->link,
                                              section->info,
                                              section->alignment,
                                              section->entry_size};
    for (size_t i = 0; i < SECTION_SIZE / 4; i++)
        buffer_le32(&w->sections, words[i]);
    return w->section_count++;
}

static uint16_t add_region_section(struct writer *w, const struct asm_region *region, bool zeros,
                                   uint32_t offset)
{
    uint32_t stored = stored_size(region);
    char name[32];
    snprintf(name, sizeof name, ".%08x%s", region->address, zeros ? ".zero" : "");
    struct section section = {
        .name = name, .flags = FLAGS_WRITE_ALLOCATE_EXECUTE, .offset = offset, .alignment = 1};
    section.type = zeros ? SECTION_ZEROS : SECTION_PROGRAM;
    section.address = region->address + (zeros ? stored : 0);
    section.size = zeros ? region->zeros : stored;
    return (uint16_t)add_section(w, &section);
}

static void add_region_sections(struct writer *w)
{
    uint32_t offset = contents_offset(w);
    for (uint32_t i = 0; i < w->sorted_count; i++) {
        const struct asm_region *region = w->sorted[i];
        size_t number = (size_t)(region - w->program->regions.items);
        uint32_t stored = stored_size(region);
        if (stored > 0) {
            w->first_section[number] = add_region_section(w, region, false, offset);
            w->last_section[number] = w->first_section[number];
            buffer_append(w->out, region->bytes.data, stored);
            offset += stored;
        }
        if (region->zeros > 0)
            w->last_section[number] = add_region_section(w, region, true, offset);
        if (stored == 0)
            w->first_section[number] = w->last_section[number];
    }
}

/* A section whose content goes to the end of the file as it is now. */
static void add_content(struct writer *w, struct section section, const struct buffer *content)
{
    while (w->out->size % 4 != 0 && !w->out->failed)
        buffer_byte(w->out, 0);
    section.offset = (uint32_t)w->out->size;
    section.size = (uint32_t)content->size;
    add_section(w, &section);
    buffer_append(w->out, content->data, content->size);
}

/* --- symbols --- */

static void add_symbol(struct writer *w, const char *name, uint32_t value, bool global,
                       uint32_t section)
{
    buffer_le32(&w->symbols, add_string(&w->symbol_names, name));
    buffer_le32(&w->symbols, value);
    buffer_le32(&w->symbols, 0);
    buffer_byte(&w->symbols, global ? BIND_GLOBAL : 0);
    buffer_byte(&w->symbols, 0);
    append_le16(&w->symbols, section);
    w->symbol_count++;
}

static uint32_t label_section(const struct writer *w, const struct asm_symbol *label)
{
    const struct asm_region *region = &w->program->regions.items[label->region];
    uint32_t offset = (uint32_t)label->value.integer - region->address;
    if (w->first_section[label->region] == 0)
        return INDEX_ABSOLUTE;
    return offset < stored_size(region) ? w->first_section[label->region]
                                        : w->last_section[label->region];
}

/* Whether a constant is one number from beginning to end that fits a symbol. */
static bool is_symbol(const struct asm_symbol *constant)
{
    int64_t value = constant->value.integer;
    return constant->pass != 0 && !constant->changed && constant->value.kind == ASM_INTEGER &&
           value >= INT32_MIN && value <= UINT32_MAX;
}

static void add_symbols(struct writer *w, bool global)
{
    const struct asm_symbols *labels = &w->program->labels, *constants = &w->program->constants;
    for (size_t i = 0; i < labels->count; i++) {
        const struct asm_symbol *label = &labels->items[i];
        if (label->pass != 0 && label->global == global)
            add_symbol(w, label->name, (uint32_t)label->value.integer, global,
                       label_section(w, label));
    }
    for (size_t i = 0; i < constants->count; i++) {
        const struct asm_symbol *constant = &constants->items[i];
        if (is_symbol(constant) && constant->global == global)
            add_symbol(w, constant->name, (uint32_t)constant->value.integer, global,
                       INDEX_ABSOLUTE);
    }
}

/* --- the file --- */

static void write_header(struct writer *w)
{
    static const uint8_t identity[16] = {
        0x7f, 'E', 'L', 'F', 1 /* 32 bits */, 1 /* little */, VERSION_CURRENT};
    buffer_append(w->out, identity, sizeof identity);
    append_le16(w->out, TYPE_EXECUTABLE);
    append_le16(w->out, MACHINE_NONE);
    buffer_le32(w->out, VERSION_CURRENT);
    buffer_le32(w->out, 0); /* entry */
    buffer_le32(w->out, w->sorted_count > 0 ? HEADER_SIZE : 0);
    buffer_le32(w->out, 0); /* section headers, see finish_header() */
    buffer_le32(w->out, 0); /* flags */
    append_le16(w->out, HEADER_SIZE);
    append_le16(w->out, SEGMENT_SIZE);
    append_le16(w->out, w->sorted_count);
    append_le16(w->out, SECTION_SIZE);
    append_le16(w->out, 0); /* number of sections, see finish_header() */
    append_le16(w->out, 0); /* and the one with their names */
}

static void finish_header(const struct writer *w, uint32_t sections_offset)
{
    enum { AT_OFFSET = 32, AT_COUNT = 48, AT_NAMES = 50 };
    store_le32(w->out->data + AT_OFFSET, sections_offset);
    store_le16(w->out->data + AT_COUNT, (uint16_t)w->section_count);
    store_le16(w->out->data + AT_NAMES, (uint16_t)(w->section_count - 1));
}

static void add_tables(struct writer *w)
{
    add_content(w, (struct section){.name = ".tessera", .type = SECTION_PROGRAM, .alignment = 1},
                &w->program->scene);
    add_content(w,
                (struct section){.name = ".symtab",
                                 .type = SECTION_SYMBOLS,
                                 .link = w->section_count + 1,
                                 .info = w->local_count,
                                 .alignment = 4,
                                 .entry_size = SYMBOL_SIZE},
                &w->symbols);
    add_content(w, (struct section){.name = ".strtab", .type = SECTION_STRINGS, .alignment = 1},
                &w->symbol_names);
    /* The name must be in the table before the table is written. */
    struct section names = {.name = ".shstrtab", .type = SECTION_STRINGS, .alignment = 1};
    names.offset = (uint32_t)w->out->size;
    names.size = (uint32_t)(w->section_names.size + strlen(names.name) + 1);
    add_section(w, &names);
    buffer_append(w->out, w->section_names.data, w->section_names.size);
}

void asm_write_elf(const struct asm_program *program, struct buffer *out)
{
    struct writer w = {.program = program, .out = out};
    sort_regions(&w);
    write_header(&w);
    write_segments(&w);
    add_section(&w, &(struct section){.name = ""});
    add_region_sections(&w);

    add_symbol(&w, "", 0, false, 0);
    add_symbols(&w, false);
    w.local_count = w.symbol_count;
    add_symbols(&w, true);
    add_tables(&w);
    while (out->size % 4 != 0 && !out->failed)
        buffer_byte(out, 0);
    uint32_t sections_offset = (uint32_t)out->size;
    buffer_append(out, w.sections.data, w.sections.size);
    if (!out->failed)
        finish_header(&w, sections_offset);
    out->failed = out->failed || w.sections.failed || w.section_names.failed || w.symbols.failed ||
                  w.symbol_names.failed;
    buffer_free(&w.sections);
    buffer_free(&w.section_names);
    buffer_free(&w.symbols);
    buffer_free(&w.symbol_names);
}
