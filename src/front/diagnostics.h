/* SPDX-License-Identifier: MIT */
/* diagnostics.h - explanations of diagnostics that are neither rules of the checker nor findings of
 * a model. These diagnostics are about assembly, files, scenes, tables and commands. */
#ifndef FRONT_DIAGNOSTICS_H
#define FRONT_DIAGNOSTICS_H

#include <stddef.h>

#include <tessera/tessera.h>

/* How the examples are run; the names are those in diagnostics.def. */
enum diagnostic_kind {
    DIAGNOSTIC_QPU,
    DIAGNOSTIC_GP,
    DIAGNOSTIC_A2XX,
    DIAGNOSTIC_SCENE,
    DIAGNOSTIC_COMMANDS,
    DIAGNOSTIC_TEXT,
};

struct diagnostic {
    const char *id;
    enum tess_level severity;
    enum diagnostic_kind kind;
    const char *title, *why, *wrong, *right;
};

/* Returns the row with index n, or NULL after the last row. */
const struct diagnostic *diagnostic_get(size_t n);

/* Returns the row with an id, or NULL for an unknown id. */
const struct diagnostic *diagnostic_find(const char *id);

/* A file that the commands of the examples use. */
struct diagnostic_file {
    const char *name, *content;
};

/* Returns the file with index n, or NULL after the last file. */
const struct diagnostic_file *diagnostic_file_get(size_t n);

#endif
