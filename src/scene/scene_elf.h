/* SPDX-License-Identifier: MIT */
/* scene_elf.h - reads the parts of an ELF file that a scene needs, which are the segments, the
 * symbols, and the sections ".tessera" and ".tessera.data". */
#ifndef SCENE_SCENE_ELF_H
#define SCENE_SCENE_ELF_H

#include <tessera/tessera.h>

#include "base/buffer.h"

enum {
    ELF_MAX_SEGMENTS = 4096,
    ELF_MAX_SYMBOLS = 1 << 20,
    ELF_MAX_NAME = 256, /* maximum size of a symbol's name with the NUL; longer ones are ignored */
};

#define ELF_ADDRESS_SPACE (UINT32_C(1) << 30)
#define ELF_ADDRESS_MASK  (ELF_ADDRESS_SPACE - 1)

/* A range of memory. `base` is a bus address without its alias bits. */
struct elf_segment {
    uint32_t base, size;
    uint32_t file_offset, file_size; /* bytes beyond file_size are zero */
};

/* A symbol. name points into the file. */
struct elf_symbol {
    uint32_t value;
    uint32_t size;  /* size in bytes, 0 if unknown */
    uint32_t order; /* index in the symbol table */
    uint8_t info;   /* type and binding */
    bool constant;  /* true if the value is a number and not an address (SHN_ABS) */
    const char *name;
};

struct elf {
    struct elf_segment *segments; /* segments with content, sorted by base, without overlaps */
    uint32_t segment_count;
    struct elf_symbol *symbols;
    uint32_t symbol_count;
    struct elf_symbol *marks; /* mapping symbols ("$q", "$d"), where instructions and data begin */
    uint32_t mark_count;
    const char *text; /* contents of section ".tessera" */
    uint32_t text_size;
    const uint8_t *data; /* contents of section ".tessera.data", or NULL without this section */
    uint32_t data_size;
};

/* Reads `file`, which must outlive *elf. `name` is the file's name in diagnostics. The caller must
 * call elf_free() even after an error. Errors: TESS_BAD_INPUT (reported to the sink),
 * TESS_NO_MEMORY. */
enum tess_status elf_read(struct elf *elf, const struct buffer *file, const char *name,
                          struct tess_sink sink);
void elf_free(struct elf *elf);

#endif
