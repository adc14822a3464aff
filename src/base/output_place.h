/* SPDX-License-Identifier: MIT */
/* output_place.h - which file a path means to somebody who writes. */
#ifndef BASE_OUTPUT_PLACE_H
#define BASE_OUTPUT_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sys/stat.h>

struct output_place {
    char *path;         /* the file, behind all symbolic links */
    size_t folder_size; /* bytes of path that name the folder, with the slash; 0: the current one */
    struct stat folder;
    struct stat status; /* of the file, if it exists */
    bool exists;
    bool is_link;   /* one of /proc, which leads to an open file */
    int descriptor; /* of this process, which path means; else -1 */
};

/* Finds the place; "-" is standard output. False with errno set: there can be no such file. Release with output_place_free()
 * in any case. */
bool output_place_find(struct output_place *place, const char *path);
void output_place_free(struct output_place *place);

/* Whether a file is written aside and renamed, not directly. */
bool output_place_is_staged(const struct output_place *place);

/* Whether both are the same file: existing ones by device and inode, others by folder and name. */
bool output_place_equal(const struct output_place *a, const struct output_place *b);

/* Numbers that are the same for equal places, and for equal names. */
uint32_t output_place_hash(const struct output_place *place);
uint32_t output_name_hash(const char *name);

#endif
