/* SPDX-License-Identifier: MIT */
/* write_elf.c - see write_elf.h.
 *
 * Source: System V ABI, chapter 4 (object files). Mapping symbols follow ELF for the ARM
 *         Architecture, 4.5.5, which defines "$d" for data. "$q" (QPU), "$g" (GP) and "$s" (A2xx)
 *         are our additions, because "$a" means ARM and "$t" means Thumb instructions. */
#include "asm/write_elf.h"

#include <string.h>

#include "asm/write_private.h"
#include "base/bits.h"

enum { SECTION_SIZE = 40 };

/* Appends a name and its NUL. Returns the offset of the name in the string table. */
static uint32_t add_string(struct buffer *strings, const char *name)
{
    uint32_t offset = (uint32_t)strings->size;
    buffer_append(strings, name, strlen(name) + 1);
    return offset;
}

static void align(struct buffer *out, uint32_t alignment)
{
    while (out->size % alignment != 0 && !out->failed)
        buffer_byte(out, 0);
}

void elf_file_begin(struct elf_file *file, struct buffer *out, uint32_t type, uint32_t machine,
                    uint32_t flags, uint32_t segment_count)
{
    static const uint8_t identity[16] = {
        0x7f, 'E', 'L', 'F', 1 /* ELFCLASS32 */, 1 /* ELFDATA2LSB */, 1 /* EV_CURRENT */};
    *file = (struct elf_file){.out = out};
    buffer_append(out, identity, sizeof identity);
    buffer_le16(out, type);
    buffer_le16(out, machine);
    buffer_le32(out, 1); /* e_version */
    buffer_le32(out, 0); /* e_entry */
    buffer_le32(out, segment_count > 0 ? ELF_HEADER_SIZE : 0);
    buffer_le32(out, 0); /* e_shoff, set by elf_file_end() */
    buffer_le32(out, flags);
    buffer_le16(out, ELF_HEADER_SIZE);
    buffer_le16(out, segment_count > 0 ? ELF_SEGMENT_SIZE : 0);
    buffer_le16(out, segment_count);
    buffer_le16(out, SECTION_SIZE);
    buffer_le16(out, 0); /* e_shnum, set by elf_file_end() */
    buffer_le16(out, 0); /* e_shstrndx, set by elf_file_end() */
    elf_file_section(file, &(struct elf_section){.name = ""});
    elf_file_symbol(file, &(struct elf_symbol_entry){.name = ""});
}

uint32_t elf_file_section(struct elf_file *file, const struct elf_section *section)
{
    const uint32_t words[SECTION_SIZE / 4] = {add_string(&file->section_names, section->name),
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
        buffer_le32(&file->sections, words[i]);
    return file->section_count++;
}

uint32_t elf_file_content(struct elf_file *file, struct elf_section section, const void *content,
                          size_t size)
{
    align(file->out, section.alignment > 4 ? section.alignment : 4);
    section.offset = (uint32_t)file->out->size;
    section.size = (uint32_t)size;
    buffer_append(file->out, content, size);
    return elf_file_section(file, &section);
}

uint32_t elf_file_symbol(struct elf_file *file, const struct elf_symbol_entry *symbol)
{
    buffer_le32(&file->symbols, add_string(&file->symbol_names, symbol->name));
    buffer_le32(&file->symbols, symbol->value);
    buffer_le32(&file->symbols, symbol->size);
    buffer_byte(&file->symbols, (uint8_t)symbol->info);
    buffer_byte(&file->symbols, 0);
    buffer_le16(&file->symbols, symbol->section);
    return file->symbol_count++;
}

/* Returns the mapping symbol for code. Instructions have 16 bytes on the GP and 12 on the A2xx. */
static const char *code_mark(uint32_t unit)
{
    return unit == 16 ? "$g" : unit == 12 ? "$s" : "$q";
}

void elf_file_mapping(struct elf_file *file, uint32_t unit, const struct asm_origin *origins,
                      size_t count, uint32_t bias, uint32_t section)
{
    for (size_t i = 0; i < count; i++)
        if (i == 0 || origins[i].code != origins[i - 1].code)
            elf_file_symbol(
                file, &(struct elf_symbol_entry){.name = origins[i].code ? code_mark(unit) : "$d",
                                                 .value = origins[i].address - bias,
                                                 .section = section});
}

uint32_t elf_file_symbol_table(struct elf_file *file)
{
    struct elf_section table = {.name = ".symtab",
                                .type = ELF_SECTION_SYMBOLS,
                                .link = file->section_count + 1,
                                .info = file->local_count,
                                .alignment = 4,
                                .entry_size = ELF_SYMBOL_SIZE};
    struct elf_section strings = {.name = ".strtab", .type = ELF_SECTION_STRINGS, .alignment = 1};
    uint32_t number = elf_file_content(file, table, file->symbols.data, file->symbols.size);
    elf_file_content(file, strings, file->symbol_names.data, file->symbol_names.size);
    return number;
}

static void add_section_names(struct elf_file *file)
{
    /* Add the section first, so that the table that is written contains its name. */
    struct elf_section names = {.name = ".shstrtab", .type = ELF_SECTION_STRINGS, .alignment = 1};
    names.offset = (uint32_t)file->out->size;
    names.size = (uint32_t)(file->section_names.size + strlen(names.name) + 1);
    elf_file_section(file, &names);
    buffer_append(file->out, file->section_names.data, file->section_names.size);
}

bool elf_file_end(struct elf_file *file)
{
    enum { AT_OFFSET = 32, AT_COUNT = 48, AT_NAMES = 50 };
    struct buffer *out = file->out;
    add_section_names(file);
    align(out, 4);
    uint32_t offset = (uint32_t)out->size;
    buffer_append(out, file->sections.data, file->sections.size);
    bool good = !out->failed && !file->sections.failed && !file->section_names.failed &&
                !file->symbols.failed && !file->symbol_names.failed;
    if (good) {
        store_le32(out->data + AT_OFFSET, offset);
        store_le16(out->data + AT_COUNT, (uint16_t)file->section_count);
        store_le16(out->data + AT_NAMES, (uint16_t)(file->section_count - 1));
    }
    buffer_free(&file->sections);
    buffer_free(&file->section_names);
    buffer_free(&file->symbols);
    buffer_free(&file->symbol_names);
    return good;
}
