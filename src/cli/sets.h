/* SPDX-License-Identifier: MIT */
/* sets.h - sets of files that the program carries with it: projects and tutorials. */
#ifndef CLI_SETS_H
#define CLI_SETS_H

#include <stddef.h>

struct set_file {
    const char *path; /* in the set's folder */
    const unsigned char *bytes;
    size_t size;
};

struct set {
    const char *name, *about;
    const struct set_file *files;
    size_t count;
};

/* By scripts/embed-sets; the last one has no name. */
extern const struct set set_projects[], set_tutorials[];

#endif
