/* SPDX-License-Identifier: MIT */
/* check_scene.h - finds the programs of a scene, with their addresses, kinds, numbers of varyings
 * and uniforms. Checks the rules about the scene's control lists. */
#ifndef CHECK_FRAME_CHECK_SCENE_H
#define CHECK_FRAME_CHECK_SCENE_H

#include "check/frame/check_input.h"

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
    /* Returns the nearest symbol at or before an address, and sets *offset to the distance from the
     * symbol. Returns NULL if there is no such symbol. May be NULL. */
    const char *(*name)(void *user, uint32_t address, uint32_t *offset);
    /* Receives an error in the control record at an address. */
    void (*found)(void *user, enum check_rule rule, uint32_t address, const char *text);
    void *user;
    uint32_t list; /* number of the current list, counted from 1; 0 before the first list */
};

/* Adds a scene's facts about a program to an entry. Facts that the entry already has take
 * precedence. If several lists draw with the program, the range of implicit coordinates becomes the
 * union of the lists' ranges. */
void check_scene_merge(struct check_entry *to, const struct check_entry *from);

/* Appends an item to an array, which grows by realloc(). Returns false, with the array unchanged,
 * if the host is out of memory. */
bool check_stored_add(struct check_stored **items, size_t *count, const struct check_stored *item);

/* Reads the steps of the scene, the control lists that the steps run, and the shader records that
 * the lists name. */
void check_scene_read(const struct check_scene *scene);

/* Reports the programs that a shader record names. statement is the source text of a statement,
 * such as "shader.gl code=...", and address is the address of its output. Does nothing if the
 * statement is not a shader record. */
void check_scene_record(const struct check_scene *scene, const char *statement, uint32_t address);

#endif
