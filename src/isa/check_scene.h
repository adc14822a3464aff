/* SPDX-License-Identifier: MIT */
/* check_scene.h - what a scene says of its programs: where they begin, what runs them, how many varyings they have, and
 * with which uniforms; and the rules about its control lists. */
#ifndef ISA_CHECK_SCENE_H
#define ISA_CHECK_SCENE_H

#include "isa/check_input.h"

struct check_scene {
    const char *text; /* of the section ".tessera"; see docs/scene.md */
    size_t size;

    /* The bytes of memory from an address on; NULL if there are none. */
    const uint8_t *(*memory)(void *user, uint32_t address, size_t *left);
    /* The address that a symbol names. */
    bool (*symbol)(void *user, const char *name, uint32_t *address);
    /* Takes a program. */
    void (*program)(void *user, const struct check_entry *entry);
    /* Takes an image that a rendering list stores. NULL: it is not wanted. */
    void (*stored)(void *user, const struct check_stored *stored);
    /* The symbol at or before an address, and the distance to it; NULL: there is none. */
    const char *(*name)(void *user, uint32_t address, uint32_t *offset);
    /* Takes what is wrong with the control record at an address. */
    void (*found)(void *user, enum check_rule rule, uint32_t address, const char *text);
    void *user;
    uint32_t list; /* the number of the list at hand; 0 to begin with */
};

/* Adds to an entry what a scene says of the program there. What is known of it counts more; of what several lists draw with it, all
 * counts. */
void check_scene_merge(struct check_entry *to, const struct check_entry *from);

/* Appends an item to an array, which grows by realloc(). False: there is no memory, and the array is as it was. */
bool check_stored_add(struct check_stored **items, size_t *count, const struct check_stored *item);

/* Reads the steps, and the control lists that they run, up to the shader records. */
void check_scene_read(const struct check_scene *scene);

/* What a statement puts out, if it is a shader record ("shader.gl code=..."): reports the programs
 * that it names. */
void check_scene_record(const struct check_scene *scene, const char *statement, uint32_t address);

#endif
