/* SPDX-License-Identifier: MIT */
/* output_place.h - resolves the path of an output to the file that it names. */
#ifndef BASE_OUTPUT_PLACE_H
#define BASE_OUTPUT_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sys/stat.h>

struct output_place {
    char *path; /* path of the file after all symbolic links are resolved */
    /* Length of the folder's name in path, including the slash. 0 for the current folder. */
    size_t folder_size;
    struct stat folder; /* status of the folder */
    struct stat status; /* status of the file, if exists is true */
    bool exists;        /* true if the file exists */
    bool is_link;       /* true if path is a link in /proc that leads to an open file */
    int descriptor;     /* open descriptor of this process that path names, or -1 */
};

/* Resolves a path. The path "-" means standard output. Returns false with errno set if no file can
 * exist at the path. The caller must call output_place_free() even if this function returns
 * false. */
bool output_place_find(struct output_place *place, const char *path);
void output_place_free(struct output_place *place);

/* True if the output is written to a temporary file, which is renamed to path at the end. False if
 * the file is written directly. */
bool output_place_is_staged(const struct output_place *place);

/* True if both places are the same file. Existing files are compared by device and inode, others by
 * folder and name. */
bool output_place_equal(const struct output_place *a, const struct output_place *b);

/* Return hash values. Equal places have equal values, and equal names have equal values. */
uint32_t output_place_hash(const struct output_place *place);
uint32_t output_name_hash(const char *name);

#endif
