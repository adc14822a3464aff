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

#include <tessera/vc4.h>

#include "cli.h"

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

bool environment_set_capture(const char *title, const char *path)
{
    if (strcmp(path, "-") != 0)
        return environment_set_path(title, "TESSERA_CAPTURE", path);
    cli_usage_error(title, "a capture needs a file of its own");
    return false;
}

bool environment_set_threads(const char *title, const char *text)
{
    uint64_t count;
    if (cli_number(text, &count) && count >= 1 && count <= TESS_VC4_MAX_THREADS)
        return environment_set(title, "TESSERA_THREADS", text);
    cli_usage_error(title, "'%s' is no number of threads: 1 to %d", text, TESS_VC4_MAX_THREADS);
    return false;
}

bool environment_set_memory(const char *title, const char *text)
{
    enum { LEAST = 1, MOST = 960 };
    char bytes[32];
    uint64_t mebibytes;
    if (!cli_number(text, &mebibytes) || mebibytes < LEAST || mebibytes > MOST) {
        cli_usage_error(title, "'%s' is no size of GPU memory: %d to %d MiB", text, LEAST, MOST);
        return false;
    }
    snprintf(bytes, sizeof bytes, "%lu", (unsigned long)mebibytes << 20);
    return environment_set(title, "TESSERA_MEMORY", bytes);
}
