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

#include "base/diag.h"
#include "base/elf_view.h"

struct reader {
    struct elf *elf;
    struct elf_view view;
    const char *name;
    struct tess_sink sink;
};

static enum tess_status refuse(const struct reader *reader, const char *rule, const char *hint,
                               const char *format, ...) __attribute__((format(printf, 4, 5)));

static enum tess_status refuse(const struct reader *reader, const char *rule, const char *hint,
                               const char *format, ...)
{
    struct tess_finding diag = {
        .level = TESS_ERROR, .id = rule, .hint = hint, .file = reader->name};
    va_list arguments;
    va_start(arguments, format);
    diag_vreport(reader->sink, &diag, format, arguments);
    va_end(arguments);
    return TESS_BAD_INPUT;
}

/* --- header --- */

static enum tess_status check_identification(struct reader *reader, const struct buffer *file)
{
    static const char hint[] = "create a scene with 'tessera asm -o NAME.elf' from a source with "
                               "'.scene' steps (docs/scene.md); a scene is an ELF32 "
                               "little-endian file";
    struct elf_view_ident ident;
    if (!elf_view_is_elf(file->data, file->size))
        return refuse(reader, "elf-magic", hint, "this is not an ELF file");
    if (file->size < ELF32_HEADER_BYTES || !elf_view_identify(file->data, file->size, &ident))
        return refuse(reader, "elf-truncated", hint,
                      "the ELF header is truncated: %zu bytes of "
                      "%d",
                      file->size, ELF32_HEADER_BYTES);
    if (ident.class != ELF_CLASS_32)
        return refuse(reader, "elf-class", hint, "the ELF class is %u, not ELF32", ident.class);
    if (ident.order != ELF_LITTLE)
        return refuse(reader, "elf-byte-order", hint,
                      "the ELF data encoding is %u, not little-endian", ident.order);
    if (ident.machine != ELF_EM_NONE && ident.machine != ELF_EM_ARM)
        return refuse(reader, "elf-machine", hint, "the ELF machine is %u, neither none nor ARM",
                      ident.machine);
    return elf_view_open(&reader->view, file->data, file->size) ? TESS_OK : TESS_BAD_INPUT;
}

/* --- segments --- */

