/* SPDX-License-Identifier: MIT */
/* drm_paths.c - fuzz target: the redirection of paths from programs, src/shim/drm/interpose/tree.c.
 * The input's first byte selects a start folder, and the rest is a path.
 *
 * If a path leads to a file of the modelled device, the result must be inside of the shim's tree,
 * and the path that the program sees must have no "." or ".." parts. Otherwise the result must be
 * the path itself, or an equivalent path without such parts. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shim/drm/interpose/tree.h"

int LLVMFuzzerInitialize(int *count, char ***arguments);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int folders[4] = {AT_FDCWD, -1, -1, -1};

static void remove_tree(void)
{
    tree_remove(getpid());
}

int LLVMFuzzerInitialize(int *count, char ***arguments)
{
    static const char *const paths[] = {"/", "/dev", "/sys/class/drm/card0"};
    char room[PATH_MAX];
    bool ours;
    (void)count;
    (void)arguments;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        folders[i + 1] = open(tree_lead(AT_FDCWD, paths[i], room, &ours), O_PATH | O_CLOEXEC);
    atexit(remove_tree);
    return 0;
}

static void check_shown(const char *lead)
{
    char shown[PATH_MAX];
    strcpy(shown, lead);
    tree_hide(shown);
    if (*shown != '/' || strstr(shown, "/../") || strstr(shown, "/./") || strstr(shown, "//"))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char room[PATH_MAX];
    bool ours;
    enum file_node node;
    if (size == 0)
        return 0;
    int folder = folders[data[0] % 4];
    char *path = malloc(size);
    if (!path)
        return 0;
    memcpy(path, data + 1, size - 1);
    path[size - 1] = 0;
    const char *lead = tree_lead(folder, path, room, &ours);
    if (ours != (lead == room && tree_has(lead)))
        abort();
    if (lead == room)
        check_shown(lead);
    if (tree_node(folder, path, &node) && node != FILE_CARD && node != FILE_RENDER)
        abort();
    tree_hide(path);
    free(path);
    return 0;
}
