/* SPDX-License-Identifier: MIT */
/* diagnostics.c - see diagnostics.h. */
#include "front/diagnostics.h"

#include <string.h>

#define DIAGNOSTIC(id, level, kind, title, why, wrong, right) \
    {id, TESS_##level, DIAGNOSTIC_##kind, title, why, wrong, right},
static const struct diagnostic rows[] = {
#include "front/diagnostics.def"
};
#undef DIAGNOSTIC

#define DIAGNOSTIC_FILE(name, content) {name, content},
static const struct diagnostic_file files[] = {
#include "front/diagnostics_files.def"
};
#undef DIAGNOSTIC_FILE

enum { ROWS = sizeof rows / sizeof rows[0], FILES = sizeof files / sizeof files[0] };

const struct diagnostic *diagnostic_get(size_t n)
{
    return n < ROWS ? &rows[n] : NULL;
}

const struct diagnostic *diagnostic_find(const char *id)
{
    for (size_t i = 0; i < ROWS; i++)
        if (strcmp(rows[i].id, id) == 0)
            return &rows[i];
    return NULL;
}

const struct diagnostic_file *diagnostic_file_get(size_t n)
{
    return n < FILES ? &files[n] : NULL;
}
