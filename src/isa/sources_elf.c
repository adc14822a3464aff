/* SPDX-License-Identifier: MIT */
/* sources_elf.c - QPU code in the data of an executable: arrays of words that a C program uploads.
 *
 * In:       any ELF file. Out: pieces for tessera/sources.h.
 * Source:   libelf; what code has that other data has not: an instruction that ends the program (signal 3, manual
 *           table 5), at a whole number of words from its start.
 * Choices:  objects of 3 instructions at least. A file without a symbol table is taken by its sections, with instructions at both
 *           places where 4-byte alignment can put them. */
#include <gelf.h>
#include <libelf.h>

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "isa/qpu/qpu_isa.h"
#include "isa/sources.h"

enum { WORD = 8, LEAST_BYTES = 3 * WORD, PHASE = 4 };

/* Whether an instruction of these bytes ends a program. */
static bool may_be_code(const uint8_t *bytes, size_t size)
{
    for (size_t at = 0; at + WORD <= size; at += WORD)
        if (load_le64(bytes + at) >> 60 == QPU_SIG_PROGRAM_END)
            return true;
    return false;
}

/* An ELF file with the sections that it gives its data in. */
struct elf_file {
    struct tess_sources *sources;
    Elf *elf;
    const uint8_t *bytes;
    size_t size;
};

/* The bytes of a section of data; NULL: it is none. */
static const uint8_t *section_bytes(const struct elf_file *file, Elf_Scn *section,
                                    GElf_Shdr *header)
{
    if (!section || !gelf_getshdr(section, header) || header->sh_type != SHT_PROGBITS ||
        !(header->sh_flags & SHF_ALLOC) || header->sh_offset > file->size ||
        header->sh_size > file->size - header->sh_offset)
        return NULL;
    return file->bytes + header->sh_offset;
}

static enum tess_status add_object(const struct elf_file *file, const GElf_Sym *symbol,
                                   const char *name, bool relocatable)
{
    GElf_Shdr header;
    const uint8_t *bytes = section_bytes(file, elf_getscn(file->elf, symbol->st_shndx), &header);
    uint64_t offset = symbol->st_value - (relocatable ? 0 : header.sh_addr);
    if (!bytes || offset > header.sh_size || symbol->st_size > header.sh_size - offset ||
        !may_be_code(bytes + offset, symbol->st_size))
        return TESS_OK;
    const char *copy = sources_copy_name(file->sources, name);
    if (!copy)
        return TESS_NO_MEMORY;
    enum tess_status status = sources_add_piece(file->sources, bytes + offset, symbol->st_size, 0);
    return status == TESS_OK ? sources_add_symbol(file->sources, copy, 0) : status;
}

static bool is_object(const GElf_Sym *symbol)
{
    unsigned type = GELF_ST_TYPE(symbol->st_info);
    return (type == STT_OBJECT || type == STT_NOTYPE) && symbol->st_size >= LEAST_BYTES &&
           symbol->st_shndx != SHN_UNDEF && symbol->st_shndx < SHN_LORESERVE;
}

static enum tess_status add_objects(const struct elf_file *file, Elf_Scn *table,
                                    const GElf_Shdr *header)
{
    GElf_Ehdr file_header;
    Elf_Data *data = elf_getdata(table, NULL);
    bool relocatable = gelf_getehdr(file->elf, &file_header) && file_header.e_type == ET_REL;
    enum tess_status status = TESS_OK;
    for (int i = 0; data && status == TESS_OK; i++) {
        GElf_Sym symbol;
        if (!gelf_getsym(data, i, &symbol))
            break;
        const char *name = elf_strptr(file->elf, header->sh_link, symbol.st_name);
        if (name && is_object(&symbol))
            status = add_object(file, &symbol, name, relocatable);
    }
    return status;
}

/* The section of that type, or NULL. */
static Elf_Scn *find_section(const struct elf_file *file, uint32_t type, GElf_Shdr *header)
{
    Elf_Scn *section = NULL;
    while ((section = elf_nextscn(file->elf, section)) != NULL)
        if (gelf_getshdr(section, header) && header->sh_type == type)
            return section;
    return NULL;
}

static enum tess_status add_sections(const struct elf_file *file)
{
    size_t names;
    Elf_Scn *section = NULL;
    enum tess_status status = TESS_OK;
    if (elf_getshdrstrndx(file->elf, &names) != 0)
        return TESS_OK;
    while (status == TESS_OK && (section = elf_nextscn(file->elf, section)) != NULL) {
        GElf_Shdr header;
        const uint8_t *bytes = section_bytes(file, section, &header);
        const char *name = bytes ? elf_strptr(file->elf, names, header.sh_name) : NULL;
        if (!name || (header.sh_flags & SHF_EXECINSTR))
            continue;
        const char *copy = sources_copy_name(file->sources, name);
        for (size_t phase = 0; phase <= PHASE && phase < header.sh_size && status == TESS_OK;
             phase += PHASE) {
            if (!may_be_code(bytes + phase, header.sh_size - phase))
                continue;
            status = copy ? sources_add_piece(file->sources, bytes + phase, header.sh_size - phase,
                                              0)
                          : TESS_NO_MEMORY;
            if (status == TESS_OK)
                status = sources_add_symbol(file->sources, copy, 0);
        }
    }
    return status;
}

enum tess_status sources_read_objects(struct tess_sources *sources, const uint8_t *bytes,
                                      size_t size)
{
    if (elf_version(EV_CURRENT) == EV_NONE)
        return TESS_BAD_INPUT;
    char *copy = malloc(size ? size : 1); /* libelf may write to it */
    if (!copy)
        return TESS_NO_MEMORY;
    memcpy(copy, bytes, size);
    struct elf_file file = {sources, elf_memory(copy, size), bytes, size};
    enum tess_status status = TESS_BAD_INPUT;
    const uint32_t pieces = sources->pieces;
    GElf_Shdr header;
    if (file.elf && elf_kind(file.elf) == ELF_K_ELF) {
        Elf_Scn *table = find_section(&file, SHT_SYMTAB, &header);
        if (!table)
            table = find_section(&file, SHT_DYNSYM, &header);
        status = table ? add_objects(&file, table, &header) : TESS_OK;
        if (status == TESS_OK && sources->pieces == pieces)
            status = add_sections(&file);
    }
    elf_end(file.elf);
    free(copy);
    return status;
}
