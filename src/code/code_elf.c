/* SPDX-License-Identifier: MIT */
/* code_elf.c - reads machine code from an ELF file: a scene, or a relocatable object of
 * tessera or vc4asm.
 *
 * In:       the file, by base/elf_view.h.
 * Out:      a segment for each loaded section with content, or for each PT_LOAD program header if
 *           the file has no such sections. The symbols of the loaded sections. Ranges from mapping
 *           symbols: $d begins data, and $ with any other letter begins code. Source lines. For a
 *           scene, also memory whose contents the file does not store, constants and steps.
 * Source:   Tool Interface Standard, ELF specification 1.2 (ELF32); ELF for the ARM Architecture
 *           (mapping symbols); vc4asm, src/WriteELF.cpp (its objects have the code in .rodata).
 * Left out: relocation of contents, other byte orders, extended numbering. */
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/elf_view.h"
#include "code/code_read.h"
#include "code/recognise.h"

enum {
    NAME_MAX_BYTES = 4096,
    SYMBOLS_MAX = 1 << 20,
};

struct elf_reader {
    struct code_reader *reader;
    struct elf_view view;
    bool relocatable;
    /* For each section: its address, and true if it is loaded. The address is valid for loaded
     * sections only. */
    uint32_t *addresses;
    bool *loaded;
    uint64_t total;                  /* number of bytes that have been copied */
    struct elf_view_section strings; /* string table with the names of sections; its size is 0 if
                                      * the file has no such table */
};

#define REFUSE(elf, rule, hint, ...) code_refuse((elf)->reader, (rule), 0, 0, (hint), __VA_ARGS__)

static bool inside(const struct elf_reader *elf, const struct elf_view_section *section)
{
    return elf_view_bytes(&elf->view, section->offset, section->size) != NULL;
}

static enum tess_status check_header(struct elf_reader *elf)
{
    static const char hint[] = "give an ELF32 little-endian file";
    const uint8_t *bytes = elf->reader->bytes;
    const size_t size = elf->reader->size;
    struct elf_view_ident ident;
    if (!elf_view_is_elf(bytes, size))
        return REFUSE(elf, "code-elf", hint, "this is not an ELF file");
    if (size < ELF32_HEADER_BYTES || !elf_view_identify(bytes, size, &ident))
        return REFUSE(
            elf, "code-elf", hint,
            "the ELF header is truncated: the file has %zu bytes, but the header needs %d", size,
            ELF32_HEADER_BYTES);
    if (ident.class != ELF_CLASS_32 || ident.order != ELF_LITTLE)
        return REFUSE(elf, "code-elf", hint,
                      "the ELF class is %u and the byte order %u, not ELF32 and little-endian",
                      ident.class, ident.order);
    if (!recognise_may_hold_code(ident.machine))
        return REFUSE(elf, "code-elf", hint, "the ELF machine is %u, which has no QPU",
                      ident.machine);
    elf_view_open(&elf->view, bytes, size);
    elf->relocatable = elf->view.type == ELF_ET_REL;
    return TESS_OK;
}

/* --- sections --- */

/* Returns the section with an index if it is a string table. Otherwise returns a section of size
 * 0. */
static struct elf_view_section string_table(const struct elf_reader *elf, uint32_t index)
{
    struct elf_view_section table;
    bool good = elf_view_section(&elf->view, index, &table) && table.type == ELF_SHT_STRTAB &&
                inside(elf, &table);
    return good ? table : (struct elf_view_section){0};
}

/* Returns the name at an offset of a string table, and its length in *length. Returns NULL if the
 * name is not terminated or has characters that are blank or not printable. */
static const char *string_at(const struct elf_reader *elf, const struct elf_view_section *table,
                             uint32_t offset, size_t *length)
{
    const char *text = elf_view_text(&elf->view, table, offset, NAME_MAX_BYTES);
    if (!text)
        return NULL;
    for (const char *at = text; *at; at++)
        if ((uint8_t)*at <= ' ' || *at == 0x7f)
            return NULL;
    *length = strlen(text);
    return text;
}

static enum tess_status find_sections(struct elf_reader *elf)
{
    const struct elf_view_table *headers = &elf->view.sections;
    const uint32_t count = headers->count;
    if (count == 0)
        return TESS_OK;
    if (headers->entry != ELF32_SECTION_BYTES || !elf_view_has_table(&elf->view, headers))
        return REFUSE(
            elf, "code-elf", "check the file with 'readelf -S'; it may be truncated",
            "the section headers are malformed: %u headers of %u bytes each, at offset 0x%x", count,
            headers->entry, (unsigned)headers->offset);
    elf->addresses = calloc(count, sizeof *elf->addresses);
    elf->loaded = calloc(count, sizeof *elf->loaded);
    if (!elf->addresses || !elf->loaded)
        return TESS_NO_MEMORY;
    elf->strings = string_table(elf, elf->view.names);
    return TESS_OK;
}

