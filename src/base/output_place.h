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
    /* Length of the folder's name in path, with the slash; 0 for the current folder. */
    size_t folder_size;
    struct stat folder;
    struct stat status; /* status of the file, if the file exists */
    bool exists;
    bool is_link;   /* true if path is a link in /proc that leads to an open file */
    int descriptor; /* open descriptor of this process that path names, -1 for other files */
};

/* Resolves path; "-" is standard output. Returns false with errno set if no file can exist there.
 * Release with output_place_free() in both cases. */
bool output_place_find(struct output_place *place, const char *path);
void output_place_free(struct output_place *place);

/* True if the output is written to a temporary file that is then renamed. Other files are written
 * directly. */
bool output_place_is_staged(const struct output_place *place);

/* True if both places are the same file. Existing files are compared by device and inode, others by
 * folder and name. */
bool output_place_equal(const struct output_place *a, const struct output_place *b);

/* Hash values: equal places, or equal names, have equal values. */
uint32_t output_place_hash(const struct output_place *place);
uint32_t output_name_hash(const char *name);

#endif
