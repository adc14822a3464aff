/* SPDX-License-Identifier: MIT */
/* scene_elf.c - see scene_elf.h. Each field is checked, and each error has a message of its own.
 *
 * Source:   Tool Interface Standard, ELF specification 1.2 (ELF32). Field names are those of the
 *           standard.
 * Left out: extended numbering (more than 65279 sections or segments), relocation, big-endian
 *           files. */
#include "scene/scene_elf.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/diag.h"

enum {
    EHDR_BYTES = 52,
    PHDR_BYTES = 32,
    SHDR_BYTES = 40,
    SYM_BYTES = 16,

    ELFCLASS32 = 1,
    ELFDATA2LSB = 1,
    EM_NONE = 0,
    EM_ARM = 40,
    PT_LOAD = 1,
    PN_XNUM = 0xffff,
    SHT_SYMTAB = 2,
    SHT_STRTAB = 3,
    SHT_NOBITS = 8,
    SHN_UNDEF = 0,
    SHN_ABS = 0xfff1,
    STT_SECTION = 3,
    STT_FILE = 4,
};

struct reader {
    struct elf *elf;
    const uint8_t *bytes;
    size_t size;
    const char *name;
    struct tess_sink sink;
    const uint8_t *sections;
    uint32_t section_count;
};

struct section {
    uint32_t name, type, offset, size, link, entry_size;
};

static enum tess_status refuse(const struct reader *reader, const char *rule, const char *hint,
                               const char *format, ...) __attribute__((format(printf, 4, 5)));

static enum tess_status refuse(const struct reader *reader, const char *rule, const char *hint,
                               const char *format, ...)
{
    struct tess_diag diag = {
        .severity = TESS_ERROR, .rule = rule, .hint = hint, .file = reader->name};
    va_list arguments;
    va_start(arguments, format);
    diag_vreport(reader->sink, &diag, format, arguments);
    va_end(arguments);
    return TESS_BAD_INPUT;
}

static bool inside(const struct reader *reader, uint64_t offset, uint64_t size)
{
    return offset <= reader->size && size <= reader->size - offset;
}

/* --- header --- */

static enum tess_status check_identification(const struct reader *reader)
{
    static const char hint[] = "create a scene with 'tessera asm -o NAME.elf' from a source with "
                               "'.scene' steps (docs/scene.md); a scene is an ELF32 "
                               "little-endian file";
    if (reader->size < 4 || memcmp(reader->bytes, "\177ELF", 4) != 0)
        return refuse(reader, "elf-magic", hint, "this is not an ELF file");
    if (reader->size < EHDR_BYTES)
        return refuse(reader, "elf-truncated", hint,
                      "the ELF header is truncated: %zu bytes of "
                      "%d",
                      reader->size, EHDR_BYTES);
    if (reader->bytes[4] != ELFCLASS32)
        return refuse(reader, "elf-class", hint, "the ELF class is %u, not ELF32",
                      reader->bytes[4]);
    if (reader->bytes[5] != ELFDATA2LSB)
        return refuse(reader, "elf-byte-order", hint,
                      "the ELF data encoding is %u, not little-endian", reader->bytes[5]);
    uint16_t machine = load_le16(reader->bytes + 18);
    if (machine != EM_NONE && machine != EM_ARM)
        return refuse(reader, "elf-machine", hint, "the ELF machine is %u, neither none nor ARM",
                      machine);
    return TESS_OK;
}

/* --- segments --- */

static enum tess_status add_segment(struct reader *reader, const uint8_t *header, uint32_t number)
{
    static const char hint[] = "check the file with 'readelf -l'; it may be truncated";
    uint32_t offset = load_le32(header + 4), address = load_le32(header + 8);
    uint32_t file_size = load_le32(header + 16), size = load_le32(header + 20);
    uint32_t base = address & ELF_ADDRESS_MASK;

    if (size == 0 && file_size == 0)
        return TESS_OK;
    if (file_size > size)
        return refuse(
            reader, "elf-segment", hint,
            "segment %u at 0x%08x has more bytes in the file (0x%x) than in memory (0x%x)", number,
            address, file_size, size);
    if (!inside(reader, offset, file_size))
        return refuse(reader, "elf-segment", hint,
                      "segment %u at 0x%08x is outside of the file: 0x%x bytes at offset 0x%x",
                      number, address, file_size, offset);
    if (size > ELF_ADDRESS_SPACE - base)
        return refuse(reader, "elf-segment",
                      "move the segment or reduce its size; the top two "
                      "bits of a bus address do not select memory",
                      "segment %u at 0x%08x exceeds the 1 GiB address space: 0x%x bytes", number,
                      address, size);
    reader->elf->segments[reader->elf->segment_count++] = (struct elf_segment){base, size, offset,
                                                                               file_size};
    return TESS_OK;
}