static enum tess_status add_segment(struct reader *reader, const struct elf_view_segment *segment,
                                    uint32_t number)
{
    static const char hint[] = "check the file with 'readelf -l'; it may be truncated";
    const uint32_t offset = (uint32_t)segment->offset, address = (uint32_t)segment->address;
    const uint32_t file_size = (uint32_t)segment->stored, size = (uint32_t)segment->size;
    const uint32_t base = address & ELF_ADDRESS_MASK;

    if (size == 0 && file_size == 0)
        return TESS_OK;
    if (file_size > size)
        return refuse(
            reader, "elf-segment", hint,
            "segment %u at 0x%08x has more bytes in the file (0x%x) than in memory (0x%x)", number,
            address, file_size, size);
    if (!elf_view_bytes(&reader->view, offset, file_size))
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
    const struct elf_view_table *headers = &reader->view.segments;
    const uint32_t entry = headers->entry, count = headers->count;
    if (count == 0)
        return refuse(reader, "elf-no-memory", "link the object file first",
                      "the file has no program headers, so it describes no memory");
    if (entry != ELF32_SEGMENT_BYTES || count == ELF_PN_XNUM ||
        !elf_view_has_table(&reader->view, headers))
        return refuse(reader, "elf-program-headers", NULL,
                      "the program headers are malformed: %u headers of %u bytes each, at offset "
                      "0x%x",
                      count, entry, (unsigned)headers->offset);
    if (count > ELF_MAX_SEGMENTS)
        return refuse(reader, "elf-segment", NULL,
                      "the file has %u program headers; at most %d are read", count,
                      ELF_MAX_SEGMENTS);
    reader->elf->segments = calloc(count, sizeof *reader->elf->segments);
    if (!reader->elf->segments)
        return TESS_NO_MEMORY;

    for (uint32_t i = 0; i < count; i++) {
        struct elf_view_segment segment = {0};
        elf_view_segment(&reader->view, i, &segment);
        enum tess_status status = segment.type == ELF_PT_LOAD ? add_segment(reader, &segment, i)
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

static enum tess_status check_sections(struct reader *reader)
{
    const struct elf_view_table *headers = &reader->view.sections;
    if (headers->count == 0)
        return refuse(reader, "elf-no-steps", "add a section \".tessera\", see docs/scene.md",
                      "the file has no sections and therefore no scene steps");
    if (headers->entry != ELF32_SECTION_BYTES || !elf_view_has_table(&reader->view, headers))
        return refuse(reader, "elf-section-headers", NULL,
                      "the section headers are malformed: %u headers of %u bytes each, at offset "
                      "0x%x",
                      headers->count, headers->entry, (unsigned)headers->offset);
    return TESS_OK;
}

/* Sets *table to the string table with this section number. */
static enum tess_status string_table(const struct reader *reader, uint32_t index,
                                     struct elf_view_section *table)
{
    if (!elf_view_section(&reader->view, index, table))
        return refuse(reader, "elf-strings", NULL,
                      "string table %u does not exist; the file has "
                      "%u sections",
                      index, reader->view.sections.count);
    if (table->type != ELF_SHT_STRTAB || !elf_view_bytes(&reader->view, table->offset, table->size))
        return refuse(reader, "elf-strings", NULL, "section %u is not a valid string table", index);
    return TESS_OK;
}

/* Returns the string at offset of a table. Returns NULL if the string is not terminated in the
 * table or is too long. */
static const char *string_at(const struct reader *reader, const struct elf_view_section *table,
                             uint32_t offset)
{
    return elf_view_text(&reader->view, table, offset, ELF_MAX_NAME);
}

/* Sets *bytes and *size to a section's contents. *bytes must be NULL at first. If *bytes is not
 * NULL, the file has two sections with this name, which is an error. */
static enum tess_status use_section(struct reader *reader, const struct elf_view_section *section,
                                    const char *name, const uint8_t **bytes, uint32_t *size)
{
    const uint8_t *content = elf_view_bytes(&reader->view, section->offset, section->size);
    if (*bytes)
        return refuse(reader, "elf-steps", NULL, "the file has two sections \"%s\"", name);
    if (section->type == ELF_SHT_NOBITS || !content)
        return refuse(reader, "elf-steps", NULL,
                      "section \"%s\" is outside of the file: 0x%x bytes at offset 0x%x", name,
                      (unsigned)section->size, (unsigned)section->offset);
    *bytes = content;
    *size = (uint32_t)section->size;
    return TESS_OK;
}

static enum tess_status read_text(struct reader *reader)
{
    struct elf_view_section names = {0}, section;
    const uint8_t *text = NULL;
    enum tess_status status = string_table(reader, reader->view.names, &names);
    for (uint32_t i = 0; status == TESS_OK && elf_view_section(&reader->view, i, &section); i++) {
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

static void add_symbol(struct reader *reader, const struct elf_view_section *names,
                       const struct elf_view_symbol *symbol, uint32_t order)
{
    if (symbol->section == ELF_SHN_UNDEF || symbol->type == ELF_STT_SECTION ||
        symbol->type == ELF_STT_FILE)
        return;
    const char *name = string_at(reader, names, symbol->name);
    if (!usable_name(name))
        return;
    struct elf *elf = reader->elf;
    struct elf_symbol *to = *name == '$' ? &elf->marks[elf->mark_count++]
                                         : &elf->symbols[elf->symbol_count++];
    *to = (struct elf_symbol){
        .value = (uint32_t)symbol->value,
        .size = (uint32_t)symbol->size,
        .order = order,
        .info = symbol->info,
        .constant = symbol->section == ELF_SHN_ABS,
        .name = name,
    };
}

static enum tess_status read_symbol_table(struct reader *reader,
                                          const struct elf_view_section *table)
{
    const uint32_t count = (uint32_t)table->size / ELF32_SYMBOL_BYTES;
    struct elf_view_section names = {0};
    struct elf_view_symbol symbol;
    if (table->entry != ELF32_SYMBOL_BYTES ||
        !elf_view_bytes(&reader->view, table->offset, table->size))
        return refuse(
            reader, "elf-symbols", NULL,
            "the symbol table is malformed: entries of %u bytes, 0x%x bytes at offset 0x%x",
            (unsigned)table->entry, (unsigned)table->size, (unsigned)table->offset);
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
    for (uint32_t i = 0; elf_view_symbol(&reader->view, table, i, &symbol); i++)
        add_symbol(reader, &names, &symbol, i);
    return TESS_OK;
}

/* Reads the first symbol table. A file has at most one. */
static enum tess_status read_symbols(struct reader *reader)
{
    struct elf_view_section section;
    for (uint32_t i = 0; elf_view_section(&reader->view, i, &section); i++)
        if (section.type == ELF_SHT_SYMTAB)
            return read_symbol_table(reader, &section);
    return TESS_OK;
}

enum tess_status elf_read(struct elf *elf, const struct buffer *file, const char *name,
                          struct tess_sink sink)
{
    static enum tess_status (*const stages[])(struct reader *) = {read_segments, check_sections,
                                                                  read_text, read_symbols};

    *elf = (struct elf){0};
    struct reader reader = {.elf = elf, .name = name, .sink = sink};
    enum tess_status status = check_identification(&reader, file);
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
