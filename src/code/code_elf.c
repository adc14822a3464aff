/* SPDX-License-Identifier: MIT */
/* code_elf.c - reads machine code from an ELF file: a scene, or a relocatable object of
 * tessera or vc4asm.
 *
 * In:       the file. Every field is checked against the file's size before it is used.
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
#include "code/code_read.h"

enum {
    EHDR_BYTES = 52,
    PHDR_BYTES = 32,
    SHDR_BYTES = 40,
    SYM_BYTES = 16,
    NAME_MAX_BYTES = 4096,
    SYMBOLS_MAX = 1 << 20,

    ELFCLASS32 = 1,
    ELFDATA2LSB = 1,
    ET_REL = 1,
    PT_LOAD = 1,
    SHT_PROGBITS = 1,
    SHT_SYMTAB = 2,
    SHT_STRTAB = 3,
    SHT_NOBITS = 8,
    SHT_REL = 9,
    SHF_ALLOC = 2,
    STT_SECTION = 3,
    STT_FILE = 4,
    SHN_ABS = 0xfff1,
    REL_BYTES = 8,
    R_ARM_ABS32 = 2,
};

struct section {
    uint32_t name, type, flags, address, offset, size, link, info, alignment, entry_size;
};

struct elf_reader {
    struct code_reader *reader;
    bool relocatable;
    uint32_t section_count;
    const uint8_t *sections;
    /* For each section: its address, and true if it is loaded. The address is valid for loaded
     * sections only. */
    uint32_t *addresses;
    bool *loaded;
    uint64_t total;         /* number of bytes that have been copied */
    struct section strings; /* string table with the names of sections; its size is 0 if the file
                             * has no such table */
};

#define REFUSE(elf, rule, hint, ...) code_refuse((elf)->reader, (rule), 0, 0, (hint), __VA_ARGS__)

static bool inside(const struct elf_reader *elf, uint64_t offset, uint64_t size)
{
    return offset <= elf->reader->size && size <= elf->reader->size - offset;
}

static bool known_machine(unsigned machine)
{
    static const uint16_t known[] = {0, 40, 95, 137, 198}; /* ELF machine numbers: none, ARM,
                                                            * VideoCore 1, 3, 5 */
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (known[i] == machine)
            return true;
    return false;
}

static enum tess_status check_header(struct elf_reader *elf)
{
    static const char hint[] = "give an ELF32 little-endian file";
    static const uint8_t magic[] = {0x7f, 'E', 'L', 'F'};
    const uint8_t *bytes = elf->reader->bytes;
    size_t size = elf->reader->size;
    if (size < sizeof magic || memcmp(bytes, magic, sizeof magic) != 0)
        return REFUSE(elf, "code-elf", hint, "this is not an ELF file");
    if (size < EHDR_BYTES)
        return REFUSE(
            elf, "code-elf", hint,
            "the ELF header is truncated: the file has %zu bytes, but the header needs %d", size,
            EHDR_BYTES);
    if (bytes[4] != ELFCLASS32 || bytes[5] != ELFDATA2LSB)
        return REFUSE(elf, "code-elf", hint,
                      "the ELF class is %u and the byte order %u, not ELF32 and little-endian",
                      bytes[4], bytes[5]);
    if (!known_machine(load_le16(bytes + 18)))
        return REFUSE(elf, "code-elf", hint, "the ELF machine is %u, which has no QPU",
                      load_le16(bytes + 18));
    elf->relocatable = load_le16(bytes + 16) == ET_REL;
    return TESS_OK;
}

/* --- sections --- */

static struct section section_at(const struct elf_reader *elf, uint32_t index)
{
    const uint8_t *header = elf->sections + (size_t)index * SHDR_BYTES;
    return (struct section){
        .name = load_le32(header),
        .type = load_le32(header + 4),
        .flags = load_le32(header + 8),
        .address = load_le32(header + 12),
        .offset = load_le32(header + 16),
        .size = load_le32(header + 20),
        .link = load_le32(header + 24),
        .info = load_le32(header + 28),
        .alignment = load_le32(header + 32),
        .entry_size = load_le32(header + 36),
    };
}

/* Returns the section with an index if it is a string table. Otherwise returns a section of size
 * 0. */
