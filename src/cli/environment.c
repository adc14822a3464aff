/* SPDX-License-Identifier: MIT */
/* environment.c - see environment.h.
 *
 * In:  values of options.
 * Out: environment variables of this process; outputs that the program's processes write. */
#include "environment.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tessera/output.h>

#include "output.h"

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
    if (!both) {
        fprintf(stderr, "%s: %s\n", title, strerror(errno));
        return false;
    }
    snprintf(both, size, "%s:%s", in_front ? value : before, in_front ? before : value);
    bool good = environment_set(title, name, both);
    free(both);
    return good;
}

bool environment_set_output(const char *title, const char *name, const char *path)
{
    return output_claim(title, path) && environment_set_path(title, name, path);
}

bool environment_set_shared_file(const char *title, const char *name, const char *path)
{
    char now[64];
    struct output output;
    snprintf(now, sizeof now, "%s_NOW", name);
    unsetenv(now);
    if (strcmp(path, "-") == 0)
        return environment_set_path(title, name, path);
    if (strstr(path, "%p"))
        return environment_set_output(title, name, path);
    return output_open(&output, title, path) &&
           environment_set_path(title, now, tess_output_name(output.file)) &&
           environment_set_path(title, name, path);
}
