/* SPDX-License-Identifier: MIT */
/* elf_view.h - reads headers, sections, symbols and relocations of an ELF file in memory, of either
 * class (32 or 64 bits) and either byte order. The functions allocate nothing. They never read
 * outside the file's bytes, even if the file is malformed. */
#ifndef BASE_ELF_VIEW_H
#define BASE_ELF_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Values of fields, with the names of the standard after ELF_. */
enum {
    ELF_CLASS_32 = 1,
    ELF_CLASS_64 = 2,
    ELF_LITTLE = 1,
    ELF_BIG = 2,
    ELF_ET_REL = 1,
    ELF_EM_NONE = 0,
    ELF_EM_ARM = 40,
    ELF_PT_LOAD = 1,
    ELF_PT_INTERP = 3,
    ELF_PN_XNUM = 0xffff,
    ELF_SHT_PROGBITS = 1,
    ELF_SHT_SYMTAB = 2,
    ELF_SHT_STRTAB = 3,
    ELF_SHT_NOBITS = 8,
    ELF_SHT_REL = 9,
    ELF_SHT_DYNSYM = 11,
    ELF_SHF_ALLOC = 2,
    ELF_SHF_EXECINSTR = 4,
    ELF_SHN_UNDEF = 0,
    ELF_SHN_LORESERVE = 0xff00,
    ELF_SHN_ABS = 0xfff1,
    ELF_STB_LOCAL = 0,
    ELF_STT_NOTYPE = 0,
    ELF_STT_OBJECT = 1,
    ELF_STT_SECTION = 3,
    ELF_STT_FILE = 4,
    ELF_R_ARM_ABS32 = 2,
};

/* Sizes of the structures of a 32-bit file, in bytes. */
enum {
    ELF32_HEADER_BYTES = 52,
    ELF32_SEGMENT_BYTES = 32,
    ELF32_SECTION_BYTES = 40,
    ELF32_SYMBOL_BYTES = 16,
    ELF32_RELOCATION_BYTES = 8,
};

/* The first bytes of an ELF file, which have the same layout in all files. */
struct elf_view_ident {
    uint8_t class, order; /* ELF_CLASS_ value; ELF_LITTLE or ELF_BIG */
    uint16_t machine;     /* EM_ value; read as little-endian if the byte order is unknown */
};

/* A table of headers: its offset, the size of one header, and the number of headers. */
struct elf_view_table {
    uint64_t offset;
    uint32_t entry, count;
};

struct elf_view {
    const uint8_t *bytes;
    size_t size;
    bool wide, big; /* true for ELF_CLASS_64; true for big-endian files */
    uint16_t type, machine;
    uint64_t entry; /* address of the first instruction */
    struct elf_view_table segments, sections;
    uint32_t names; /* index of the section with the sections' names */
};

struct elf_view_segment {
    uint32_t type;
    uint64_t offset, address, physical; /* virtual and physical address */
    uint64_t stored, size;              /* `stored`: number of bytes in the file */
};

struct elf_view_section {
    uint32_t name, type, link, info;
    uint64_t flags, address, offset, size, alignment, entry;
};

struct elf_view_symbol {
    uint32_t name;
    uint8_t info;       /* type and binding */
    uint8_t type, bind; /* STT_ value; STB_ value */
    uint16_t section;
    uint64_t value, size;
};

/* A relocation without addend. */
struct elf_view_relocation {
    uint64_t offset;
    uint32_t symbol, type; /* index of the symbol; R_ value */
};

/* Returns true if the bytes begin as each ELF file does. */
bool elf_view_is_elf(const uint8_t *bytes, size_t size);

/* Reads the first bytes of an ELF file, of which the rest may be missing. Returns false if the
 * bytes are too few, or are not an ELF file. */
bool elf_view_identify(const uint8_t *bytes, size_t size, struct elf_view_ident *ident);

/* Opens the file in bytes. The tables are those that the file header states; they may lie outside
 * of the file. Returns false if the bytes are not an ELF file with a whole file header. */
bool elf_view_open(struct elf_view *view, const uint8_t *bytes, size_t size);

/* If the number of sections, or the index of the section with their names, does not fit into the
 * file header, reads it from the first section header. If the file has no valid section headers,
 * sets the number of sections to 0. */
void elf_view_extend(struct elf_view *view);

/* Returns true if all headers of the table lie in the file. */
bool elf_view_has_table(const struct elf_view *view, const struct elf_view_table *table);

/* Returns the bytes of a range of the file, or NULL if they lie outside of the file. */
const uint8_t *elf_view_bytes(const struct elf_view *view, uint64_t offset, uint64_t size);

/* Reads the program header with index `number`. Returns false if the file contains no such
 * header. */
bool elf_view_segment(const struct elf_view *view, uint32_t number,
                      struct elf_view_segment *segment);

/* Reads the header of the section with index `number`. Returns false if the file contains no such
 * section. */
bool elf_view_section(const struct elf_view *view, uint32_t number,
                      struct elf_view_section *section);

/* Reads the symbol with index `number` of a symbol table. Returns false if the table contains no
 * such symbol. */
bool elf_view_symbol(const struct elf_view *view, const struct elf_view_section *table,
                     uint64_t number, struct elf_view_symbol *symbol);

/* Reads the relocation with index `number` of a section of type ELF_SHT_REL. Returns false if the
 * section contains no such relocation. */
bool elf_view_relocation(const struct elf_view *view, const struct elf_view_section *table,
                         uint64_t number, struct elf_view_relocation *relocation);

/* Returns the NUL-terminated string at an offset of a section, or NULL if the section contains no
 * such string, or if the string and its NUL are longer than `most` bytes. */
const char *elf_view_text(const struct elf_view *view, const struct elf_view_section *section,
                          uint32_t offset, size_t most);

/* Returns the NUL-terminated string at an offset of the string table section with index `section`,
 * or NULL if there is no such string table or string. */
const char *elf_view_string(const struct elf_view *view, uint32_t section, uint32_t offset);

#endif
