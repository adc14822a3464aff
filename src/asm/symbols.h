/* SPDX-License-Identifier: MIT */
/* symbols.h - a table of named values, in order of their first mention. */
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
    uint32_t pass;                  /* the pass that defined it last; 0: not defined */
    bool global, changed;           /* changed: had more than one value */
    bool final;                     /* defined by .const */
    uint32_t region;                /* of a label: number of its region */
    const struct source_line *line; /* where it was defined; NULL for the command line */
};

/* Zero-initialise it, free it with symbols_free(). */
struct asm_symbols {
    struct asm_symbol *items;
    size_t count, capacity;
    uint32_t *slots; /* hash table of item number + 1 */
    size_t slot_count;
};

uint32_t asm_hash(const char *name, size_t length);

/* NULL if there is none. */
struct asm_symbol *symbols_find(const struct asm_symbols *symbols, const char *name, size_t length);

/* The same for who has asm_hash(name, length) already. */
struct asm_symbol *symbols_find_hashed(const struct asm_symbols *symbols, const char *name,
                                       size_t length, uint32_t hash);

/* Finds or adds; NULL if the host is out of memory. Pointers live until the next call. */
struct asm_symbol *symbols_add(struct asm_symbols *symbols, const char *name, size_t length);

void symbols_free(struct asm_symbols *symbols);

/* A NUL-terminated copy; NULL if the host is out of memory. */
char *asm_copy(const char *text, size_t length);

#endif
