/* SPDX-License-Identifier: MIT */
/* symbols.h - a table of named values, in order of first mention. */
#ifndef ASM_SYMBOLS_H
#define ASM_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "asm/expr.h"

struct source_line;

struct asm_symbol {
    char *name;
    uint32_t hash;
    struct asm_value value;
    uint32_t pass;        /* pass that last defined the symbol, 0 if it is not defined */
    bool global, changed; /* changed: true if a pass assigned two different values */
    bool final;           /* true if defined by .const */
    /* Label: index of its region. Numbered label: number of its latest definition plus 1. */
    uint32_t region;
    const struct source_line *line; /* line of the definition, NULL for the command line */
};

/* Zero-initialise the struct and free it with symbols_free(). */
struct asm_symbols {
    struct asm_symbol *items;
    size_t count;
    uint32_t *slots; /* hash table of item numbers plus 1, 0 for free slots */
    size_t slot_count;
};

uint32_t asm_hash(const char *name, size_t length);

/* Returns the symbol, or NULL if the table does not contain it. */
struct asm_symbol *symbols_find(const struct asm_symbols *symbols, const char *name, size_t length);

/* Like symbols_find(), with hash = asm_hash(name, length). */
struct asm_symbol *symbols_find_hashed(const struct asm_symbols *symbols, const char *name,
                                       size_t length, uint32_t hash);

/* Finds or adds a symbol. Returns NULL if the host is out of memory. The pointer is valid until the
 * next call. */
struct asm_symbol *symbols_add(struct asm_symbols *symbols, const char *name, size_t length);

void symbols_free(struct asm_symbols *symbols);

/* Returns a NUL-terminated copy, or NULL if the host is out of memory. */
char *asm_copy(const char *text, size_t length);

#endif
