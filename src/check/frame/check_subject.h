/* SPDX-License-Identifier: MIT */
/* check_subject.h - programs in memory that are being checked, from a source or from a file.
 *
 * In:  blocks of memory, the entries of programs, and the steps of a scene.
 * Out: calls of the machine's checker, and its findings with places.
 *
 * check_assembled.c and check_image.c define what differs (struct check_subject_kind). The first
 * member of their struct is the struct check_subject that the functions receive. */
#ifndef CHECK_FRAME_CHECK_SUBJECT_H
#define CHECK_FRAME_CHECK_SUBJECT_H

#include "check/frame/check.h"
#include "check/frame/check_scene.h"
#include "check/frame/check_written.h"

struct check_block {
    uint32_t address;
    const uint8_t *bytes;
    size_t size;
};

struct check_subject {
    const struct check_subject_kind *kind;
    struct check_job *job;
    const char *name; /* file name */
    struct tess_sink sink;
    const char *notes; /* text of the section ".tessera", or NULL */
    size_t notes_size;
    struct check_entry *entries;
    size_t entry_count;
    struct check_stored *stored;
    size_t stored_count;
    struct check_block block; /* the block being checked */
    bool no_memory;
};

struct check_subject_kind {
    bool source; /* true for a source: options about programs then take precedence over the scene,
                  * and findings name the line of the other instruction */

    /* Returns the block with a number. Returns false if there is none. */
    bool (*block)(const struct check_subject *subject, size_t number, struct check_block *block);

    /* Returns the file, line and column of an address. */
    struct tess_check_place (*line_of)(const struct check_subject *subject, uint32_t address);

    /* As in struct check_scene, with the struct check_subject as user. */
    bool (*symbol)(void *user, const char *name, uint32_t *address);
    const char *(*name)(void *user, uint32_t address, uint32_t *offset);
    void (*found)(void *user, enum check_rule rule, uint32_t address, const char *text);

    /* check_set_instruction() of check.h */
    void (*set_instruction)(const struct check_job *job, struct tess_check_place *place,
                            uint32_t length, const uint8_t *bytes, size_t size);
    void (*report)(struct check_subject *subject, enum check_rule rule, const char *text,
                   struct tess_check_details *details);

    /* Sets content[] of all words; finds programs that are written as numbers, and returns false if
     * the host is out of memory; marks words whose kind is a guess, or is NULL. */
    void (*mark)(const struct check_subject *subject, const struct check_written *written);
    bool (*find_written)(struct check_subject *subject, const struct check_written *written);
    void (*guess)(const struct check_subject *subject, const struct check_written *written);
};

/* Adds an entry with the facts that the options give. Returns NULL if the host is out of memory. */
struct check_entry *check_subject_add(struct check_subject *subject, uint32_t address, bool sure);

/* Returns the first entry at an address, or NULL. */
struct check_entry *check_subject_find(const struct check_subject *subject, uint32_t address);

/* Returns the scene in the notes. check_scene_read() adds its programs to the entries. */
struct check_scene check_subject_scene(struct check_subject *subject);

/* Checks the programs in a block, from address base on. Returns false if the host is out of
 * memory. */
bool check_subject_run(struct check_subject *subject, const struct check_block *block,
                       uint32_t base);

void check_subject_free(struct check_subject *subject);

#endif
