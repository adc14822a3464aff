/* SPDX-License-Identifier: MIT */
/* symbols.c - see symbols.h. The hash table uses open addressing and is at most half full. */
#include "asm/symbols.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* Returns the 32-bit FNV-1a hash of a name. */
uint32_t asm_hash(const char *name, size_t length)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (uint8_t)name[i]) * 16777619u;
    return hash;
}

/* Returns the slot of the name, or the free slot in which to add it. */
static size_t find_slot(const struct asm_symbols *symbols, const char *name, size_t length,
                        uint32_t hash)
{
    size_t slot = hash & (symbols->slot_count - 1);
    for (; symbols->slots[slot]; slot = (slot + 1) & (symbols->slot_count - 1)) {
        const struct asm_symbol *symbol = &symbols->items[symbols->slots[slot] - 1];
        if (symbol->hash == hash && strncmp(symbol->name, name, length) == 0 &&
            symbol->name[length] == '\0')
            break;
    }
    return slot;
}

struct asm_symbol *symbols_find_hashed(const struct asm_symbols *symbols, const char *name,
                                       size_t length, uint32_t hash)
{
    if (symbols->slot_count == 0)
        return NULL;
    size_t slot = find_slot(symbols, name, length, hash);
    return symbols->slots[slot] ? &symbols->items[symbols->slots[slot] - 1] : NULL;
}

struct asm_symbol *symbols_find(const struct asm_symbols *symbols, const char *name, size_t length)
{
    return symbols->count ? symbols_find_hashed(symbols, name, length, asm_hash(name, length))
                          : NULL;
}

static bool rehash(struct asm_symbols *symbols)
{
    size_t slot_count = symbols->slot_count ? symbols->slot_count * 2 : 64;
    uint32_t *slots = calloc(slot_count, sizeof *slots);
    if (!slots)
        return false;
    free(symbols->slots);
    symbols->slots = slots;
    symbols->slot_count = slot_count;
    for (size_t i = 0; i < symbols->count; i++) {
        size_t slot = symbols->items[i].hash & (slot_count - 1);
        while (slots[slot])
            slot = (slot + 1) & (slot_count - 1);
        slots[slot] = (uint32_t)i + 1;
    }
    return true;
}

static bool make_room(struct asm_symbols *symbols)
{
    if (symbols->count * 2 >= symbols->slot_count && !rehash(symbols))
        return false;
    return ARRAY_GROW(symbols->items, symbols->count);
}

struct asm_symbol *symbols_add(struct asm_symbols *symbols, const char *name, size_t length)
{
    struct asm_symbol *found = symbols_find(symbols, name, length);
    if (found)
        return found;
    char *copy = asm_copy(name, length);
    if (!copy || !make_room(symbols)) {
        free(copy);
        return NULL;
    }
    uint32_t hash = asm_hash(name, length);
    symbols->slots[find_slot(symbols, name, length, hash)] = (uint32_t)symbols->count + 1;
    struct asm_symbol *symbol = &symbols->items[symbols->count++];
    *symbol = (struct asm_symbol){.name = copy, .hash = hash};
    return symbol;
}

void symbols_free(struct asm_symbols *symbols)
{
    for (size_t i = 0; i < symbols->count; i++) {
        free(symbols->items[i].name);
    }
    free(symbols->items);
    free(symbols->slots);
    *symbols = (struct asm_symbols){0};
}

char *asm_copy(const char *text, size_t length)
{
    char *copy = malloc(length + 1);
    if (copy) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}
