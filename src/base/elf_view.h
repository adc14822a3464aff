/* SPDX-License-Identifier: MIT */
/* elf_view.h - reads sections and symbols of an ELF file in memory, of either class (32 or 64 bits)
 * and either byte order. The functions allocate nothing. They never read outside the file's bytes,
 * even if the file is malformed. */
#ifndef BASE_ELF_VIEW_H
#define BASE_ELF_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct elf_view {
    const uint8_t *bytes;
    size_t size;
    bool wide, big;           /* true for ELFCLASS64; true for big-endian files */
    uint16_t type;            /* ET_ value */
    uint64_t sections, entry; /* offset of the section headers, and size of one header, in bytes */
    uint32_t count, names; /* number of sections; index of the section with the sections' names */
};

struct elf_view_section {
    uint32_t name, type, link;
    uint64_t flags, address, offset, size, entry;
};

struct elf_view_symbol {
    uint32_t name;
    uint8_t type; /* STT_ value */
    uint16_t section;
    uint64_t value, size;
};

/* Opens the file in bytes. Returns false if bytes are not an ELF file. */
bool elf_view_open(struct elf_view *view, const uint8_t *bytes, size_t size);

/* Reads the header of the section with index `number`. Returns false if the file contains no such
 * section. */
bool elf_view_section(const struct elf_view *view, uint32_t number,
                      struct elf_view_section *section);

/* Reads the symbol with index `number` of a symbol table. Returns false if the table contains no
 * such symbol. */
bool elf_view_symbol(const struct elf_view *view, const struct elf_view_section *table,
                     uint64_t number, struct elf_view_symbol *symbol);

/* Returns the NUL-terminated string at an offset of a string table section, or NULL if the section
 * contains no such string. */
const char *elf_view_string(const struct elf_view *view, uint32_t section, uint32_t offset);

#endif
