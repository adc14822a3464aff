/* SPDX-License-Identifier: MIT */
/* check_scene.h - reads a scene's programs: start, kind, number of varyings and uniforms. Checks
 * the rules about the scene's control lists. */
#ifndef ISA_CHECK_SCENE_H
#define ISA_CHECK_SCENE_H

#include "isa/check_input.h"

struct check_scene {
    const char *text; /* text of the section ".tessera"; see docs/scene.md */
    size_t size;

    /* Returns a pointer to the memory from an address on, and its length in *left. Returns NULL if
     * no memory is at the address. */
    const uint8_t *(*memory)(void *user, uint32_t address, size_t *left);
    /* Finds the address of a symbol. Returns false if there is no such symbol. */
    bool (*symbol)(void *user, const char *name, uint32_t *address);
    /* Receives each program. */
    void (*program)(void *user, const struct check_entry *entry);
    /* Receives each image that a rendering list stores. May be NULL. */
    void (*stored)(void *user, const struct check_stored *stored);
    /* Returns the symbol at or before an address and the distance to it, or NULL if there is
     * none. */
    const char *(*name)(void *user, uint32_t address, uint32_t *offset);
    /* Receives an error in the control record at an address. */
    void (*found)(void *user, enum check_rule rule, uint32_t address, const char *text);
    void *user;
    uint32_t list; /* number of the current list; 0 before the first */
};

/* Adds a scene's facts about a program to an entry. Facts that the entry already has take
 * precedence. If several lists draw with the program, the ranges of their coordinates are
 * joined. */
void check_scene_merge(struct check_entry *to, const struct check_entry *from);

/* Appends an item to an array, which grows by realloc(). Returns false, with the array unchanged,
 * if the host is out of memory. */
bool check_stored_add(struct check_stored **items, size_t *count, const struct check_stored *item);

/* Reads the steps and the control lists that they run, down to the shader records. */
void check_scene_read(const struct check_scene *scene);

/* If a statement is a shader record ("shader.gl code=..."), reports the programs that the record
 * at address names. */
void check_scene_record(const struct check_scene *scene, const char *statement, uint32_t address);

#endif