/* Sets the address of a section. The sections of a relocatable object have no addresses, so this
 * function places each section after the preceding one. */
static enum tess_status place_section(struct elf_reader *elf, uint32_t index,
                                      const struct elf_view_section *section)
{
    uint32_t least = elf->reader->alignment;
    uint32_t alignment = section->alignment > least ? (uint32_t)section->alignment : least;
    uint32_t base = elf->reader->base;
    if (!elf->relocatable || section->address) {
        elf->addresses[index] = (uint32_t)section->address;
        return TESS_OK;
    }
    if (alignment & (alignment - 1))
        return REFUSE(elf, "code-elf", NULL,
                      "the alignment of section %u is %u, which is not a power of two", index,
                      (unsigned)alignment);
    bool first = elf->reader->image->segment_count == 0;
    uint64_t address = first ? base : ((uint64_t)base + alignment - 1) & ~(uint64_t)(alignment - 1);
    uint64_t next = address + section->size;
    if (next > UINT32_MAX)
        return REFUSE(elf, "code-range", "give a smaller base address",
                      "section %u exceeds the 32-bit address space", index);
    elf->addresses[index] = (uint32_t)address;
    elf->reader->base = (uint32_t)next;
    return TESS_OK;
}

static enum tess_status add_bytes(struct elf_reader *elf, uint32_t address, uint64_t offset,
                                  uint64_t size, const char *name, size_t name_length)
{
    struct buffer bytes = {0};
    elf->total += size;
    if (elf->total > elf->reader->size)
        return REFUSE(elf, "code-elf", NULL, "the contents of sections or segments overlap");
    buffer_append(&bytes, elf->reader->bytes + offset, (size_t)size);
    return code_add_segment(elf->reader->image, address, &bytes, name, name_length);
}

static enum tess_status load_section(struct elf_reader *elf, uint32_t index,
                                     const struct elf_view_section *section)
{
    const bool allocated = section->flags & ELF_SHF_ALLOC;
    if (section->type == ELF_SHT_NOBITS && allocated && !elf->relocatable) {
        elf->addresses[index] = (uint32_t)section->address; /* load_segments() reserves the memory
                                                             * of this section */
        elf->loaded[index] = true;
    }
    if (section->type != ELF_SHT_PROGBITS || !allocated || section->size == 0)
        return TESS_OK;
    if (!inside(elf, section))
        return REFUSE(elf, "code-elf", "check the file with 'readelf -S'; it may be truncated",
                      "section %u lies outside of the file: 0x%x bytes at offset 0x%x", index,
                      (unsigned)section->size, (unsigned)section->offset);
    enum tess_status status = place_section(elf, index, section);
    if (status != TESS_OK)
        return status;
    size_t length = 0;
    const char *name = string_at(elf, &elf->strings, section->name, &length);
    elf->loaded[index] = true;
    return add_bytes(elf, elf->addresses[index], section->offset, section->size, name, length);
}

static enum tess_status load_sections(struct elf_reader *elf)
{
    struct elf_view_section section;
    enum tess_status status = find_sections(elf);
    for (uint32_t i = 0; status == TESS_OK && elf_view_section(&elf->view, i, &section); i++)
        status = load_section(elf, i, &section);
    return status;
}

/* --- segments: content if there are no sections; memory after the stored bytes --- */

static enum tess_status add_reserve(struct elf_reader *elf, const struct elf_view_segment *segment)
{
    const uint64_t start = segment->address + segment->stored;
    if (segment->size <= segment->stored || start > UINT32_MAX)
        return TESS_OK;
    const uint32_t size = (uint32_t)(segment->size - segment->stored);
    return code_add_reserve(elf->reader->image,
                            (struct code_range){(uint32_t)start, size, CODE_UNKNOWN});
}

static enum tess_status load_segment(struct elf_reader *elf, const struct elf_view_segment *segment,
                                     uint32_t number, bool with_content)
{
    if (segment->type != ELF_PT_LOAD)
        return TESS_OK;
    enum tess_status status = add_reserve(elf, segment);
    if (status != TESS_OK || segment->stored == 0 || !with_content)
        return status;
    if (!elf_view_bytes(&elf->view, segment->offset, segment->stored))
        return REFUSE(elf, "code-elf", "check the file with 'readelf -l'; it may be truncated",
                      "segment %u lies outside of the file: 0x%x bytes at offset 0x%x", number,
                      (unsigned)segment->stored, (unsigned)segment->offset);
    return add_bytes(elf, (uint32_t)segment->address, segment->offset, segment->stored, NULL, 0);
}

