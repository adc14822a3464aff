/* SPDX-License-Identifier: MIT */
/* elf_view.h - the sections and symbols of any ELF file, of 32 or 64 bits and either byte order,
 * where it lies in memory. Nothing is copied or allocated; nothing beyond the file's bytes is read,
 * whatever they are. */
#ifndef BASE_ELF_VIEW_H
#define BASE_ELF_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct elf_view {
    const uint8_t *bytes;
    size_t size;
    bool wide, big; /* of 64 bits; most significant byte first */
    uint16_t type;  /* ET_ */
    uint64_t sections, entry;
    uint32_t count, names; /* of sections; the one with their names */
};

struct elf_view_section {
    uint32_t name, type, link;
    uint64_t flags, address, offset, size, entry;
};

struct elf_view_symbol {
    uint32_t name;
    uint8_t type; /* STT_ */
    uint16_t section;
    uint64_t value, size;
};

/* False: it is no ELF file. */
bool elf_view_open(struct elf_view *view, const uint8_t *bytes, size_t size);

/* False: there is none of that number. */
bool elf_view_section(const struct elf_view *view, uint32_t number,
                      struct elf_view_section *section);

/* The symbol of that number in a table. False: there is none. */
bool elf_view_symbol(const struct elf_view *view, const struct elf_view_section *table,
                     uint64_t number, struct elf_view_symbol *symbol);

/* The string at that offset of a section. NULL: there is none. */
const char *elf_view_string(const struct elf_view *view, uint32_t section, uint32_t offset);

#endif
