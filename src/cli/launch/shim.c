/* SPDX-License-Identifier: MIT */
/* shim.c - see shim.h.
 *
 * In:  TESSERA_SHIM, the location of the tessera program, the files of shims.
 * Out: the path of the shim that fits a program; LD_PRELOAD.
 *
 * Source: ld.so(8) (LD_PRELOAD). */
#define _GNU_SOURCE /* realpath(), strchrnul() */
#include "cli/launch/shim.h"

#include <elf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/environment.h"

/* Folders that may contain shims, relative to the folder of the tessera program. installed: library
 * folders of an installation, for this computer's and for other processors. trees: build folders,
 * if the tessera program is in a build folder itself. */
static const char *const installed[] = {
    ("../" TESS_SHIM_DIR),
    "../lib/tessera",
    "../lib64/tessera",
    "../lib32/tessera",
    "../lib/x86_64-linux-gnu/tessera",
    "../lib/i386-linux-gnu/tessera",
    "../lib/aarch64-linux-gnu/tessera",
    "../lib/arm-linux-gnueabihf/tessera",
};
static const char *const trees[] = {".", "../build-32", "../build-arm64"};

static bool fits(const char *path, const struct program_kind *program)
{
    struct program_kind kind = program_library(path);
    return program_agrees(&kind, program);
}

/* Searches TESSERA_SHIM, a list of paths separated by colons, for a shim that fits the program. */
static bool find_named(const struct shim *shim, const struct program_kind *program, char *path,
                       size_t size)
{
    const char *named = getenv("TESSERA_SHIM");
    char item[PATH_MAX];
    for (const char *at = named, *end; at && *at; at = *end ? end + 1 : end) {
        end = strchrnul(at, ':');
        snprintf(item, sizeof item, "%.*s", (int)(end - at), at);
        const char *slash = strrchr(item, '/');
        if (strcmp(slash ? slash + 1 : item, shim->file) == 0 && fits(item, program))
            return (size_t)snprintf(path, size, "%s", item) < size;
    }
    return false;
}

static bool find_in(const char *folder, const char *file, const struct program_kind *program,
                    char *path, size_t size)
{
    char name[3 * PATH_MAX];
    snprintf(name, sizeof name, "%s/%s", folder, file);
    char *full = fits(name, program) ? realpath(name, NULL) : NULL;
    bool found = full && (size_t)snprintf(path, size, "%s", full) < size;
    free(full);
    return found;
}

/* Writes the path of the folder of the tessera program to folder. */
static void own_folder(char *folder, size_t size)
{
    ssize_t length = readlink("/proc/self/exe", folder, size - 1);
    folder[length > 0 ? length : 0] = 0;
    char *slash = strrchr(folder, '/');
    *(slash ? slash : folder) = 0;
}

bool shim_find(const struct shim *shim, const struct program_kind *kind, char *path, size_t size)
{
    char own[PATH_MAX], folder[2 * PATH_MAX];
    if (find_named(shim, kind, path, size))
        return true;
    own_folder(own, sizeof own);
    for (size_t i = 0; i < sizeof trees / sizeof *trees; i++) {
        snprintf(folder, sizeof folder, "%s/%s/%s", own, trees[i], shim->tree);
        if (find_in(folder, shim->file, kind, path, size))
            return true;
    }
    for (size_t i = 0; i < sizeof installed / sizeof *installed; i++) {
        snprintf(folder, sizeof folder, "%s/%s", own, installed[i]);
        if (find_in(folder, shim->file, kind, path, size))
            return true;
    }
    return false;
}

bool shim_of_program(const char *title, const char *program, const struct shim *shim,
                     const struct program_kind *kind, char *path, size_t size)
{
    if (shim_find(shim, kind, path, size))
        return true;
    fprintf(stderr,
            "%s: cannot run '%s': no %s (%d bits) found for its processor; build one (see %s), or "
            "name it in TESSERA_SHIM\n",
            title, program, shim->file, kind->class == ELFCLASS32 ? 32 : 64, shim->page);
    return false;
}

bool shim_preload(const char *title, const char *path)
{
    if (!environment_add(title, "LD_PRELOAD", path, true))
        return false;
#ifdef TESS_PRELOAD_FIRST /* libraries of the sanitizers, in a build that uses them */
    if (!environment_add(title, "LD_PRELOAD", TESS_PRELOAD_FIRST, true))
        return false;
#endif
    return true;
}

bool shim_preload_vcio(const char *title, const char *program, const struct program_kind *kind)
{
    static const struct shim vcio = {"libtessera-vcio.so", "src/shim/vcio", "docs/qpu.md"};
    char path[PATH_MAX];
    if (!shim_of_program(title, program, &vcio, kind, path, sizeof path) ||
        !shim_preload(title, path))
        return false;
    *strrchr(path, '/') = 0; /* the folder also contains libbcm_host */
    return environment_add(title, "LD_LIBRARY_PATH", path, false);
}
