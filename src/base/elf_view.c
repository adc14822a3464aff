/* SPDX-License-Identifier: MIT */
/* elf_view.c - see elf_view.h.
 *
 * Source: Tool Interface Standard, ELF specification 1.2; System V ABI, chapter 4 (64 bits,
 *         extended numbers of sections). */
#include "base/elf_view.h"

#include <string.h>

enum {
    IDENT_CLASS = 4,
    IDENT_DATA = 5,
    HEADER_TYPE = 16,
    HEADER_MACHINE = 18,
    HEADER_ENTRY = 24,
    EXTENDED = 0xffff, /* SHN_XINDEX */
};

/* Sizes of headers, symbols and relocations, and offsets of their fields, in bytes. */
static const struct layout {
    unsigned header, segments, sections, entries, names;
    unsigned segment, segment_offset, segment_address, segment_physical, stored, segment_size;
    unsigned section, flags, address, offset, size, link, info, alignment, section_entry;
    unsigned symbol, value, symbol_size, symbol_info, index;
    unsigned relocation, relocation_symbol; /* size; bits of the type below the symbol */
} layouts[] = {
    {.header = ELF32_HEADER_BYTES,
     .segments = 28,
     .sections = 32,
     .entries = 42,
     .names = 50,
     .segment = ELF32_SEGMENT_BYTES,
     .segment_offset = 4,
     .segment_address = 8,
     .segment_physical = 12,
     .stored = 16,
     .segment_size = 20,
     .section = ELF32_SECTION_BYTES,
     .flags = 8,
     .address = 12,
     .offset = 16,
     .size = 20,
     .link = 24,
     .info = 28,
     .alignment = 32,
     .section_entry = 36,
     .symbol = ELF32_SYMBOL_BYTES,
     .value = 4,
     .symbol_size = 8,
     .symbol_info = 12,
     .index = 14,
     .relocation = ELF32_RELOCATION_BYTES,
     .relocation_symbol = 8},
    {.header = 64,
     .segments = 32,
     .sections = 40,
     .entries = 54,
     .names = 62,
     .segment = 56,
     .segment_offset = 8,
     .segment_address = 16,
     .segment_physical = 24,
     .stored = 32,
     .segment_size = 40,
     .section = 64,
     .flags = 8,
     .address = 16,
     .offset = 24,
     .size = 32,
     .link = 40,
     .info = 44,
     .alignment = 48,
     .section_entry = 56,
     .symbol = 24,
     .value = 8,
     .symbol_size = 16,
     .symbol_info = 4,
     .index = 6,
     .relocation = 16,
     .relocation_symbol = 32},
};

static const struct layout *layout_of(const struct elf_view *view)
{
    return &layouts[view->wide];
}

static uint64_t load(const struct elf_view *view, uint64_t at, unsigned width)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < width; i++)
        value |= (uint64_t)view->bytes[at + i] << 8 * (view->big ? width - 1 - i : i);
    return value;
}

static uint16_t half(const struct elf_view *view, uint64_t at)
{
    return (uint16_t)load(view, at, 2);
}

static uint32_t word(const struct elf_view *view, uint64_t at)
{
    return (uint32_t)load(view, at, 4);
}

/* Reads an address, offset or size, which has 4 bytes in a 32-bit file and 8 in a 64-bit file. */
static uint64_t number(const struct elf_view *view, uint64_t at)
{
    return load(view, at, view->wide ? 8 : 4);
}

static bool is_inside(const struct elf_view *view, uint64_t at, uint64_t size)
{
    return at <= view->size && size <= view->size - at;
}

const uint8_t *elf_view_bytes(const struct elf_view *view, uint64_t offset, uint64_t size)
{
    return is_inside(view, offset, size) ? view->bytes + offset : NULL;
}

/* --- file header --- */

bool elf_view_is_elf(const uint8_t *bytes, size_t size)
{
    static const uint8_t magic[] = {0x7f, 'E', 'L', 'F'};
    return size >= sizeof magic && memcmp(bytes, magic, sizeof magic) == 0;
}

bool elf_view_identify(const uint8_t *bytes, size_t size, struct elf_view_ident *ident)
{
    if (!elf_view_is_elf(bytes, size) || size < HEADER_MACHINE + 2)
        return false;
    const struct elf_view view = {.bytes = bytes, .big = bytes[IDENT_DATA] == ELF_BIG};
    *ident = (struct elf_view_ident){.class = bytes[IDENT_CLASS],
                                     .order = bytes[IDENT_DATA],
                                     .machine = half(&view, HEADER_MACHINE)};
    return true;
}

/* Reads the description of a table. The size of a header and the number of headers are two fields
 * from `entry` on. */
static struct elf_view_table table_of(const struct elf_view *view, unsigned offset, unsigned entry)
{
    return (struct elf_view_table){number(view, offset), half(view, entry), half(view, entry + 2)};
}

bool elf_view_open(struct elf_view *view, const uint8_t *bytes, size_t size)
{
    struct elf_view_ident ident;
    *view = (struct elf_view){.bytes = bytes, .size = size};
    if (!elf_view_identify(bytes, size, &ident) ||
        (ident.class != ELF_CLASS_32 && ident.class != ELF_CLASS_64) ||
        (ident.order != ELF_LITTLE && ident.order != ELF_BIG))
        return false;
    view->wide = ident.class == ELF_CLASS_64;
    view->big = ident.order == ELF_BIG;
    view->machine = ident.machine;
    const struct layout *layout = layout_of(view);
    if (size < layout->header)
        return false;
    view->type = half(view, HEADER_TYPE);
    view->entry = number(view, HEADER_ENTRY);
    view->segments = table_of(view, layout->segments, layout->entries);
    view->sections = table_of(view, layout->sections, layout->entries + 4);
    view->names = half(view, layout->names);
    return true;
}

