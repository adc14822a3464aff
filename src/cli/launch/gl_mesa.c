/* SPDX-License-Identifier: MIT */
/* gl_mesa.c - see gl_mesa.h.
 *
 * In:  TESSERA_MESA, the user's cache, the system's library folders.
 * Out: a list of Mesas with their problems, and the environment that makes a program load one of
 *      them.
 *
 * Source: Mesa 22.3.6, src/loader/loader.c, src/gbm/backends/dri/gbm_dri.c and docs/envvars.rst
 *         (variables); libglvnd, src/EGL/icd_enumeration.md (how libEGL finds Mesa); XDG Base
 *         Directory Specification 0.8 (the cache).
 * Left out: checks of a driver's file beyond its ELF headers and its version. */
#define _GNU_SOURCE /* strverscmp(), memmem() */
#include "cli/launch/gl_mesa.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Formats a path into an array. The path becomes empty if the array is too small. */
#define JOIN(path, ...)                                                        \
    do {                                                                       \
        if ((size_t)snprintf(path, sizeof(path), __VA_ARGS__) >= sizeof(path)) \
            (path)[0] = 0;                                                     \
    } while (0)

static bool exists(const char *path)
{
    return *path && access(path, F_OK) == 0;
}

static bool has_file(const char *folder, const char *name)
{
    char path[PATH_MAX];
    JOIN(path, "%s/%s", folder, name);
    return exists(path);
}

static bool fits(const char *folder, const char *name, const struct program_kind *program)
{
    char path[PATH_MAX];
    JOIN(path, "%s/%s", folder, name);
    struct program_kind kind = program_library(path);
    return program_agrees(&kind, program);
}

/* --- version of a Mesa: its drivers contain the text of GL_VERSION, such as "Mesa 22.3.6" --- */

static bool version_in(const char *bytes, size_t size, char version[GL_MESA_VERSION])
{
    static const char name[] = "Mesa ";
    const char *end = bytes + size;
    for (const char *at = bytes; (at = memmem(at, (size_t)(end - at), name, sizeof name - 1));) {
        size_t length = 0;
        at += sizeof name - 1;
        while (at + length < end && length < GL_MESA_VERSION - 1 &&
               (isalnum((unsigned char)at[length]) || (at[length] && strchr(".-", at[length]))))
            length++;
        if (length < 3 || !isdigit((unsigned char)at[0]) || !memchr(at, '.', length))
            continue;
        snprintf(version, GL_MESA_VERSION, "%.*s", (int)length, at);
        return true;
    }
    return false;
}

static bool version_of_file(const char *path, char version[GL_MESA_VERSION])
{
    /* The last KEPT bytes of a chunk are searched again, since a version may span two chunks. */
    enum { KEPT = 64, CHUNK = 1 << 16 };
    static char bytes[KEPT + CHUNK];
    size_t kept = 0, got;
    bool found = false;
    int descriptor = program_open(path);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "rb");
    while (file && !found && (got = fread(bytes + kept, 1, CHUNK, file)) > 0) {
        size_t size = kept + got;
        found = version_in(bytes, size, version);
        kept = size < KEPT ? size : KEPT;
        memmove(bytes, bytes + size - kept, kept);
    }
    if (file)
        fclose(file);
    else if (descriptor >= 0)
        close(descriptor);
    return found;
}

static void find_version(struct gl_mesa *mesa, const char *driver)
{
    const char *const files[] = {driver, "dri/swrast_dri.so", "libEGL_mesa.so.0",
                                 "libGLX_mesa.so.0"};
    char path[PATH_MAX];
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        JOIN(path, "%s/%s", mesa->libraries, files[i]);
        if (version_of_file(path, mesa->version))
            return;
    }
    snprintf(mesa->version, sizeof mesa->version, "?");
}

/* --- One Mesa --- */

/* Places to search for libraries, relative to a given folder. The folder may be an installation
 * prefix, the root of a system, the folder of the libraries or the folder of the drivers. %s is
 * Debian's name of the processor. */
static const char *const layouts[] = {"lib/%s",    "usr/lib/%s", "lib64", "lib",
                                      "usr/lib64", "usr/lib",    ".",     ".."};

static void layout_path(char path[PATH_MAX], const char *folder, const char *layout,
                        const char *triplet)
{
    size_t length = strcspn(layout, "%");
    const char *last = layout[length] ? triplet : "";
    if (snprintf(path, PATH_MAX, "%s/%.*s%s", folder, (int)length, layout, last) >= PATH_MAX)
        path[0] = 0;
}

/* What is searched: a driver for programs. */
struct search {
    const struct program_kind *kind;
    char driver[32]; /* path of the driver in the folder of libraries, such as "dri/vc4_dri.so" */
};