static struct section string_table(const struct elf_reader *elf, uint32_t index)
{
    struct section table = index < elf->section_count ? section_at(elf, index)
                                                      : (struct section){0};
    bool good = table.type == SHT_STRTAB && inside(elf, table.offset, table.size);
    return good ? table : (struct section){0};
}

/* Returns the name at an offset of a string table, and its length in *length. Returns NULL if the
 * name is not terminated or has characters that are blank or not printable. */
static const char *string_at(const struct elf_reader *elf, const struct section *table,
                             uint32_t offset, size_t *length)
{
    if (offset >= table->size)
        return NULL;
    const char *text = (const char *)elf->reader->bytes + table->offset + offset;
    size_t most = table->size - offset < NAME_MAX_BYTES ? table->size - offset : NAME_MAX_BYTES;
    const char *end = memchr(text, 0, most);
    if (!end)
        return NULL;
    for (const char *at = text; at < end; at++)
        if ((uint8_t)*at <= ' ' || *at == 0x7f)
            return NULL;
    *length = (size_t)(end - text);
    return text;
}

static enum tess_status find_sections(struct elf_reader *elf)
{
    const uint8_t *bytes = elf->reader->bytes;
    uint32_t offset = load_le32(bytes + 32);
    uint32_t entry = load_le16(bytes + 46), count = load_le16(bytes + 48);
    if (count == 0)
        return TESS_OK;
    if (entry != SHDR_BYTES || !inside(elf, offset, (uint64_t)count * entry))
        return REFUSE(
            elf, "code-elf", "check the file with 'readelf -S'; it may be truncated",
            "the section headers are malformed: %u headers of %u bytes each, at offset 0x%x", count,
            entry, (unsigned)offset);
    elf->sections = bytes + offset;
    elf->section_count = count;
    elf->addresses = calloc(count, sizeof *elf->addresses);
    elf->loaded = calloc(count, sizeof *elf->loaded);
    if (!elf->addresses || !elf->loaded)
        return TESS_NO_MEMORY;
    elf->strings = string_table(elf, load_le16(bytes + 50));
    return TESS_OK;
}

/* Sets the address of a section. The sections of a relocatable object have no addresses, so this
 * function places each section after the preceding one. */