bool elf_view_has_table(const struct elf_view *view, const struct elf_view_table *table)
{
    return is_inside(view, table->offset, (uint64_t)table->count * table->entry);
}

/* Sets *at to the offset of a header of `size` bytes. Returns false if the table has no such
 * header, or if the header lies outside of the file. */
static bool find_header(const struct elf_view *view, const struct elf_view_table *table,
                        uint32_t index, unsigned size, uint64_t *at)
{
    if (index >= table->count || table->offset > view->size)
        return false;
    *at = table->offset + (uint64_t)index * table->entry;
    return is_inside(view, *at, size);
}

/* --- segments --- */

bool elf_view_segment(const struct elf_view *view, uint32_t index, struct elf_view_segment *segment)
{
    const struct layout *layout = layout_of(view);
    uint64_t at;
    if (!find_header(view, &view->segments, index, layout->segment, &at))
        return false;
    *segment = (struct elf_view_segment){
        .type = word(view, at),
        .offset = number(view, at + layout->segment_offset),
        .address = number(view, at + layout->segment_address),
        .physical = number(view, at + layout->segment_physical),
        .stored = number(view, at + layout->stored),
        .size = number(view, at + layout->segment_size),
    };
    return true;
}

/* --- sections --- */

bool elf_view_section(const struct elf_view *view, uint32_t index, struct elf_view_section *section)
{
    const struct layout *layout = layout_of(view);
    uint64_t at;
    if (!find_header(view, &view->sections, index, layout->section, &at))
        return false;
    *section = (struct elf_view_section){
        .name = word(view, at),
        .type = word(view, at + 4),
        .link = word(view, at + layout->link),
        .info = word(view, at + layout->info),
        .flags = number(view, at + layout->flags),
        .address = number(view, at + layout->address),
        .offset = number(view, at + layout->offset),
        .size = number(view, at + layout->size),
        .alignment = number(view, at + layout->alignment),
        .entry = number(view, at + layout->section_entry),
    };
    return true;
}

void elf_view_extend(struct elf_view *view)
{
    struct elf_view_table *sections = &view->sections;
    struct elf_view_section first;
    const bool no_count = sections->count == 0;
    sections->count = no_count ? 1 : sections->count;
    if (!sections->offset || sections->entry < layout_of(view)->section ||
        !elf_view_section(view, 0, &first)) {
        sections->count = 0;
        return;
    }
    if (no_count)
        sections->count = first.size < UINT32_MAX ? (uint32_t)first.size : 0;
    if (view->names == EXTENDED)
        view->names = first.link;
}

/* --- symbols, relocations and strings --- */

/* Sets *at to the offset of an entry of `size` bytes of a section. Returns false if the section
 * lies outside of the file or has no such entry. */
static bool find_entry(const struct elf_view *view, const struct elf_view_section *section,
                       uint64_t index, unsigned size, uint64_t *at)
{
    if (!is_inside(view, section->offset, section->size) || index >= section->size / size)
        return false;
    *at = section->offset + index * size;
    return true;
}

bool elf_view_symbol(const struct elf_view *view, const struct elf_view_section *table,
                     uint64_t index, struct elf_view_symbol *symbol)
{
    const struct layout *layout = layout_of(view);
    uint64_t at;
    if (!find_entry(view, table, index, layout->symbol, &at))
        return false;
    const uint8_t info = view->bytes[at + layout->symbol_info];
    *symbol = (struct elf_view_symbol){
        .name = word(view, at),
        .info = info,
        .type = info & 15,
        .bind = info >> 4,
        .section = half(view, at + layout->index),
        .value = number(view, at + layout->value),
        .size = number(view, at + layout->symbol_size),
    };
    return true;
}

bool elf_view_relocation(const struct elf_view *view, const struct elf_view_section *table,
                         uint64_t index, struct elf_view_relocation *relocation)
{
    const struct layout *layout = layout_of(view);
    uint64_t at;
    if (!find_entry(view, table, index, layout->relocation, &at))
        return false;
    const uint64_t info = number(view, at + layout->relocation / 2);
    *relocation = (struct elf_view_relocation){
        .offset = number(view, at),
        .symbol = (uint32_t)(info >> layout->relocation_symbol),
        .type = (uint32_t)(info & ((UINT64_C(1) << layout->relocation_symbol) - 1)),
    };
    return true;
}

const char *elf_view_text(const struct elf_view *view, const struct elf_view_section *section,
                          uint32_t offset, size_t most)
{
    if (!is_inside(view, section->offset, section->size) || offset >= section->size)
        return NULL;
    const char *text = (const char *)view->bytes + section->offset + offset;
    const uint64_t rest = section->size - offset;
    return memchr(text, 0, rest < most ? (size_t)rest : most) ? text : NULL;
}

const char *elf_view_string(const struct elf_view *view, uint32_t section, uint32_t offset)
{
    struct elf_view_section strings;
    if (!elf_view_section(view, section, &strings) || strings.type != ELF_SHT_STRTAB)
        return NULL;
    return elf_view_text(view, &strings, offset, SIZE_MAX);
}