/* Sets mesa->libraries to the first path of layouts that passes the test. Returns false if no path
 * passes. */
static bool find_libraries(struct gl_mesa *mesa, const char *folder, const struct search *search,
                           bool (*test)(const char *libraries, const struct search *search))
{
    const char *triplet = program_triplet(search->kind);
    char path[PATH_MAX];
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
        if (strchr(layouts[i], '%') && !triplet)
            continue;
        layout_path(path, folder, layouts[i], triplet);
        if (*path && test(path, search) && realpath(path, mesa->libraries))
            return true;
    }
    mesa->libraries[0] = 0;
    return false;
}

static bool has_fitting_driver(const char *libraries, const struct search *search)
{
    return fits(libraries, search->driver, search->kind);
}

static bool has_driver(const char *libraries, const struct search *search)
{
    return has_file(libraries, search->driver);
}

static bool has_fitting_mesa(const char *libraries, const struct search *search)
{
    return fits(libraries, "libEGL_mesa.so.0", search->kind);
}

/* Finds the file that describes Mesa's EGL to libglvnd, such as "50_mesa.json", in a folder. */
static bool find_vendor_in(char vendor[PATH_MAX], const char *folder)
{
    DIR *list = opendir(folder);
    bool found = false;
    for (struct dirent *entry; list && !found && (entry = readdir(list));)
        found = strstr(entry->d_name, "mesa") && strstr(entry->d_name, ".json") &&
                snprintf(vendor, PATH_MAX, "%s/%s", folder, entry->d_name) < PATH_MAX;
    if (list)
        closedir(list);
    return found;
}

/* Finds libglvnd's description of a Mesa in share/ near the Mesa's libraries. Falls back to the
 * description in /usr/share, which has the same contents. */
static bool find_vendor(struct gl_mesa *mesa)
{
    static const char folder[] = "share/glvnd/egl_vendor.d", *const places[] = {"..", "../.."};
    char path[PATH_MAX], full[PATH_MAX];
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        JOIN(path, "%s/%s/%s", mesa->libraries, places[i], folder);
        if (realpath(path, full) && find_vendor_in(mesa->vendor, full))
            return true;
    }
    JOIN(path, "/usr/%s", folder);
    return find_vendor_in(mesa->vendor, path);
}

/* Returns the text of a problem of the driver. `format` contains "%s" for the driver's name. */
static const char *about_driver(struct gl_mesa *mesa, const char *format, const char *name)
    __attribute__((format(printf, 2, 0)));

static const char *about_driver(struct gl_mesa *mesa, const char *format, const char *name)
{
    snprintf(mesa->about_driver, sizeof mesa->about_driver, format, name);
    return mesa->about_driver;
}

static const char *problem_of(struct gl_mesa *mesa, const struct gl_gpu *gpu,
                              const struct search *search)
{
    const char *libraries = mesa->libraries;
    if (!exists(mesa->path))
        return "no such folder";
    if (!*libraries)
        return "the folder contains no Mesa";
    if (!mesa->has_driver)
        return about_driver(mesa, "it was built without %s", gpu->name);
    if (!has_fitting_driver(libraries, search))
        return about_driver(mesa, "its %s_dri.so is damaged, or for another processor", gpu->name);
    if (has_fitting_mesa(libraries, search))
        return find_vendor(mesa) ? NULL
                                 : "it is incomplete: share/glvnd/egl_vendor.d has no file for it";
    if (has_file(libraries, "libEGL_mesa.so.0"))
        return "its libEGL_mesa.so.0 is damaged, or for another processor";
    return fits(libraries, "libEGL.so.1", search->kind)
               ? NULL
               : "it is incomplete: libEGL_mesa.so.0 is missing";
}

/* Sets mesa->root to the folder if the libraries are in its usr/. The folder then holds a whole
 * system. */
static void find_root(struct gl_mesa *mesa)
{
    char folder[PATH_MAX], usr[PATH_MAX];
    if (!realpath(mesa->path, folder))
        return;
    JOIN(usr, "%s/usr/", folder);
    if (*usr && strncmp(mesa->libraries, usr, strlen(usr)) == 0)
        memcpy(mesa->root, folder, sizeof folder);
}

/* Adds a folder to the list if the folder contains a Mesa or the user named the folder. The first
 * Mesa without a problem becomes all->used. */