static int compare_segments(const void *left, const void *right)
{
    const struct elf_segment *a = left, *b = right;
    return (a->base > b->base) - (a->base < b->base);
}

static enum tess_status check_overlaps(const struct reader *reader)
{
    const struct elf *elf = reader->elf;
    for (uint32_t i = 1; i < elf->segment_count; i++) {
        const struct elf_segment *before = &elf->segments[i - 1], *after = &elf->segments[i];
        if (after->base - before->base < before->size)
            return refuse(reader, "elf-overlap",
                          "move one of the segments; the top two address "
                          "bits do not select memory",
                          "the segments at 0x%08x (0x%x bytes) and 0x%08x overlap", before->base,
                          before->size, after->base);
    }
    return TESS_OK;
}

static enum tess_status read_segments(struct reader *reader)
{
    uint32_t offset = load_le32(reader->bytes + 28);
    uint32_t entry = load_le16(reader->bytes + 42), count = load_le16(reader->bytes + 44);
    if (count == 0)
        return refuse(reader, "elf-no-memory", "link the object file first",
                      "the file has no program headers, so it describes no memory");
    if (entry != PHDR_BYTES || count == PN_XNUM || !inside(reader, offset, (uint64_t)count * entry))
        return refuse(reader, "elf-program-headers", NULL,
                      "the program headers are malformed: %u headers of %u bytes each, at offset "
                      "0x%x",
                      count, entry, offset);
    if (count > ELF_MAX_SEGMENTS)
        return refuse(reader, "elf-segment", NULL,
                      "the file has %u program headers; at most %d are read", count,
                      ELF_MAX_SEGMENTS);
    reader->elf->segments = calloc(count, sizeof *reader->elf->segments);
    if (!reader->elf->segments)
        return TESS_NO_MEMORY;

    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *header = reader->bytes + offset + (size_t)i * PHDR_BYTES;
        enum tess_status status = load_le32(header) == PT_LOAD ? add_segment(reader, header, i)
                                                               : TESS_OK;
        if (status != TESS_OK)
            return status;
    }
    if (reader->elf->segment_count == 0)
        return refuse(reader, "elf-no-memory", NULL, "no PT_LOAD segment describes any memory");
    qsort(reader->elf->segments, reader->elf->segment_count, sizeof *reader->elf->segments,
          compare_segments);
    return check_overlaps(reader);
}

/* --- sections --- */

static enum tess_status find_sections(struct reader *reader)
{
    uint32_t offset = load_le32(reader->bytes + 32);
    uint32_t entry = load_le16(reader->bytes + 46), count = load_le16(reader->bytes + 48);
    if (count == 0)
        return refuse(reader, "elf-no-steps", "add a section \".tessera\", see docs/scene.md",
                      "the file has no sections and therefore no scene steps");
    if (entry != SHDR_BYTES || !inside(reader, offset, (uint64_t)count * entry))
        return refuse(reader, "elf-section-headers", NULL,
                      "the section headers are malformed: %u headers of %u bytes each, at offset "
                      "0x%x",
                      count, entry, offset);
    reader->sections = reader->bytes + offset;
    reader->section_count = count;
    return TESS_OK;
}

static struct section section_at(const struct reader *reader, uint32_t index)
{
    const uint8_t *header = reader->sections + (size_t)index * SHDR_BYTES;
    return (struct section){
        .name = load_le32(header),
        .type = load_le32(header + 4),
        .offset = load_le32(header + 16),
        .size = load_le32(header + 20),
        .link = load_le32(header + 24),
        .entry_size = load_le32(header + 36),
    };
}

/* Sets *table to the string table with this section number. */
static enum tess_status string_table(const struct reader *reader, uint32_t index,
                                     struct section *table)
{
    if (index >= reader->section_count)
        return refuse(reader, "elf-strings", NULL,
                      "string table %u does not exist; the file has "
                      "%u sections",
                      index, reader->section_count);
    *table = section_at(reader, index);
    if (table->type != SHT_STRTAB || !inside(reader, table->offset, table->size))
        return refuse(reader, "elf-strings", NULL, "section %u is not a valid string table", index);
    return TESS_OK;
}

/* Returns the string at offset of a table. Returns NULL if the string is not terminated in the
 * table or is too long. */
static const char *string_at(const struct reader *reader, const struct section *table,
                             uint32_t offset)
{
    if (offset >= table->size)
        return NULL;
    const char *text = (const char *)reader->bytes + table->offset + offset;
    size_t most = table->size - offset < ELF_MAX_NAME ? table->size - offset : ELF_MAX_NAME;
    return memchr(text, 0, most) ? text : NULL;
}

/* Sets *bytes and *size to a section's contents. *bytes must be NULL at first. If *bytes is not
 * NULL, the file has two sections with this name, which is an error. */
