/* SPDX-License-Identifier: MIT */
/* write_elf.h - builds an ELF32 little-endian file: sections, symbols, strings. */
#ifndef ASM_WRITE_ELF_H
#define ASM_WRITE_ELF_H

#include "asm/asm.h"

enum {
    ELF_HEADER_SIZE = 52,
    ELF_SEGMENT_SIZE = 32,
    ELF_SYMBOL_SIZE = 16,
    ELF_TYPE_RELOCATABLE = 1,
    ELF_TYPE_EXECUTABLE = 2,
    ELF_MACHINE_NONE = 0,
    ELF_MACHINE_ARM = 40,
    ELF_SECTION_PROGRAM = 1,
    ELF_SECTION_SYMBOLS = 2,
    ELF_SECTION_STRINGS = 3,
    ELF_SECTION_ZEROS = 8,
    ELF_SECTION_RELOCATIONS = 9,
    ELF_FLAG_WRITE = 1,
    ELF_FLAG_ALLOCATE = 2,
    ELF_FLAG_EXECUTE = 4,
    ELF_FLAG_INFO_LINK = 0x40,
    ELF_INDEX_ABSOLUTE = 0xfff1,
    ELF_SYMBOL_UNTYPED = 0,
    ELF_SYMBOL_OBJECT = 1,
    ELF_SYMBOL_SECTION = 3,
    ELF_SYMBOL_FILE = 4,
    ELF_BIND_GLOBAL = 1 << 4,
};

/* Fields of a section header. */
struct elf_section {
    const char *name;
    uint32_t type, flags, address, offset, size, link, info, alignment, entry_size;
};

struct elf_symbol_entry {
    const char *name;
    uint32_t value, size;
    uint32_t info; /* type ELF_SYMBOL_... and binding ELF_BIND_... */
    uint32_t section;
};

/* A file under construction. `out` receives the file header, then section contents in order of the
 * calls, then the section headers. */
struct elf_file {
    struct buffer *out;
    struct buffer sections, section_names, symbols, symbol_names;
    uint32_t section_count, symbol_count;
    /* Number of symbols before the first global one. Set it before elf_file_symbol_table(). */
    uint32_t local_count;
};

/* Begins a file with its header, the empty section and the empty symbol. */
void elf_file_begin(struct elf_file *file, struct buffer *out, uint32_t type, uint32_t machine,
                    uint32_t flags, uint32_t segment_count);

/* Adds a section header without content. Returns the section's number. */
uint32_t elf_file_section(struct elf_file *file, const struct elf_section *section);

/* Adds a section with content at the current end of the file, and sets the section's offset and
 * size. Returns the section's number. */
uint32_t elf_file_content(struct elf_file *file, struct elf_section section, const void *content,
                          size_t size);

/* Adds a symbol; local symbols must be added first. Returns the symbol's number. */
uint32_t elf_file_symbol(struct elf_file *file, const struct elf_symbol_entry *symbol);

/* Adds local mapping symbols where instructions of unit bytes ("$q", "$g", "$s") and data ("$d")
 * begin. A symbol's value is its address minus bias. */
void elf_file_mapping(struct elf_file *file, uint32_t unit, const struct asm_origin *origins,
                      size_t count, uint32_t bias, uint32_t section);

/* Adds the symbol table and its string table. Returns the section number of the symbol table. */
uint32_t elf_file_symbol_table(struct elf_file *file);

/* Adds the section headers and frees all buffers except *out. Returns false if the host is out of
 * memory. */
bool elf_file_end(struct elf_file *file);

#endif