static void look_at(struct gl_mesas *all, const struct program_kind *kind, const char *origin,
                    const char *folder)
{
    char drivers[PATH_MAX];
    struct gl_mesa *mesa = &all->list[all->count];
    struct search search = {.kind = kind};
    if (all->count == GL_MESAS)
        return;
    JOIN(search.driver, "dri/%s_dri.so", all->gpu->name);
    *mesa = (struct gl_mesa){.origin = origin, .is_system = strcmp(origin, "system") == 0};
    JOIN(mesa->path, "%s", folder);
    if (!find_libraries(mesa, folder, &search, has_fitting_driver) &&
        !find_libraries(mesa, folder, &search, has_driver) &&
        !find_libraries(mesa, folder, &search, has_fitting_mesa) && !all->is_named)
        return;
    mesa->has_driver = *mesa->libraries && has_driver(mesa->libraries, &search);
    mesa->problem = problem_of(mesa, all->gpu, &search);
    if (*mesa->libraries) {
        JOIN(drivers, "%s/dri", mesa->libraries);
        memcpy(mesa->drivers, drivers, sizeof drivers);
        find_root(mesa);
        find_version(mesa, search.driver);
    }
    all->count++;
    if (!mesa->problem && !all->used)
        all->used = mesa;
}

/* --- places to search --- */

/* Writes the path of Tessera's folder in the user's cache. Returns false if there is no cache. */
static bool cache(char path[PATH_MAX])
{
    const char *folder = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (folder && folder[0] == '/')
        return snprintf(path, PATH_MAX, "%s/tessera", folder) < PATH_MAX;
    return home && *home && snprintf(path, PATH_MAX, "%s/.cache/tessera", home) < PATH_MAX;
}

static int newest_first(const struct dirent **one, const struct dirent **other)
{
    return strverscmp((*other)->d_name, (*one)->d_name);
}

/* Examines the folders in the cache whose names are "BEGINNING-VERSION", the newest version
 * first. */
static void look_at_cache(struct gl_mesas *all, const struct program_kind *kind, const char *folder,
                          const char *beginning)
{
    char path[PATH_MAX];
    struct dirent **entries;
    int count = scandir(folder, &entries, NULL, newest_first);
    for (int i = 0; i < count; i++) {
        size_t length = strlen(beginning);
        JOIN(path, "%s/%s", folder, entries[i]->d_name);
        if (strncmp(entries[i]->d_name, beginning, length) == 0 &&
            entries[i]->d_name[length] == '-')
            look_at(all, kind, "private", path);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

/* Examines the folders in the user's cache. For this computer's processor, these are the Mesas that
 * scripts/mesa-vc4 built. For another processor, these are the systems that scripts/arm64-root
 * unpacked. */
static void look_at_private(struct gl_mesas *all, const struct program_kind *kind)
{
    char folder[PATH_MAX];
    const char *processor = program_processor(kind);
    if (cache(folder) && processor)
        look_at_cache(all, kind, folder, program_emulator(kind) ? processor : "mesa");
}

struct gl_mesas *gl_mesas_find(const struct gl_gpu *gpu, const struct program_kind *kind)
{
    struct gl_mesas *all = calloc(1, sizeof *all);
    const char *named = getenv("TESSERA_MESA");
    if (!all)
        return NULL;
    all->gpu = gpu;
    all->is_named = named && *named;
    if (all->is_named) {
        look_at(all, kind, "named", named);
        return all;
    }
    look_at_private(all, kind);
    look_at(all, kind, "system", "/usr/local");
    look_at(all, kind, "system", "/usr");
    return all;
}

/* --- environment of a Mesa --- */

/* Variables that would keep a program from using the driver. */
static const char *const unwanted[] = {
    "LIBGL_ALWAYS_SOFTWARE",       /* selects a driver without a device */
    "MESA_LOADER_DRIVER_OVERRIDE", /* selects another driver for every device */
    "DRI_PRIME",                   /* selects another device */
    "GBM_BACKEND",                 /* selects another back end of libgbm */
    "GBM_DRIVERS_PATH",            /* precedes LIBGL_DRIVERS_PATH */
};

bool gl_mesa_environment(const struct gl_mesa *mesa,
                         bool (*take)(void *context, const char *name, const char *value,
                                      bool in_front),
                         void *context)
{
    char backends[PATH_MAX];
    JOIN(backends, "%s/gbm", mesa->libraries);
    bool good = mesa->is_system || take(context, "LD_LIBRARY_PATH", mesa->libraries, true);
    good = good && take(context, "LIBGL_DRIVERS_PATH", mesa->drivers, false);
    if (good && *mesa->vendor)
        good = take(context, "__EGL_VENDOR_LIBRARY_FILENAMES", mesa->vendor, false);
    if (good && exists(backends))
        good = take(context, "GBM_BACKENDS_PATH", backends, false);
    for (size_t i = 0; i < sizeof unwanted / sizeof *unwanted && good; i++)
        if (getenv(unwanted[i]))
            good = take(context, unwanted[i], NULL, false);
    return good;
}
