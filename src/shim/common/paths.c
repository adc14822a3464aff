/* SPDX-License-Identifier: MIT */
/* paths.c - see paths.h. */
#include "paths.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "next.h"

bool paths_absolute(int folder, const char *path, char full[PATH_MAX])
{
    char link[32];
    if (*path == '/')
        return memccpy(full, path, 0, PATH_MAX) != NULL;
    if (folder == AT_FDCWD)
        snprintf(link, sizeof link, "/proc/self/cwd");
    else
        snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
    ssize_t length = NEXT(readlink)(link, full, PATH_MAX);
    if (length <= 0 || length + 1 + (ssize_t)strlen(path) >= PATH_MAX || *full != '/')
        return false;
    full[length] = '/';
    strcpy(full + length + 1, path);
    return true;
}

void paths_tidy(char *path)
{
    bool slash = path[strlen(path) - 1] == '/';
    char *to = path;
    const char *from = path;
    while (*from) {
        const char *end = strchrnul(from + 1, '/');
        size_t length = (size_t)(end - from);
        bool up = length == 3 && from[1] == '.' && from[2] == '.';
        if (up) {
            while (to > path && *--to != '/')
                continue;
        } else if (length > 1 && !(length == 2 && from[1] == '.')) {
            memmove(to, from, length);
            to += length;
        }
        from = end;
    }
    if (to == path || slash)
        *to++ = '/';
    *to = 0;
}
