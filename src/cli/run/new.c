/* SPDX-License-Identifier: MIT */
/* new.c - tessera new and tessera tutorial: write a small project, or the files of a tutorial, into
 * a folder.
 *
 * In:  the name of a set of files; the name of a folder that is empty or does not exist yet.
 * Out: the files. No existing file is overwritten, since the folder is empty. */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/option_rows.h"
#include "cli/output.h"
#include "cli/run/sets.h"
#include "cli/suggest.h"

static void print_sets(FILE *stream, const struct set *sets)
{
    for (const struct set *set = sets; set->name; set++)
        fprintf(stream, "  %-8s %s\n", set->name, set->about);
}

static const struct set *find_set(const char *title, const struct set *sets, const char *name)
{
    struct suggestion suggestion = suggest_begin(name);
    for (const struct set *set = sets; set->name; set++) {
        if (strcmp(set->name, name) == 0)
            return set;
        suggest_try(&suggestion, set->name);
    }
    fprintf(stderr, "%s: unknown name '%s'", title, name);
    if (suggestion.name)
        fprintf(stderr, "; did you mean '%s'?\n", suggestion.name);
    else
        fprintf(stderr, "; expected one of:\n");
    if (!suggestion.name)
        print_sets(stderr, sets);
    return NULL;
}

/* --- files --- */

static bool fail(const char *title, const char *path)
{
    fprintf(stderr, "%s: cannot write '%s': %s\n", title, path, strerror(errno));
    return false;
}

static bool is_empty(const char *folder)
{
    DIR *open = opendir(folder);
    const struct dirent *entry;
    bool empty = open != NULL;
    while (empty && (entry = readdir(open)) != NULL)
        empty = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
    if (open)
        closedir(open);
    return empty;
}

/* Folders that this run created, outer folders first. The folders are removed if the files cannot
 * be written. */
enum { FOLDERS_MOST = 64 };

struct made {
    char *folders[FOLDERS_MOST];
    size_t count;
};

static void forget(struct made *made, bool remove)
{
    while (made->count > 0) {
        char *folder = made->folders[--made->count];
        if (remove)
            rmdir(folder);
        free(folder);
    }
}

/* Creates a folder and records its name. Returns false with errno set on failure. A folder that
 * exists already is a failure (EEXIST). */
static bool make(struct made *made, const char *folder)
{
    if (mkdir(folder, 0777) != 0)
        return false;
    char *copy = made->count < FOLDERS_MOST ? strdup(folder) : NULL;
    if (copy)
        made->folders[made->count++] = copy;
    return true;
}

/* Creates the target folder. An existing folder is accepted if it is empty. Returns false after an
 * error message. */
static bool make_folder(const char *title, struct made *made, const char *folder)
{
    if (make(made, folder))
        return true;
    if (errno != EEXIST)
        return fail(title, folder);
    if (is_empty(folder))
        return true;
    fprintf(stderr, "%s: '%s' exists and is not an empty folder; choose another one\n", title,
            folder);
    return false;
}

/* Creates the missing folders of a file's path. The first `from` bytes of the path name a folder
 * that exists. Returns false after an error message. */
static bool make_way(const char *title, struct made *made, char *path, size_t from)
{
    for (char *slash = strchr(path + from, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        bool good = make(made, path) || errno == EEXIST || fail(title, path);
        *slash = '/';
        if (!good)
            return false;
    }
    return true;
}

static bool write_file(const char *title, struct made *made, const char *folder,
                       const struct set_file *from)
{
    char path[PATH_MAX];
    struct output output;
    if ((size_t)snprintf(path, sizeof path, "%s/%s", folder, from->path) >= sizeof path) {
        errno = ENAMETOOLONG;
        return fail(title, folder);
    }
    if (!make_way(title, made, path, strlen(folder) + 1) || !output_open(&output, title, path))
        return false;
    fwrite(from->bytes, 1, from->size, output.stream);
    return output_close(&output);
}

static bool write_files(const char *title, struct made *made, const struct set *set,
                        const char *folder)
{
    if (!make_folder(title, made, folder))
        return false;
    for (size_t i = 0; i < set->count; i++)
        if (!write_file(title, made, folder, &set->files[i]))
            return false;
    return outputs_commit(title);
}

static bool write_set(const char *title, const struct set *set, const char *folder)
{
    struct made made = {0};
    bool good = write_files(title, &made, set, folder);
    if (!good)
        outputs_end(); /* removes the temporary files, so that the folders can be removed */
    forget(&made, !good);
    return good;
}

/* --- the verbs --- */

static void print_projects(FILE *stream)
{
    print_sets(stream, set_projects);
}

static void print_tutorials(FILE *stream)
{
    print_sets(stream, set_tutorials);
}

static const struct option_row new_rows[] = {
#include "cli/run/new.def"
    OPTIONS_END};

static const struct option_row tutorial_rows[] = {
#include "cli/run/tutorial.def"
    OPTIONS_END};

const struct option_table new_options = {.rows = new_rows, .column = 34};
const struct option_table tutorial_options = {.rows = tutorial_rows, .column = 34};

int cli_new(int argc, char **argv)
{
    int status = options_parse(&new_options, NULL, argc, argv);
    if (status != OPTIONS_PARSED)
        return status;
    if (optind == argc) {
        fprintf(stderr, "%s: no kind given; expected one of:\n", argv[0]);
        print_sets(stderr, set_projects);
        return CLI_USAGE;
    }
    const struct set *set = find_set(argv[0], set_projects, argv[optind]);
    if (!set)
        return CLI_USAGE;
    if (optind + 2 != argc)
        return cli_usage_error(argv[0], optind + 1 == argc ? "no folder given"
                                                           : "more than one folder given");
    const char *folder = argv[optind + 1];
    if (!write_set(argv[0], set, folder))
        return CLI_USAGE;
    fprintf(stderr, "wrote %zu files to %s; next: cd %s && make\n", set->count, folder, folder);
    return CLI_DONE;
}

int cli_tutorial(int argc, char **argv)
{
    char own[64];
    int status = options_parse(&tutorial_options, NULL, argc, argv);
    if (status != OPTIONS_PARSED)
        return status;
    if (optind == argc) {
        print_sets(stdout, set_tutorials);
        return CLI_DONE;
    }
    const struct set *set = find_set(argv[0], set_tutorials, argv[optind]);
    if (!set)
        return CLI_USAGE;
    if (optind + 2 < argc)
        return cli_usage_error(argv[0], "more than one folder given");
    snprintf(own, sizeof own, "tutorial-%s", set->name);
    const char *folder = optind + 1 < argc ? argv[optind + 1] : own;
    if (!write_set(argv[0], set, folder))
        return CLI_USAGE;
    fprintf(stderr, "wrote %zu files to %s; next: cd %s, and read tutorial-%s.md there\n",
            set->count, folder, folder, set->name);
    return CLI_DONE;
}