static enum tess_status load_segments(struct elf_reader *elf)
{
    const struct elf_view_table *headers = &elf->view.segments;
    const bool with_content = elf->reader->image->segment_count == 0;
    struct elf_view_segment segment;
    if (headers->count == 0 || elf->relocatable)
        return TESS_OK;
    if (headers->entry != ELF32_SEGMENT_BYTES || !elf_view_has_table(&elf->view, headers))
        return REFUSE(
            elf, "code-elf", NULL,
            "the program headers are malformed: %u headers of %u bytes each, at offset 0x%x",
            headers->count, headers->entry, (unsigned)headers->offset);
    enum tess_status status = TESS_OK;
    for (uint32_t i = 0; status == TESS_OK && elf_view_segment(&elf->view, i, &segment); i++)
        status = load_segment(elf, &segment, i, with_content);
    return status;
}

/* --- symbols --- */

/* Adds the range that a mapping symbol begins. The name $d, or a name such as $d.7, begins data;
 * other letters, such as $a or $q, begin code. The range first extends to the end of the section.
 * close_ranges() then shortens it. */
static enum tess_status add_mapping(struct elf_reader *elf, const char *name, uint32_t address,
                                    uint32_t index)
{
    enum code_content content = name[1] == 'd' ? CODE_DATA : CODE_INSTRUCTIONS;
    struct elf_view_section section = {0};
    elf_view_section(&elf->view, index, &section);
    const uint32_t size = (uint32_t)section.size, offset = address - elf->addresses[index];
    if (offset >= size)
        return TESS_OK;
    return code_add_range(elf->reader->image, (struct code_range){address, size - offset, content});
}

static bool is_mapping(const char *name, size_t length)
{
    return length >= 2 && name[0] == '$' && (length == 2 || name[2] == '.');
}

/* Returns true if a symbol's section index is that of a loaded section. */
static bool is_loaded(const struct elf_reader *elf, const struct elf_view_symbol *symbol)
{
    return symbol->section < elf->view.sections.count && elf->loaded[symbol->section];
}

static enum tess_status take_symbol(struct elf_reader *elf, const struct elf_view_section *names,
                                    const struct elf_view_symbol *symbol)
{
    const uint32_t index = symbol->section, value = (uint32_t)symbol->value;
    const bool global = symbol->bind != ELF_STB_LOCAL;
    size_t length = 0;
    bool constant = index == ELF_SHN_ABS && elf->reader->image->steps;
    if (symbol->type == ELF_STT_SECTION || symbol->type == ELF_STT_FILE ||
        !(constant || is_loaded(elf, symbol)))
        return TESS_OK;
    const char *name = string_at(elf, names, symbol->name, &length);
    if (!name || length == 0)
        return TESS_OK;
    if (constant)
        return code_add_constant(elf->reader->image, name, length, value, global);
    uint32_t address = value + (elf->relocatable ? elf->addresses[index] : 0);
    if (is_mapping(name, length))
        return add_mapping(elf, name, address, index);
    return code_add_symbol(elf->reader->image, name, length, address, global);
}

static enum tess_status read_symbol_table(struct elf_reader *elf,
                                          const struct elf_view_section *table)
{
    struct elf_view_symbol symbol;
    if (table->entry != ELF32_SYMBOL_BYTES || !inside(elf, table) ||
        table->size / ELF32_SYMBOL_BYTES > SYMBOLS_MAX)
        return REFUSE(
            elf, "code-elf", "strip the file",
            "the symbol table is malformed: it has entries of %u bytes, and 0x%x bytes at offset "
            "0x%x",
            (unsigned)table->entry, (unsigned)table->size, (unsigned)table->offset);
    const struct elf_view_section names = string_table(elf, table->link);
    enum tess_status status = TESS_OK;
    for (uint32_t i = 0; status == TESS_OK && elf_view_symbol(&elf->view, table, i, &symbol); i++)
        status = take_symbol(elf, &names, &symbol);
    return status;
}

static enum tess_status read_symbols(struct elf_reader *elf)
{
    struct elf_view_section section;
    enum tess_status status = TESS_OK;
    for (uint32_t i = 0; status == TESS_OK && elf_view_section(&elf->view, i, &section); i++)
        if (section.type == ELF_SHT_SYMTAB)
            status = read_symbol_table(elf, &section);
    return status;
}

/* --- sections that are not loaded --- */

/* Finds the section named wanted. Returns its index, or 0 if there is no such section or it has no
 * content. */
