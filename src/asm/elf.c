/* SPDX-License-Identifier: MIT */
/* elf.c - writes an assembled program as a scene: ELF32, little-endian, EM_NONE, ET_EXEC.
 *
 * Each region is a PT_LOAD segment at its bus address; the zeros at its end are not stored in the
 * file. Each region is also a section, for objdump and gdb. The zeros at its end are a separate
 * section, ".ADDRESS.zero". Labels are symbols of their section, constants are absolute symbols.
 * The section ".tessera" contains the scene steps (tessera/scene.h), the sections ".debug_*" the
 * source lines.
 *
 * Source: System V ABI, chapter 4 (object files). */
#include <stdio.h>
#include <stdlib.h>

#include "asm/dwarf.h"
#include "asm/write_elf.h"
#include "asm/write_private.h"
#include "base/bits.h"

enum {
    SEGMENT_LOAD = 1,
    SEGMENT_READ_WRITE_EXECUTE = 7,
};

struct writer {
    const struct asm_program *program;
    struct elf_file file;
    struct asm_origin *origins;
    size_t origin_count;
    /* Number of the last and the first section of each region, 0 for an empty region. */
    uint16_t last_section[ASM_REGIONS_MAX], first_section[ASM_REGIONS_MAX];
    /* Regions with content, sorted by address as the ABI requires for segments. */
    const struct asm_region *sorted[ASM_REGIONS_MAX];
    uint32_t sorted_count;
};

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
    return ELF_HEADER_SIZE + w->sorted_count * ELF_SEGMENT_SIZE;
}

static void write_segments(struct writer *w)
{
    uint32_t offset = contents_offset(w);
    for (uint32_t i = 0; i < w->sorted_count; i++) {
        const struct asm_region *region = w->sorted[i];
        const uint32_t words[ELF_SEGMENT_SIZE / 4] = {SEGMENT_LOAD,
                                                      offset,
                                                      region->address,
                                                      region->address,
                                                      stored_size(region),
                                                      region_size(region),
                                                      SEGMENT_READ_WRITE_EXECUTE,
                                                      1};
        for (size_t k = 0; k < ELF_SEGMENT_SIZE / 4; k++)
            buffer_le32(w->file.out, words[k]);
        offset += stored_size(region);
    }
}

/* --- sections --- */

static uint16_t add_region_section(struct writer *w, const struct asm_region *region, bool zeros,
                                   uint32_t offset)
{
    uint32_t stored = stored_size(region);
    char name[32];
    snprintf(name, sizeof name, ".%08x%s", region->address, zeros ? ".zero" : "");
    struct elf_section section = {.name = name,
                                  .flags = ELF_FLAG_WRITE | ELF_FLAG_ALLOCATE | ELF_FLAG_EXECUTE,
                                  .offset = offset,
                                  .alignment = 1};
    section.type = zeros ? ELF_SECTION_ZEROS : ELF_SECTION_PROGRAM;
    section.address = region->address + (zeros ? stored : 0);
    section.size = zeros ? region->zeros : stored;
    return (uint16_t)elf_file_section(&w->file, &section);
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
            buffer_append(w->file.out, region->bytes.data, stored);
            offset += stored;
        }
        if (region->zeros > 0)
            w->last_section[number] = add_region_section(w, region, true, offset);
        if (stored == 0)
            w->first_section[number] = w->last_section[number];
    }
}

/* --- symbols --- */

static void add_symbol(struct writer *w, const char *name, uint32_t value, bool global,
                       uint32_t section)
{
    elf_file_symbol(&w->file, &(struct elf_symbol_entry){.name = name,
                                                         .value = value,
                                                         .info = global ? ELF_BIND_GLOBAL : 0,
                                                         .section = section});
}

static uint32_t label_section(const struct writer *w, const struct asm_symbol *label)
{
    const struct asm_region *region = &w->program->regions.items[label->region];
    uint32_t offset = (uint32_t)label->value.integer - region->address;
    if (w->first_section[label->region] == 0)
        return ELF_INDEX_ABSOLUTE;
    return offset < stored_size(region) ? w->first_section[label->region]
                                        : w->last_section[label->region];
}

/* Returns true if a constant is a 32-bit integer that was never redefined. */
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
                       ELF_INDEX_ABSOLUTE);
    }
}

/* Adds mapping symbols for instructions and data; the zeros at a region's end have none. */
static void add_mapping_symbols(struct writer *w)
{
    for (uint32_t i = 0; i < w->sorted_count; i++) {
        const struct asm_region *region = w->sorted[i];
        uint64_t end = (uint64_t)region->address + stored_size(region);
        size_t from = asm_origin_from(w->origins, w->origin_count, region->address);
        size_t to = asm_origin_from(w->origins, w->origin_count, end);
        elf_file_mapping(&w->file, w->program->unit, w->origins + from, to - from, 0,
                         w->first_section[region - w->program->regions.items]);
    }
}

/* --- the file --- */

static bool add_lines(struct writer *w)
{
    struct dwarf dwarf = {0};
    bool good = dwarf_write(w->program, &dwarf);
    const struct {
        const char *name;
        const struct buffer *content;
    } sections[] = {
        {".debug_info", &dwarf.info},
        {".debug_abbrev", &dwarf.abbreviations},
        {".debug_line", &dwarf.lines},
    };
    for (size_t i = 0; good && i < sizeof sections / sizeof sections[0]; i++)
        if (sections[i].content->size > 0)
            elf_file_content(&w->file,
                             (struct elf_section){.name = sections[i].name,
                                                  .type = ELF_SECTION_PROGRAM,
                                                  .alignment = 1},
                             sections[i].content->data, sections[i].content->size);
    dwarf_free(&dwarf);
    return good;
}

static bool add_tables(struct writer *w)
{
    const struct buffer *scene = &w->program->scene;
    elf_file_content(
        &w->file,
        (struct elf_section){.name = ".tessera", .type = ELF_SECTION_PROGRAM, .alignment = 1},
        scene->data, scene->size);
    bool good = add_lines(w);
    elf_file_symbol_table(&w->file);
    return good;
}

enum tess_status asm_write_scene(const struct asm_program *program, struct buffer *out)
{
    struct writer w = {.program = program};
    sort_regions(&w);
    w.origins = asm_origins(program, &w.origin_count);
    elf_file_begin(&w.file, out, ELF_TYPE_EXECUTABLE, ELF_MACHINE_NONE, 0, w.sorted_count);
    write_segments(&w);
    add_region_sections(&w);

    add_symbols(&w, false);
    if (w.origins)
        add_mapping_symbols(&w);
    w.file.local_count = w.file.symbol_count;
    add_symbols(&w, true);
    bool good = add_tables(&w) && w.origins;
    free(w.origins);
    return elf_file_end(&w.file) && good ? TESS_OK : TESS_NO_MEMORY;
}
