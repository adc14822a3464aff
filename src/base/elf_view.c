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
    CLASS_32 = 1,
    CLASS_64 = 2,
    LITTLE = 1,
    BIG = 2,
    HEADER_TYPE = 16,
    EXTENDED = 0xffff, /* SHN_XINDEX */
    STRINGS = 3,       /* SHT_STRTAB */
};

/* Sizes of headers and symbols, and offsets of their fields, in bytes. */
static const struct layout {
    unsigned header, sections, entry, count, names;                      /* file header */
    unsigned section, flags, address, offset, size, link, section_entry; /* section header */
    unsigned symbol, value, symbol_size, info, index;                    /* symbol */
} layouts[] = {
    {52, 32, 46, 48, 50, 40, 8, 12, 16, 20, 24, 36, 16, 4, 8, 12, 14},
    {64, 40, 58, 60, 62, 64, 8, 16, 24, 32, 40, 56, 24, 8, 16, 4, 6},
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

/* --- sections --- */

bool elf_view_section(const struct elf_view *view, uint32_t index, struct elf_view_section *section)
{
    const struct layout *layout = layout_of(view);
    const uint64_t at = view->sections + index * view->entry;
    if (index >= view->count || !is_inside(view, at, layout->section))
        return false;
    *section = (struct elf_view_section){
        .name = word(view, at),
        .type = word(view, at + 4),
        .link = word(view, at + layout->link),
        .flags = number(view, at + layout->flags),
        .address = number(view, at + layout->address),
        .offset = number(view, at + layout->offset),
        .size = number(view, at + layout->size),
        .entry = number(view, at + layout->section_entry),
    };
    return true;
}

/* If the number of sections, or the index of the section with their names, does not fit into the
 * file header, reads it from the first section header. */
static void extend(struct elf_view *view)
{
    struct elf_view_section first;
    const bool no_count = view->count == 0;
    view->count = no_count ? 1 : view->count;
    if (!view->sections || !elf_view_section(view, 0, &first)) {
        view->count = 0;
        return;
    }
    if (no_count)
        view->count = first.size < UINT32_MAX ? (uint32_t)first.size : 0;
    if (view->names == EXTENDED)
        view->names = first.link;
}

/* Reads class and byte order. Returns false if the bytes are not an ELF file. */
static bool identify(struct elf_view *view)
{
    static const uint8_t magic[] = {0x7f, 'E', 'L', 'F'};
    if (view->size < layouts[0].header || memcmp(view->bytes, magic, sizeof magic) != 0)
        return false;
    const uint8_t class = view->bytes[IDENT_CLASS], order = view->bytes[IDENT_DATA];
    view->wide = class == CLASS_64;
    view->big = order == BIG;
    return (class == CLASS_32 || class == CLASS_64) && (order == LITTLE || order == BIG) &&
           view->size >= layout_of(view)->header;
}

bool elf_view_open(struct elf_view *view, const uint8_t *bytes, size_t size)
{
    *view = (struct elf_view){.bytes = bytes, .size = size};
    if (!identify(view))
        return false;
    const struct layout *layout = layout_of(view);
    view->type = half(view, HEADER_TYPE);
    view->sections = number(view, layout->sections);
    view->entry = half(view, layout->entry);
    view->count = half(view, layout->count);
    view->names = half(view, layout->names);
    if (view->entry < layout->section || view->sections > size)
        view->sections = view->count = 0;
    extend(view);
    return true;
}

/* --- symbols and strings --- */

bool elf_view_symbol(const struct elf_view *view, const struct elf_view_section *table,
                     uint64_t index, struct elf_view_symbol *symbol)
{
    const struct layout *layout = layout_of(view);
    if (!is_inside(view, table->offset, table->size) || index >= table->size / layout->symbol)
        return false;
    const uint64_t at = table->offset + index * layout->symbol;
    *symbol = (struct elf_view_symbol){
        .name = word(view, at),
        .type = view->bytes[at + layout->info] & 15,
        .section = half(view, at + layout->index),
        .value = number(view, at + layout->value),
        .size = number(view, at + layout->symbol_size),
    };
    return true;
}

const char *elf_view_string(const struct elf_view *view, uint32_t section, uint32_t offset)
{
    struct elf_view_section strings;
    if (!elf_view_section(view, section, &strings) || strings.type != STRINGS ||
        !is_inside(view, strings.offset, strings.size) || offset >= strings.size)
        return NULL;
    const char *text = (const char *)view->bytes + strings.offset + offset;
    return memchr(text, 0, (size_t)(strings.size - offset)) ? text : NULL;
}
