/* SPDX-License-Identifier: MIT */
/* symbols.c - names of functions and source lines of a kernel.
 *
 * In:  an ELF file with symbols, and with lines if it was compiled with -g.
 * Out: for an address, the symbol before it, and the line.
 *
 * Source: ELF for the Arm Architecture (IHI 0044): mapping symbols begin with $, bit 0 of a
 *         function's address is the Thumb state. */
#include <tessera/pi.h>

#include <stdlib.h>
#include <string.h>

#include "base/elf_view.h"
#include "board/machine/lines.h"

enum { NAMES_MAX = 1 << 20 };

struct tess_pi_symbols {
    uint8_t *bytes; /* a copy of the file, which has the names */
    struct symbol *symbols;
    size_t count;
    struct lines lines;
};

struct symbol {
    uint64_t address, size;
    const char *name;
};

static int compare(const void *one, const void *other)
{
    const struct symbol *a = one, *b = other;
    if (a->address != b->address)
        return a->address < b->address ? -1 : 1;
    return (a->size > 0) - (b->size > 0);
}

static bool is_named_code(const struct elf_view *view, const struct elf_view_symbol *symbol,
                          const char *name)
{
    struct elf_view_section section;
    return name && *name && *name != '$' && symbol->type != ELF_STT_SECTION &&
           symbol->type != ELF_STT_FILE && symbol->type != ELF_STT_OBJECT &&
           elf_view_section(view, symbol->section, &section) && (section.flags & ELF_SHF_EXECINSTR);
}

static void add(struct tess_pi_symbols *symbols, const struct elf_view *view,
                const struct elf_view_section *table)
{
    struct elf_view_symbol from;
    for (uint64_t i = 0; elf_view_symbol(view, table, i, &from) && symbols->count < NAMES_MAX;
         i++) {
        const char *name = elf_view_string(view, table->link, from.name);
        if (!is_named_code(view, &from, name))
            continue;
        if (symbols->count % 1024 == 0) {
            size_t size = (symbols->count + 1024) * sizeof(struct symbol);
            struct symbol *grown = realloc(symbols->symbols, size);
            if (!grown)
                return;
            symbols->symbols = grown;
        }
        uint64_t address = view->wide ? from.value : from.value & ~UINT64_C(1);
        symbols->symbols[symbols->count++] = (struct symbol){address, from.size, name};
    }
}

static const struct elf_view_section *find_section(const struct elf_view *view, const char *name,
                                                   struct elf_view_section *section)
{
    for (uint32_t i = 0; elf_view_section(view, i, section); i++) {
        const char *text = elf_view_string(view, view->names, section->name);
        if (text && strcmp(text, name) == 0)
            return section;
    }
    return NULL;
}

static struct lines_part part_of(const struct elf_view *view, const char *name)
{
    struct elf_view_section section;
    struct lines_part part = {0};
    if (find_section(view, name, &section) && section.type != ELF_SHT_NOBITS) {
        part.bytes = elf_view_bytes(view, section.offset, section.size);
        part.size = part.bytes ? (size_t)section.size : 0;
    }
    return part;
}

static void read_file(struct tess_pi_symbols *symbols, struct elf_view *view)
{
    struct elf_view_section section;
    elf_view_extend(view);
    for (uint32_t i = 0; elf_view_section(view, i, &section); i++)
        if (section.type == ELF_SHT_SYMTAB)
            add(symbols, view, &section);
    if (symbols->count)
        qsort(symbols->symbols, symbols->count, sizeof symbols->symbols[0], compare);
    const struct lines_sections sections = {
        .line = part_of(view, ".debug_line"),
        .strings = part_of(view, ".debug_str"),
        .line_strings = part_of(view, ".debug_line_str"),
    };
    if (!view->big)
        lines_read(&symbols->lines, &sections);
}

struct tess_pi_symbols *tess_pi_symbols_open(const void *bytes, size_t size)
{
    struct elf_view view;
    if (!elf_view_is_elf(bytes, size))
        return NULL;
    struct tess_pi_symbols *symbols = calloc(1, sizeof *symbols);
    uint8_t *copy = malloc(size);
    if (!symbols || !copy) {
        free(symbols);
        free(copy);
        return NULL;
    }
    memcpy(copy, bytes, size);
    symbols->bytes = copy;
    if (elf_view_open(&view, copy, size))
        read_file(symbols, &view);
    return symbols;
}

void tess_pi_symbols_close(struct tess_pi_symbols *symbols)
{
    if (!symbols)
        return;
    lines_free(&symbols->lines);
    free(symbols->symbols);
    free(symbols->bytes);
    free(symbols);
}

/* Returns the last symbol at or before an address, or NULL. */
static const struct symbol *before(const struct tess_pi_symbols *symbols, uint64_t address)
{
    size_t low = 0, high = symbols->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (symbols->symbols[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? &symbols->symbols[low - 1] : NULL;
}

bool tess_pi_symbols_find(const struct tess_pi_symbols *symbols, uint64_t address,
                          struct tess_pi_symbol *found)
{
    *found = (struct tess_pi_symbol){0};
    if (!symbols)
        return false;
    const struct symbol *symbol = before(symbols, address);
    if (symbol && (!symbol->size || address - symbol->address < symbol->size)) {
        found->name = symbol->name;
        found->offset = address - symbol->address;
    }
    lines_find(&symbols->lines, address, &found->file, &found->line);
    return found->name || found->file;
}
