/* SPDX-License-Identifier: MIT */
/* paths.h - what files on the command line are: whose programs they hold; and folders. */
#ifndef CLI_PATHS_H
#define CLI_PATHS_H

#include <stdbool.h>
#include <stddef.h>

#include <tessera/isa.h>

/* What the file at path is, by its content and name. Of standard input, of what is no regular file,
 * and of what cannot be read, the name alone counts. */
void paths_recognise(const char *path, struct tess_file_kind *kind);

/* The machine whose programs the file holds; the QPU, if nothing says so. */
enum tess_machine paths_machine(const char *path);

/* The machine of files that become one program. False, and stderr has been told, if they are of
 * two. */
bool paths_one_machine(const char *title, const char *const *paths, size_t count,
                       enum tess_machine *machine);

bool paths_is_folder(const char *path);

/* Files, in the order of the command line; those of a folder in the order of their names. */
struct paths {
    char **items;
    size_t count, capacity;
};

/* Copies paths, and puts the programs below it in the place of each folder: files whose names end
 * in .qasm, .gp or .a2xx, and ELF and MBS files with programs, but nothing whose name begins with a
 * dot, and no links to folders. False, and stderr has been told, if a folder cannot be read or has
 * no programs, or there is no memory. *found must be freed in any case. */
bool paths_expand(const char *title, const char *const *paths, size_t count, struct paths *found);

void paths_free(struct paths *paths);

#endif
