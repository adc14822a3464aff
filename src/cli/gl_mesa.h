/* SPDX-License-Identifier: MIT */
/* gl_mesa.h - finds the Mesas on this computer, and the first one with a vc4 driver that a program
 * can load. */
#ifndef CLI_GL_MESA_H
#define CLI_GL_MESA_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "program.h"

enum { GL_MESA_VERSION = 24, GL_MESAS = 16 };

struct gl_mesa {
    const char *origin;  /* "named" (TESSERA_MESA), "private" (the user's cache) or "system" */
    char path[PATH_MAX]; /* folder that was examined */
    /* absolute path of that folder if it holds a whole system; else empty */
    char root[PATH_MAX];
    char libraries[PATH_MAX]; /* folder of libEGL_mesa.so.0; empty if there is no Mesa */
    char drivers[PATH_MAX];   /* folder of the drivers; has vc4_dri.so if has_vc4 */
    /* file that makes libEGL load this Mesa; empty if libEGL is Mesa's own */
    char vendor[PATH_MAX];
    char version[GL_MESA_VERSION];
    bool has_vc4;
    bool is_system;      /* the dynamic linker finds its libraries without LD_LIBRARY_PATH */
    const char *problem; /* reason why this Mesa cannot be used; NULL if it can */
};

struct gl_mesas {
    struct gl_mesa list[GL_MESAS];
    size_t count;
    const struct gl_mesa *used; /* NULL if no Mesa can be used */
    bool is_named;              /* true if TESSERA_MESA is set: the list contains only that Mesa */
};

/* Returns the Mesas for a kind of program in the order of preference: only that of TESSERA_MESA, or
 * those that scripts/mesa-vc4 built or scripts/arm64-root unpacked (the newest first) and then the
 * system's. The caller frees the
 * list with free(). Returns NULL if the host is out of memory. */
struct gl_mesas *gl_mesas_find(const struct program_kind *kind);

/* Calls take for each environment variable that makes a program load a Mesa. value is NULL for a
 * variable that must be unset. in_front: the value is put at the front of a list. Stops when take
 * returns false, and returns that result. */
bool gl_mesa_environment(const struct gl_mesa *mesa,
                         bool (*take)(void *context, const char *name, const char *value,
                                      bool in_front),
                         void *context);

#endif
