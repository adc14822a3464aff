/* SPDX-License-Identifier: MIT */
/* elf.h - what a scene needs of an ELF file: segments, symbols and one text section. */
#ifndef SCENE_ELF_H
#define SCENE_ELF_H

#include <tessera/tessera.h>

#include "base/buffer.h"

enum {
    ELF_MAX_SEGMENTS = 4096,
    ELF_MAX_SYMBOLS = 1 << 20,
    ELF_MAX_NAME = 256, /* symbols with longer names are left out */
};

#define ELF_ADDRESS_SPACE (UINT32_C(1) << 30)
#define ELF_ADDRESS_MASK  (ELF_ADDRESS_SPACE - 1)

/* Memory at a bus address whose alias bits are masked off. */
struct elf_segment {
    uint32_t base, size;
    uint32_t file_offset, file_size; /* the rest of size is zero */
};

/* name points into the file. */
struct elf_symbol {
    uint32_t value;
    uint32_t size;  /* bytes; 0 if it is not known */
    uint32_t order; /* place in the symbol table */
    uint8_t info;   /* type and binding */
    bool constant;  /* SHN_ABS: a number that may look like an address */
    const char *name;
};

struct elf {
    struct elf_segment *segments; /* by base, none empty, none overlapping */
    uint32_t segment_count;
    struct elf_symbol *symbols;
    uint32_t symbol_count;
    struct elf_symbol *marks; /* where instructions and data begin: "$q", "$d" */
    uint32_t mark_count;
    const char *text; /* section ".tessera" */
    uint32_t text_size;
    const uint8_t *data; /* section ".tessera.data"; NULL if there is none */
    uint32_t data_size;
};

/* Reads file, which must outlive *elf. name stands for it in diagnostics. Release with elf_free(),
 * also after an error. Errors: TESS_BAD_INPUT (the sink has the reason), TESS_NO_MEMORY. */
enum tess_status elf_read(struct elf *elf, const struct buffer *file, const char *name,
                          struct tess_sink sink);
void elf_free(struct elf *elf);

#endif
