/* SPDX-License-Identifier: MIT */
/* paths.c - see paths.h. */
#define _DEFAULT_SOURCE /* strdup(), scandir(), alphasort() */
#include "paths.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "cli.h"
#include "input_file.h"

enum { MOST_BYTES = 1 << 30, DEEPEST = 64 };

/* --- files --- */

static bool is_regular(const char *path)
{
    struct stat status;
    return strcmp(path, "-") != 0 && stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

void paths_recognise(const char *path, struct tess_file_kind *kind)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    if (is_regular(path) && input_file_read(path, MOST_BYTES, (struct tess_sink){0}, &bytes, &size))
        tess_file_recognise(bytes, size, path, kind);
    else
        tess_file_recognise(NULL, 1, path, kind);
    free(bytes);
}

enum tess_machine paths_machine(const char *path)
{
    struct tess_file_kind kind;
    paths_recognise(path, &kind);
    return kind.machine;
}

bool paths_one_machine(const char *title, const char *const *paths, size_t count,
                       enum tess_machine *machine)
{
    const char *first = NULL;
    *machine = TESS_MACHINE_QPU;
    for (size_t i = 0; i < count; i++) {
        struct tess_file_kind kind;
        paths_recognise(paths[i], &kind);
        if (first && kind.has_machine && kind.machine != *machine)
            return cli_refuse(title,
                              "'%s' and '%s' are for different machines; all files of a command "
                              "belong to one program",
                              first, paths[i]);
        if (!first && kind.has_machine) {
            first = paths[i];
            *machine = kind.machine;
        }
    }
    return true;
}

/* --- folders --- */

bool paths_is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static bool add(const char *title, struct paths *paths, const char *path)
{
    char *copy = ARRAY_GROW(paths->items, paths->count) ? strdup(path) : NULL;
    if (!copy)
        return cli_no_memory(title);
    paths->items[paths->count++] = copy;
    return true;
}

/* True if a file in a folder is a program. Sources are recognised by their endings. Files that end
 * in .elf or .mbs are also opened, since files of other software have these endings. If such a file
 * cannot be read, returns true, so that the check reports the error. */
static bool is_program(const char *path)
{
    static const char *const sources[] = {".qasm", ".gp", ".a2xx"};
    const char *ending = strrchr(path, '.');
    for (size_t i = 0; ending && i < sizeof sources / sizeof sources[0]; i++)
        if (strcmp(ending, sources[i]) == 0)
            return true;
    if (!ending || (strcmp(ending, ".elf") != 0 && strcmp(ending, ".mbs") != 0))
        return false;
    if (faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) != 0)
        return true;
    struct tess_file_kind kind;
    paths_recognise(path, &kind);
    return !kind.foreign && (kind.scene || (kind.has_machine && kind.machine != TESS_MACHINE_QPU));
}

static bool add_folder(const char *title, struct paths *paths, const char *folder, int depth);

static bool add_entry(const char *title, struct paths *paths, const char *path, int depth)
{
    struct stat status;
    if (lstat(path, &status) != 0)
        return true; /* The file was removed after the folder was listed. */
    if (S_ISDIR(status.st_mode))
        return depth == DEEPEST || add_folder(title, paths, path, depth + 1);
    return !is_regular(path) || !is_program(path) || add(title, paths, path);
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static int compare(const struct dirent **one, const struct dirent **other)
{
    return strcmp((*one)->d_name, (*other)->d_name);
}

static bool add_named(const char *title, struct paths *paths, const char *folder, const char *name,
                      int depth)
{
    size_t length = strlen(folder), size = length + strlen(name) + 2;
    char *path = malloc(size);
    if (!path)
        return cli_no_memory(title);
    bool slash = length > 0 && folder[length - 1] == '/';
    snprintf(path, size, "%s%s%s", folder, slash ? "" : "/", name);
    bool good = add_entry(title, paths, path, depth);
    free(path);
    return good;
}

static bool add_folder(const char *title, struct paths *paths, const char *folder, int depth)
{
    struct dirent **entries;
    int count = scandir(folder, &entries, is_visible, compare);
    if (count < 0) {
        fprintf(stderr, "%s: cannot read the folder '%s': %s\n", title, folder, strerror(errno));
        return false;
    }
    bool good = true;
    for (int i = 0; i < count; i++) {
        good = good && add_named(title, paths, folder, entries[i]->d_name, depth);
        free(entries[i]);
    }
    free(entries);
    return good;
}

static bool expand_folder(const char *title, struct paths *found, const char *folder)
{
    size_t before = found->count;
    if (!add_folder(title, found, folder, 0))
        return false;
    if (found->count > before)
        return true;
    fprintf(
        stderr,
        "%s: no programs found in the folder '%s': expected .qasm, .gp or .a2xx files, or ELF or "
        "MBS files with programs; name files with other endings directly\n",
        title, folder);
    return false;
}

bool paths_expand(const char *title, const char *const *paths, size_t count, struct paths *found)
{
    *found = (struct paths){0};
    for (size_t i = 0; i < count; i++) {
        bool folder = strcmp(paths[i], "-") != 0 && paths_is_folder(paths[i]);
        if (!(folder ? expand_folder(title, found, paths[i]) : add(title, found, paths[i])))
            return false;
    }
    return true;
}

void paths_free(struct paths *paths)
{
    for (size_t i = 0; i < paths->count; i++)
        free(paths->items[i]);
    free(paths->items);
    *paths = (struct paths){0};
}

const char *cli_one_file(const char *title, const char *what, int argc, char **argv)
{
    if (optind + 1 == argc && strcmp(argv[optind], "-") != 0 && paths_is_folder(argv[optind]))
        fprintf(stderr,
                "%s: cannot read '%s': Is a directory; name a file in it (only 'tessera check' "
                "accepts folders)\n",
                title, argv[optind]);
    else if (optind + 1 == argc)
        return argv[optind];
    else
        cli_usage_error(title, optind == argc ? "no %s given" : "more than one %s given", what);
    return NULL;
}
