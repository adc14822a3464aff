/* SPDX-License-Identifier: MIT */
/* sources_elf.c - finds QPU code in the data of an executable: arrays of words that a C
 * program uploads.
 *
 * In:       any ELF file.
 * Out:      pieces for tessera/sources.h.
 * How: data are code if one of their 64-bit words is an instruction that ends the program (signal
 *      3; manual, table 4).
 * Choices: objects of fewer than 3 instructions are ignored. If the file has no symbol table, whole
 *          sections are read instead of objects. Instructions are then searched at offsets 0 and 4,
 *          because arrays may be aligned to 4 bytes. */
#include "base/bits.h"
#include "base/elf_view.h"
#include "isa/qpu/qpu_isa.h"
#include "code/sources.h"

enum { WORD = 8, LEAST_BYTES = 3 * WORD, PHASE = 4 };

/* Returns true if the bytes contain an instruction that ends a program. */
static bool may_be_code(const uint8_t *bytes, size_t size)
{
    for (size_t at = 0; at + WORD <= size; at += WORD)
        if (load_le64(bytes + at) >> 60 == QPU_SIG_PROGRAM_END)
            return true;
    return false;
}

/* An ELF file, and the struct tess_sources that receives the file's code. */
struct elf_file {
    struct tess_sources *sources;
    struct elf_view view;
};

/* Returns the bytes of a data section, or NULL for other sections. */
static const uint8_t *section_bytes(const struct elf_file *file,
                                    const struct elf_view_section *section)
{
    return section->type == ELF_SHT_PROGBITS && (section->flags & ELF_SHF_ALLOC)
               ? elf_view_bytes(&file->view, section->offset, section->size)
               : NULL;
}

static enum tess_status add_code(const struct elf_file *file, const char *name,
                                 const uint8_t *bytes, size_t size)
{
    const char *copy = sources_copy_name(file->sources, name);
    if (!copy)
        return TESS_NO_MEMORY;
    enum tess_status status = sources_add_piece(file->sources, bytes, size, 0);
    return status == TESS_OK ? sources_add_symbol(file->sources, copy, 0) : status;
}

static enum tess_status add_object(const struct elf_file *file,
                                   const struct elf_view_symbol *symbol, const char *name)
{
    struct elf_view_section section;
    if (!elf_view_section(&file->view, symbol->section, &section))
        return TESS_OK;
    const uint8_t *bytes = section_bytes(file, &section);
    const uint64_t offset = symbol->value - (file->view.type == ELF_ET_REL ? 0 : section.address);
    if (!bytes || offset > section.size || symbol->size > section.size - offset ||
        !may_be_code(bytes + offset, symbol->size))
        return TESS_OK;
    return add_code(file, name, bytes + offset, symbol->size);
}

static bool is_object(const struct elf_view_symbol *symbol)
{
    return (symbol->type == ELF_STT_OBJECT || symbol->type == ELF_STT_NOTYPE) &&
           symbol->size >= LEAST_BYTES && symbol->section != ELF_SHN_UNDEF &&
           symbol->section < ELF_SHN_LORESERVE;
}

static enum tess_status add_objects(const struct elf_file *file,
                                    const struct elf_view_section *table)
{
    struct elf_view_symbol symbol;
    enum tess_status status = TESS_OK;
    for (uint64_t i = 0; status == TESS_OK && elf_view_symbol(&file->view, table, i, &symbol);
         i++) {
        const char *name = elf_view_string(&file->view, table->link, symbol.name);
        if (name && is_object(&symbol))
            status = add_object(file, &symbol, name);
    }
    return status;
}

/* Finds the first section of the given type. */
static bool find_section(const struct elf_file *file, uint32_t type,
                         struct elf_view_section *section)
{
    for (uint32_t i = 1; elf_view_section(&file->view, i, section); i++)
        if (section->type == type)
            return true;
    return false;
}

/* Adds a section as a piece that begins at offset 0, and as another piece that begins at offset
 * 4. */
static enum tess_status add_section(const struct elf_file *file, const char *name,
                                    const uint8_t *bytes, size_t size)
{
    enum tess_status status = TESS_OK;
    for (size_t phase = 0; phase <= PHASE && phase < size && status == TESS_OK; phase += PHASE)
        if (may_be_code(bytes + phase, size - phase))
            status = add_code(file, name, bytes + phase, size - phase);
    return status;
}

static enum tess_status add_sections(const struct elf_file *file)
{
    struct elf_view_section section;
    enum tess_status status = TESS_OK;
    for (uint32_t i = 1; status == TESS_OK && elf_view_section(&file->view, i, &section); i++) {
        const uint8_t *bytes = section_bytes(file, &section);
        const char *name = elf_view_string(&file->view, file->view.names, section.name);
        if (bytes && name && !(section.flags & ELF_SHF_EXECINSTR))
            status = add_section(file, name, bytes, section.size);
    }
    return status;
}

enum tess_status sources_read_objects(struct tess_sources *sources, const uint8_t *bytes,
                                      size_t size)
{
    struct elf_file file = {.sources = sources};
    struct elf_view_section table;
    const uint32_t pieces = sources->pieces;
    if (!elf_view_open(&file.view, bytes, size))
        return TESS_BAD_INPUT;
    elf_view_extend(&file.view);
    const bool found = find_section(&file, ELF_SHT_SYMTAB, &table) ||
                       find_section(&file, ELF_SHT_DYNSYM, &table);
    const enum tess_status status = found ? add_objects(&file, &table) : TESS_OK;
    return status == TESS_OK && sources->pieces == pieces ? add_sections(&file) : status;
}
