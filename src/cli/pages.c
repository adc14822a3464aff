/* SPDX-License-Identifier: MIT */
/* pages.c - see pages.h. */
#define _DEFAULT_SOURCE /* realpath() */
#include "pages.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "input_file.h"
#include "output.h"

enum { MOST_BYTES = 16 << 20 };

/* Folders to search for docs/, relative to the program's folder. The first two are for an installed
 * program, the third for a build folder inside the source tree. */
static const char *const places[] = {("../" TESS_DOC_DIR), "../share/doc/tessera", ".."};

static bool has_pages(const char *folder)
{
    char index[2 * PATH_MAX];
    snprintf(index, sizeof index, "%s/docs/README.md", folder);
    return access(index, R_OK) == 0;
}

static void get_program_folder(char own[PATH_MAX])
{
    ssize_t length = readlink("/proc/self/exe", own, PATH_MAX - 1);
    own[length > 0 ? length : 0] = 0;
    char *slash = strrchr(own, '/');
    *(slash ? slash : own) = 0;
}

bool pages_folder(char *folder, size_t size)
{
    char own[PATH_MAX], path[2 * PATH_MAX], full[PATH_MAX];
    get_program_folder(own);
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", own, places[i]);
        if (realpath(path, full) && has_pages(full))
            return (size_t)snprintf(folder, size, "%s", full) < size;
    }
    return false;
}

bool pages_is_name(const char *word)
{
    size_t length = strlen(word);
    return length > 3 && strcmp(word + length - 3, ".md") == 0;
}

int pages_print(const char *title, const char *name)
{
    char folder[PATH_MAX], own[PATH_MAX], path[3 * PATH_MAX];
    uint8_t *bytes;
    size_t size;
    if (!pages_folder(folder, sizeof folder)) {
        fprintf(stderr, "%s: cannot find the documentation of this program\n", title);
        return CLI_USAGE;
    }
    const char *docs = strncmp(name, "docs/", 5) == 0 ? "" : "docs/";
    snprintf(path, sizeof path, "%s/%s%s", folder, docs, name);
    if (access(path, R_OK) != 0) { /* pages of findings are in the build folder until installed */
        get_program_folder(own);
        snprintf(path, sizeof path, "%s/%s%s", own, docs, name);
    }
    if (strstr(name, "..") ||
        !input_file_read(path, MOST_BYTES, (struct tess_sink){0}, &bytes, &size)) {
        fprintf(stderr, "%s: unknown page '%s' (see %s/docs)\n", title, name, folder);
        return CLI_USAGE;
    }
    struct output output;
    bool good = output_open(&output, title, NULL);
    if (good)
        fwrite(bytes, 1, size, output.stream);
    free(bytes);
    return good && output_close(&output) ? CLI_DONE : CLI_USAGE;
}
