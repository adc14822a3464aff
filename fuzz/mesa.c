/* SPDX-License-Identifier: MIT */
/* mesa.c - fuzz target: the search for Mesa and the environment variables for it,
 * src/cli/launch/gl_mesa.c. The input's first bytes select the kind of each file of a folder
 * (regular file, pipe, folder, link or none). The rest of the input is the contents of the regular
 * files. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/launch/gl_mesa.h"

int LLVMFuzzerInitialize(int *count, char ***arguments);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const folders[] = {
    "lib",       "lib/dri",         "lib/gbm",
    "share",     "share/glvnd",     "share/glvnd/egl_vendor.d",
    "usr",       "usr/lib",         "usr/lib/dri",
    "usr/share", "usr/share/glvnd", "usr/share/glvnd/egl_vendor.d"};
static const char *const files[] = {
    "lib/dri/vc4_dri.so",        "lib/libEGL_mesa.so.0",
    "lib/libEGL.so.1",           "share/glvnd/egl_vendor.d/50_mesa.json",
    "usr/lib/dri/vc4_dri.so",    "usr/lib/libEGL_mesa.so.0",
    "usr/lib/dri/swrast_dri.so", "usr/share/glvnd/egl_vendor.d/50_mesa.json"};

enum { FOLDERS = sizeof folders / sizeof *folders, FILES = sizeof files / sizeof *files };

static char root[64];

static const char *in_root(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", root, name);
    return path;
}

static void remove_files(void)
{
    for (size_t i = 0; i < FILES; i++)
        if (unlink(in_root(files[i])) != 0)
            rmdir(in_root(files[i]));
}

static void leave(void)
{
    remove_files();
    for (size_t i = FOLDERS; i-- > 0;)
        rmdir(in_root(folders[i]));
    rmdir(root);
}

int LLVMFuzzerInitialize(int *count, char ***arguments)
{
    const char *temporary = getenv("TMPDIR");
    (void)count;
    (void)arguments;
    snprintf(root, sizeof root, "%.30s/tessera-fuzz-XXXXXX",
             temporary && *temporary ? temporary : "/tmp");
    if (!mkdtemp(root) || setenv("TESSERA_MESA", root, 1) != 0)
        abort();
    for (size_t i = 0; i < FOLDERS; i++)
        mkdir(in_root(folders[i]), 0700);
    atexit(leave);
    return 0;
}

static void make(const char *name, unsigned how, const uint8_t *data, size_t size)
{
    int file = -1;
    switch (how) {
    case 1:
    case 2: file = open(in_root(name), O_WRONLY | O_CREAT | O_CLOEXEC, 0600); break;
    case 3: mkfifo(in_root(name), 0600); break;
    case 4: mkdir(in_root(name), 0700); break;
    case 5:
        if (symlink("/proc/self/exe", in_root(name)) != 0)
            abort();
        break;
    case 6:
        if (symlink(name, in_root(name)) != 0)
            abort();
        break;
    default: break;
    }
    if (file < 0)
        return;
    size_t part = how == 1 ? size : size / 2;
    if (write(file, data, part) != (ssize_t)part)
        abort();
    close(file);
}

static bool tell(void *context, const char *name, const char *value, bool in_front)
{
    unsigned *told = context;
    if (!*name || (value && !*value) || (in_front && !value))
        abort();
    ++*told;
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct program_kind kind = program_own();
    unsigned told = 0;
    if (size < FILES)
        return 0;
    remove_files();
    for (size_t i = 0; i < FILES; i++)
        make(files[i], data[i] % 8, data + FILES, size - FILES);
    struct gl_mesas *mesas = gl_mesas_find(gl_gpu_at(0), &kind);
    if (!mesas)
        return 0;
    if (mesas->count != 1 || (mesas->used && mesas->used->problem))
        abort();
    if (strlen(mesas->list[0].version) >= GL_MESA_VERSION)
        abort();
    if (mesas->used && (!gl_mesa_environment(mesas->used, tell, &told) || told < 2))
        abort();
    free(mesas);
    return 0;
}
