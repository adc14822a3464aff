/* SPDX-License-Identifier: MIT */
/* environment.c - see environment.h.
 *
 * In:  options' values.
 * Out: environment variables; files that begin empty. */
#include "environment.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool environment_set(const char *title, const char *name, const char *value)
{
    if (setenv(name, value, 1) == 0)
        return true;
    fprintf(stderr, "%s: %s\n", title, strerror(errno));
    return false;
}

bool environment_set_path(const char *title, const char *name, const char *path)
{
    char folder[PATH_MAX], full[2 * PATH_MAX];
    if (path[0] == '/' || strcmp(path, "-") == 0 || !getcwd(folder, sizeof folder))
        return environment_set(title, name, path);
    snprintf(full, sizeof full, "%s/%s", folder, path);
    return environment_set(title, name, full);
}

bool environment_add(const char *title, const char *name, const char *value, bool in_front)
{
    const char *before = getenv(name);
    if (!before || !*before)
        return environment_set(title, name, value);
    size_t size = strlen(before) + strlen(value) + 2;
    char *both = malloc(size);
    if (!both)
        return false;
    snprintf(both, size, "%s:%s", in_front ? value : before, in_front ? before : value);
    bool good = environment_set(title, name, both);
    free(both);
    return good;
}

bool environment_set_shared_file(const char *title, const char *name, const char *path)
{
    if (strcmp(path, "-") != 0 && !strstr(path, "%p")) {
        FILE *file = fopen(path, "w");
        if (!file || fclose(file) != 0) {
            fprintf(stderr, "%s: %s: %s\n", title, path, strerror(errno));
            return false;
        }
    }
    return environment_set_path(title, name, path);
}
