/* SPDX-License-Identifier: MIT */
/* paths.h - recognises the machine of files on the command line, and expands folders. */
#ifndef CLI_PATHS_H
#define CLI_PATHS_H

#include <stdbool.h>
#include <stddef.h>

#include <tessera/isa.h>

/* Recognises the kind of the file at path by its contents and its name. Uses only the name for
 * standard input, for files that are not regular and for files that cannot be read. */
void paths_recognise(const char *path, struct tess_file_kind *kind);

/* Returns the machine of the program in a file; the QPU if neither name nor contents decide. */
enum tess_machine paths_machine(const char *path);

/* Finds the machine of files that form one program. Returns false after an error message if the
 * files are for different machines. */
bool paths_one_machine(const char *title, const char *const *paths, size_t count,
                       enum tess_machine *machine);

bool paths_is_folder(const char *path);

/* Files in the order of the command line; the files of a folder are in alphabetical order. */
struct paths {
    char **items;
    size_t count, capacity;
};

/* Copies paths, and replaces each folder by the programs below it: files whose names end in .qasm,
 * .gp or .a2xx, and ELF and MBS files with programs. Skips names that begin with a dot, and links
 * to folders. Returns false after an error message if a folder cannot be read or has no programs,
 * or if the host is out of memory. The caller releases *found with paths_free() in either case. */
bool paths_expand(const char *title, const char *const *paths, size_t count, struct paths *found);

void paths_free(struct paths *paths);

#endif