static enum tess_status place_section(struct elf_reader *elf, uint32_t index,
                                      const struct section *section)
{
    uint32_t least = elf->reader->alignment;
    uint32_t alignment = section->alignment > least ? section->alignment : least;
    uint32_t base = elf->reader->base;
    if (!elf->relocatable || section->address) {
        elf->addresses[index] = section->address;
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

static enum tess_status add_bytes(struct elf_reader *elf, uint32_t address, uint32_t offset,
                                  uint32_t size, const char *name, size_t name_length)
{
    struct buffer bytes = {0};
    elf->total += size;
    if (elf->total > elf->reader->size)
        return REFUSE(elf, "code-elf", NULL, "the contents of sections or segments overlap");
    buffer_append(&bytes, elf->reader->bytes + offset, size);
    return code_add_segment(elf->reader->image, address, &bytes, name, name_length);
}

static enum tess_status load_section(struct elf_reader *elf, uint32_t index)
{
    struct section section = section_at(elf, index);
    if (section.type == SHT_NOBITS && (section.flags & SHF_ALLOC) && !elf->relocatable) {
        elf->addresses[index] = section.address; /* load_segments() reserves the memory of this
                                                  * section */
        elf->loaded[index] = true;
    }
    if (section.type != SHT_PROGBITS || !(section.flags & SHF_ALLOC) || section.size == 0)
        return TESS_OK;
    if (!inside(elf, section.offset, section.size))
        return REFUSE(elf, "code-elf", "check the file with 'readelf -S'; it may be truncated",
                      "section %u lies outside of the file: 0x%x bytes at offset 0x%x", index,
                      (unsigned)section.size, (unsigned)section.offset);
    enum tess_status status = place_section(elf, index, &section);
    if (status != TESS_OK)
        return status;
    size_t length = 0;
    const char *name = string_at(elf, &elf->strings, section.name, &length);
    elf->loaded[index] = true;
    return add_bytes(elf, elf->addresses[index], section.offset, section.size, name, length);
}

static enum tess_status load_sections(struct elf_reader *elf)
{
    enum tess_status status = find_sections(elf);
    for (uint32_t i = 0; status == TESS_OK && i < elf->section_count; i++)
        status = load_section(elf, i);
    return status;
}

/* --- segments: content if there are no sections; memory after the stored bytes --- */

static enum tess_status add_reserve(struct elf_reader *elf, const uint8_t *header)
{
    uint32_t address = load_le32(header + 8), stored = load_le32(header + 16);
    uint32_t size = load_le32(header + 20);
    uint64_t start = (uint64_t)address + stored;
    if (size <= stored || start > UINT32_MAX)
        return TESS_OK;
    return code_add_reserve(elf->reader->image,
                            (struct code_range){(uint32_t)start, size - stored, CODE_UNKNOWN});
}

static enum tess_status load_segment(struct elf_reader *elf, const uint8_t *header, uint32_t number,
                                     bool with_content)
{
    uint32_t offset = load_le32(header + 4), size = load_le32(header + 16);
    if (load_le32(header) != PT_LOAD)
        return TESS_OK;
    enum tess_status status = add_reserve(elf, header);
    if (status != TESS_OK || size == 0 || !with_content)
        return status;
    if (!inside(elf, offset, size))
        return REFUSE(elf, "code-elf", "check the file with 'readelf -l'; it may be truncated",
                      "segment %u lies outside of the file: 0x%x bytes at offset 0x%x", number,
                      (unsigned)size, (unsigned)offset);
    return add_bytes(elf, load_le32(header + 8), offset, size, NULL, 0);
}

static enum tess_status load_segments(struct elf_reader *elf)
{
    const uint8_t *bytes = elf->reader->bytes;
    uint32_t offset = load_le32(bytes + 28);
    uint32_t entry = load_le16(bytes + 42), count = load_le16(bytes + 44);
    bool with_content = elf->reader->image->segment_count == 0;
    if (count == 0 || elf->relocatable)
        return TESS_OK;
    if (entry != PHDR_BYTES || !inside(elf, offset, (uint64_t)count * entry))
        return REFUSE(
            elf, "code-elf", NULL,
            "the program headers are malformed: %u headers of %u bytes each, at offset 0x%x", count,
            entry, (unsigned)offset);
    enum tess_status status = TESS_OK;
    for (uint32_t i = 0; status == TESS_OK && i < count; i++)
        status = load_segment(elf, bytes + offset + (size_t)i * PHDR_BYTES, i, with_content);
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
    uint32_t size = section_at(elf, index).size, offset = address - elf->addresses[index];
    if (offset >= size)
        return TESS_OK;
    return code_add_range(elf->reader->image, (struct code_range){address, size - offset, content});
}

static bool is_mapping(const char *name, size_t length)
{
    return length >= 2 && name[0] == '$' && (length == 2 || name[2] == '.');
}

static enum tess_status take_symbol(struct elf_reader *elf, const struct section *names,
                                    const uint8_t *symbol)
{
    unsigned type = symbol[12] & 15, bind = symbol[12] >> 4, index = load_le16(symbol + 14);
    size_t length = 0;
    bool constant = index == SHN_ABS && elf->reader->image->steps;
    bool loaded = index < elf->section_count && elf->loaded[index];
    if (type == STT_SECTION || type == STT_FILE || !(constant || loaded))
        return TESS_OK;
    const char *name = string_at(elf, names, load_le32(symbol), &length);
    if (!name || length == 0)
        return TESS_OK;
    if (constant)
        return code_add_constant(elf->reader->image, name, length, load_le32(symbol + 4),
                                 bind != 0);
    uint32_t address = load_le32(symbol + 4) + (elf->relocatable ? elf->addresses[index] : 0);
    if (is_mapping(name, length))
        return add_mapping(elf, name, address, index);
    return code_add_symbol(elf->reader->image, name, length, address, bind != 0);
}

static enum tess_status read_symbol_table(struct elf_reader *elf, const struct section *table)
{
    uint32_t count = table->size / SYM_BYTES;
    if (table->entry_size != SYM_BYTES || !inside(elf, table->offset, table->size) ||
        count > SYMBOLS_MAX)
        return REFUSE(
            elf, "code-elf", "strip the file",
            "the symbol table is malformed: it has entries of %u bytes, and 0x%x bytes at offset "
            "0x%x",
            (unsigned)table->entry_size, (unsigned)table->size, (unsigned)table->offset);
    struct section names = string_table(elf, table->link);
    enum tess_status status = TESS_OK;
    for (uint32_t i = 0; status == TESS_OK && i < count; i++)
        status = take_symbol(elf, &names,
                             elf->reader->bytes + table->offset + (size_t)i * SYM_BYTES);
    return status;
}

static enum tess_status read_symbols(struct elf_reader *elf)
{
    enum tess_status status = TESS_OK;
    for (uint32_t i = 0; status == TESS_OK && i < elf->section_count; i++) {
        struct section section = section_at(elf, i);
        if (section.type == SHT_SYMTAB)
            status = read_symbol_table(elf, &section);
    }
    return status;
}

/* --- sections that are not loaded --- */

/* Finds the section named wanted. Returns its index, or 0 if there is no such section or it has no
 * content. */
static uint32_t find_section(const struct elf_reader *elf, const char *wanted,
                             struct section *found)
{
    for (uint32_t i = 1; i < elf->section_count; i++) {
        *found = section_at(elf, i);
        size_t length = 0;
        const char *name = string_at(elf, &elf->strings, found->name, &length);
        if (name && strcmp(name, wanted) == 0 && found->type == SHT_PROGBITS && found->size &&
            inside(elf, found->offset, found->size))
            return i;
    }
    return 0;
}

static enum tess_status read_steps(struct elf_reader *elf)
{
    struct section section;
    if (elf->relocatable || !find_section(elf, ".tessera", &section))
        return TESS_OK;
    char *text = malloc((size_t)section.size + 1);
    if (!text)
        return TESS_NO_MEMORY;
    memcpy(text, elf->reader->bytes + section.offset, section.size);
    text[section.size] = 0;
    elf->reader->image->steps = text;
    return TESS_OK;
}

/* Sets *base to the address of symbol number of the symbol table that a relocation section uses.
 * Returns false if the symbol is not in a loaded section. */
static bool relocation_base(const struct elf_reader *elf, const struct section *relocations,
                            uint32_t number, uint32_t *base)
{
    struct section symbols = relocations->link < elf->section_count
                                 ? section_at(elf, relocations->link)
                                 : (struct section){0};
    uint64_t offset = symbols.offset + (uint64_t)number * SYM_BYTES;
    if (symbols.type != SHT_SYMTAB || number >= symbols.size / SYM_BYTES ||
        !inside(elf, offset, SYM_BYTES))
        return false;
    const uint8_t *symbol = elf->reader->bytes + offset;
    uint32_t index = load_le16(symbol + 14);
    if (index >= elf->section_count || !elf->loaded[index])
        return false;
    *base = load_le32(symbol + 4) + elf->addresses[index];
    return true;
}

/* Applies the relocations of a section. bytes is a copy of the section that they change. */
static void relocate(const struct elf_reader *elf, const struct section *relocations,
                     struct buffer *bytes)
{
    for (uint32_t i = 0; i < relocations->size / REL_BYTES; i++) {
        const uint8_t *entry = elf->reader->bytes + relocations->offset + (size_t)i * REL_BYTES;
        uint32_t offset = load_le32(entry), info = load_le32(entry + 4), base;
        if ((info & 255) != R_ARM_ABS32 || bytes->size < 4 || offset > bytes->size - 4 ||
            !relocation_base(elf, relocations, info >> 8, &base))
            continue;
        store_le32(bytes->data + offset, load_le32(bytes->data + offset) + base);
    }
}

static enum tess_status read_lines(struct elf_reader *elf)
{
    struct section section;
    struct buffer bytes = {0};
    uint32_t number = find_section(elf, ".debug_line", &section);
    if (number == 0)
        return TESS_OK;
    buffer_append(&bytes, elf->reader->bytes + section.offset, section.size);
    for (uint32_t i = 0; !bytes.failed && elf->relocatable && i < elf->section_count; i++) {
        struct section relocations = section_at(elf, i);
        if (relocations.type == SHT_REL && relocations.info == number &&
            inside(elf, relocations.offset, relocations.size))
            relocate(elf, &relocations, &bytes);
    }
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
