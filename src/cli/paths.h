/* SPDX-License-Identifier: MIT */
/* paths.h - recognises the machine of files on the command line, and expands folders. */
#ifndef CLI_PATHS_H
#define CLI_PATHS_H

#include <stdbool.h>
#include <stddef.h>

#include <tessera/isa.h>

/* Recognises the kind of a file by the file's contents and name. For standard input, for special
 * files and for files that cannot be read, uses only the name. */
void paths_recognise(const char *path, struct tess_file_kind *kind);

/* Returns the machine of the program in a file, or TESS_MACHINE_QPU if neither the file's name nor
 * its contents show the machine. */
enum tess_machine paths_machine(const char *path);

/* Finds the machine of files that form one program. Returns false after an error message if the
 * files are for different machines. */
bool paths_one_machine(const char *title, const char *const *paths, size_t count,
                       enum tess_machine *machine);

bool paths_is_folder(const char *path);

/* Files in the order of the command line. The files of one folder are in alphabetical order. */
struct paths {
    char **items;
    size_t count;
};

/* Copies paths, and replaces each folder by the programs in the folder and its subfolders. Programs
 * are files whose names end in .qasm, .gp or .a2xx, and ELF and MBS files with GPU programs. Skips
 * names that begin with a dot, and symbolic links to folders. Returns false after an error message
 * if a folder cannot be read or has no programs, or if the host is out of memory. The caller must
 * release *found with paths_free() even if this function returns false. */
bool paths_expand(const char *title, const char *const *paths, size_t count, struct paths *found);

void paths_free(struct paths *paths);

#endif
