/* SPDX-License-Identifier: MIT */
/* gl_mesa.h - finds the installed Mesas, and the first Mesa with a driver for the GPU that a
 * program can load. */
#ifndef CLI_LAUNCH_GL_MESA_H
#define CLI_LAUNCH_GL_MESA_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "cli/launch/program.h"
#include "front/gl_values.h"

enum { GL_MESA_VERSION = 24, GL_MESA_PROBLEM = 80, GL_MESAS = 16 };

struct gl_mesa {
    const char *origin;  /* "named" (TESSERA_MESA), "private" (the user's cache) or "system" */
    char path[PATH_MAX]; /* folder that was examined */
    /* Absolute form of .path if the folder holds a whole system, else empty. */
    char root[PATH_MAX];
    char libraries[PATH_MAX]; /* folder of the Mesa's libraries, or empty if no Mesa was found */
    char drivers[PATH_MAX];   /* folder of the Mesa's drivers, such as vc4_dri.so */
    /* JSON file that makes libglvnd's libEGL load this Mesa. Empty if this Mesa has a libEGL.so.1
     * of its own. */
    char vendor[PATH_MAX];
    char version[GL_MESA_VERSION];
    bool has_driver; /* true if the Mesa has a driver for the GPU */
    bool is_system;  /* true if the dynamic linker finds the libraries without LD_LIBRARY_PATH */
    const char *problem; /* reason why this Mesa cannot be used, or NULL if it is usable */
    char about_driver[GL_MESA_PROBLEM]; /* text of a problem of the driver */
};

struct gl_mesas {
    const struct gl_gpu *gpu;
    struct gl_mesa list[GL_MESAS];
    size_t count;
    const struct gl_mesa *used; /* NULL if no Mesa can be used */
    bool is_named;              /* true if TESSERA_MESA is set: the list contains only that Mesa */
};

/* Returns the Mesas for a GPU and a kind of program. If TESSERA_MESA is set, the list contains only
 * the Mesa in that folder. Otherwise the list begins with the Mesas that scripts/mesa-vc4 built or
 * scripts/arm64-root unpacked (the newest first) and ends with the system's Mesas. The caller
 * releases the list with free(). Returns NULL if the host is out of memory. */
struct gl_mesas *gl_mesas_find(const struct gl_gpu *gpu, const struct program_kind *kind);

/* Calls take for each environment variable that makes a program load a Mesa. value is NULL for a
 * variable that must be unset. in_front is true if the variable is a list and value must be added
 * to the front. Returns false as soon as take returns false, else true. */
bool gl_mesa_environment(const struct gl_mesa *mesa,
                         bool (*take)(void *context, const char *name, const char *value,
                                      bool in_front),
                         void *context);

#endif
