/* SPDX-License-Identifier: MIT */
/* gl_mesa.h - the Mesas that there are, and which has a vc4 driver that a program can load. */
#ifndef CLI_GL_MESA_H
#define CLI_GL_MESA_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "program.h"

enum { GL_MESA_VERSION = 24, GL_MESAS = 16 };

struct gl_mesa {
    const char *origin;       /* who led there: "private", say */
    char path[PATH_MAX];      /* the folder that was looked into */
    char root[PATH_MAX];      /* the same, if it is that of a whole system; else empty */
    char libraries[PATH_MAX]; /* with libEGL_mesa.so.0; empty if there is no Mesa */
    char drivers[PATH_MAX];   /* with vc4_dri.so, if has_vc4 */
    char vendor[PATH_MAX];    /* what tells libEGL of it; empty if libEGL is its own */
    char version[GL_MESA_VERSION];
    bool has_vc4;
    bool is_system;      /* its libraries are found without being told */
    const char *problem; /* why it cannot be used; NULL: it can */
};

struct gl_mesas {
    struct gl_mesa list[GL_MESAS];
    size_t count;
    const struct gl_mesa *used; /* NULL if none can be */
    bool is_named;              /* by TESSERA_MESA, and no other is looked for */
};

/* Those for a kind of program, in the order in which they are taken: that of TESSERA_MESA, or those that scripts/mesa-vc4 has
 * built, the newest first, and the system's. To be given to free(); NULL if there is no memory. */
struct gl_mesas *gl_mesas_find(const struct program_kind *kind);

/* Calls back for each environment variable that leads programs to a Mesa; value is NULL for those that must not be set.
 * in_front: it is a list that the value is put in front of. Stops at false, which it returns. */
bool gl_mesa_environment(const struct gl_mesa *mesa,
                         bool (*tell)(void *context, const char *name, const char *value,
                                      bool in_front),
                         void *context);

#endif