static enum tess_status use_section(struct reader *reader, const struct section *section,
                                    const char *name, const uint8_t **bytes, uint32_t *size)
{
    if (*bytes)
        return refuse(reader, "elf-steps", NULL, "the file has two sections \"%s\"", name);
    if (section->type == SHT_NOBITS || !inside(reader, section->offset, section->size))
        return refuse(reader, "elf-steps", NULL,
                      "section \"%s\" is outside of the file: 0x%x bytes at offset 0x%x", name,
                      section->size, section->offset);
    *bytes = reader->bytes + section->offset;
    *size = section->size;
    return TESS_OK;
}

static enum tess_status read_text(struct reader *reader)
{
    struct section names = {0};
    const uint8_t *text = NULL;
    enum tess_status status = string_table(reader, load_le16(reader->bytes + 50), &names);
    for (uint32_t i = 0; status == TESS_OK && i < reader->section_count; i++) {
        struct section section = section_at(reader, i);
        const char *name = string_at(reader, &names, section.name);
        if (name && strcmp(name, ".tessera") == 0)
            status = use_section(reader, &section, name, &text, &reader->elf->text_size);
        else if (name && strcmp(name, ".tessera.data") == 0)
            status = use_section(reader, &section, name, &reader->elf->data,
                                 &reader->elf->data_size);
    }
    reader->elf->text = (const char *)text;
    if (status == TESS_OK && !reader->elf->text)
        return refuse(reader, "elf-no-steps", "add a section \".tessera\", see docs/scene.md",
                      "the file has no section \".tessera\" and therefore no scene steps");
    return status;
}

/* --- symbols --- */

/* True if the name is not empty and has no control characters or blanks. */
static bool usable_name(const char *name)
{
    if (!name || !*name)
        return false;
    for (; *name; name++)
        if ((uint8_t)*name <= ' ' || *name == 0x7f)
            return false;
    return true;
}

static void add_symbol(struct reader *reader, const struct section *names, const uint8_t *symbol,
                       uint32_t order)
{
    unsigned type = symbol[12] & 15;
    if (load_le16(symbol + 14) == SHN_UNDEF || type == STT_SECTION || type == STT_FILE)
        return;
    const char *name = string_at(reader, names, load_le32(symbol));
    if (!usable_name(name))
        return;
    struct elf *elf = reader->elf;
    struct elf_symbol *to = *name == '$' ? &elf->marks[elf->mark_count++]
                                         : &elf->symbols[elf->symbol_count++];
    *to = (struct elf_symbol){
        .value = load_le32(symbol + 4),
        .size = load_le32(symbol + 8),
        .order = order,
        .info = symbol[12],
        .constant = load_le16(symbol + 14) == SHN_ABS,
        .name = name,
    };
}

static enum tess_status read_symbol_table(struct reader *reader, const struct section *table)
{
    uint32_t count = table->size / SYM_BYTES;
    struct section names = {0};
    if (table->entry_size != SYM_BYTES || !inside(reader, table->offset, table->size))
        return refuse(
            reader, "elf-symbols", NULL,
            "the symbol table is malformed: entries of %u bytes, 0x%x bytes at offset 0x%x",
            table->entry_size, table->size, table->offset);
    if (count > ELF_MAX_SYMBOLS)
        return refuse(reader, "elf-symbols", "strip the file",
                      "the file has %u symbols; at most %d are read", count, ELF_MAX_SYMBOLS);
    enum tess_status status = string_table(reader, table->link, &names);
    if (status != TESS_OK || count == 0)
        return status;
    reader->elf->symbols = calloc(count, sizeof *reader->elf->symbols);
    reader->elf->marks = calloc(count, sizeof *reader->elf->marks);
    if (!reader->elf->symbols || !reader->elf->marks)
        return TESS_NO_MEMORY;
    for (uint32_t i = 0; i < count; i++)
        add_symbol(reader, &names, reader->bytes + table->offset + (size_t)i * SYM_BYTES, i);
    return TESS_OK;
}

/* Reads the first symbol table. A file has at most one. */
static enum tess_status read_symbols(struct reader *reader)
{
    for (uint32_t i = 0; i < reader->section_count; i++) {
        struct section section = section_at(reader, i);
        if (section.type == SHT_SYMTAB)
            return read_symbol_table(reader, &section);
    }
    return TESS_OK;
}

enum tess_status elf_read(struct elf *elf, const struct buffer *file, const char *name,
                          struct tess_sink sink)
{
    static enum tess_status (*const stages[])(struct reader *) = {read_segments, find_sections,
                                                                  read_text, read_symbols};

    *elf = (struct elf){0};
    struct reader reader = {elf, file->data, file->size, name, sink, NULL, 0};
    enum tess_status status = check_identification(&reader);
    for (size_t i = 0; status == TESS_OK && i < sizeof stages / sizeof stages[0]; i++)
        status = stages[i](&reader);
    return status;
}

void elf_free(struct elf *elf)
{
    free(elf->segments);
    free(elf->symbols);
    free(elf->marks);
    *elf = (struct elf){0};
}