static uint32_t find_section(const struct elf_reader *elf, const char *wanted,
                             struct elf_view_section *found)
{
    for (uint32_t i = 1; elf_view_section(&elf->view, i, found); i++) {
        size_t length = 0;
        const char *name = string_at(elf, &elf->strings, found->name, &length);
        if (name && strcmp(name, wanted) == 0 && found->type == ELF_SHT_PROGBITS && found->size &&
            inside(elf, found))
            return i;
    }
    return 0;
}

static enum tess_status read_steps(struct elf_reader *elf)
{
    struct elf_view_section section;
    if (elf->relocatable || !find_section(elf, ".tessera", &section))
        return TESS_OK;
    char *text = malloc((size_t)section.size + 1);
    if (!text)
        return TESS_NO_MEMORY;
    memcpy(text, elf->reader->bytes + section.offset, (size_t)section.size);
    text[section.size] = 0;
    elf->reader->image->steps = text;
    return TESS_OK;
}

/* Sets *base to the address of symbol number of the symbol table that a relocation section uses.
 * Returns false if the symbol is not in a loaded section. */
static bool relocation_base(const struct elf_reader *elf,
                            const struct elf_view_section *relocations, uint32_t number,
                            uint32_t *base)
{
    struct elf_view_section symbols;
    struct elf_view_symbol symbol;
    if (!elf_view_section(&elf->view, relocations->link, &symbols) ||
        symbols.type != ELF_SHT_SYMTAB || !elf_view_symbol(&elf->view, &symbols, number, &symbol) ||
        !is_loaded(elf, &symbol))
        return false;
    *base = (uint32_t)symbol.value + elf->addresses[symbol.section];
    return true;
}

/* Applies the relocations of a section. bytes is a copy of the section that they change. */
static void relocate(const struct elf_reader *elf, const struct elf_view_section *relocations,
                     struct buffer *bytes)
{
    struct elf_view_relocation relocation;
    uint32_t base;
    for (uint32_t i = 0; elf_view_relocation(&elf->view, relocations, i, &relocation); i++) {
        if (relocation.type != ELF_R_ARM_ABS32 || bytes->size < 4 ||
            relocation.offset > bytes->size - 4 ||
            !relocation_base(elf, relocations, relocation.symbol, &base))
            continue;
        uint8_t *word = bytes->data + relocation.offset;
        store_le32(word, load_le32(word) + base);
    }
}

static enum tess_status read_lines(struct elf_reader *elf)
{
    struct elf_view_section section, relocations;
    struct buffer bytes = {0};
    uint32_t number = find_section(elf, ".debug_line", &section);
    if (number == 0)
        return TESS_OK;
    buffer_append(&bytes, elf->reader->bytes + section.offset, (size_t)section.size);
    for (uint32_t i = 0;
         !bytes.failed && elf->relocatable && elf_view_section(&elf->view, i, &relocations); i++)
        if (relocations.type == ELF_SHT_REL && relocations.info == number)
            relocate(elf, &relocations, &bytes);
    enum tess_status status = bytes.failed
                                  ? TESS_NO_MEMORY
                                  : code_read_lines(elf->reader->image, bytes.data, bytes.size);
    buffer_free(&bytes);
    return status;
}

/* --- ranges --- */

static int compare_ranges(const void *one, const void *other)
{
    const struct code_range *a = one, *b = other;
    return (a->address > b->address) - (a->address < b->address);
}

/* Ends the range of each mapping symbol at the next mapping symbol or at the end of the section. */
static void close_ranges(struct code_image *image)
{
    if (image->range_count)
        qsort(image->ranges, image->range_count, sizeof *image->ranges, compare_ranges);
    size_t kept = 0;
    for (size_t i = 0; i < image->range_count; i++) {
        struct code_range range = image->ranges[i];
        bool last = i + 1 == image->range_count;
        if (!last && image->ranges[i + 1].address - range.address < range.size)
            range.size = image->ranges[i + 1].address - range.address;
        if (range.size)
            image->ranges[kept++] = range;
    }
    image->range_count = kept;
}

enum tess_status code_read_elf(struct code_reader *reader)
{
    static enum tess_status (*const stages[])(struct elf_reader *) = {
        check_header, load_sections, load_segments, read_steps, read_symbols, read_lines,
    };
    struct elf_reader elf = {.reader = reader};
    enum tess_status status = TESS_OK;
    for (size_t i = 0; status == TESS_OK && i < sizeof stages / sizeof stages[0]; i++)
        status = stages[i](&elf);
    free(elf.addresses);
    free(elf.loaded);
    close_ranges(reader->image);
    if (status == TESS_OK && reader->image->segment_count == 0)
        return REFUSE(&elf, "code-elf", NULL, "the file has no section or segment with content");
    return status;
}
