/* SPDX-License-Identifier: MIT */
/* shader_uniforms.h - values of uniforms from the command line and from tables.
 *
 * In:  arguments NAME=VALUE,VALUE,... and tables with lines NAME,VALUE,VALUE,... NAME may be a row
 *      number. [ROW], .x to .w, or both may follow NAME.
 * Out: rows of four floats. */
#ifndef CLI_RUN_SHADER_UNIFORMS_H
#define CLI_RUN_SHADER_UNIFORMS_H

#include <tessera/tessera.h>

#include "cli/run/shader_missing.h"
#include "cli/run/shader_names.h"

/* Uniforms of a program. The caller sets all members. rows and given have names.limit elements. */
struct shader_uniforms {
    const char *title; /* name of the verb for error messages */
    struct tess_sink sink;
    struct shader_missing *missing; /* collects the uniforms without values */
    struct shader_names names;
    float (*rows)[SHADER_COMPONENTS];
    uint8_t *given; /* mask per row of the components that have a value */
};

/* Parses an argument of --uniform. Returns false after an error message. */
bool shader_uniforms_take(struct shader_uniforms *uniforms, const char *argument);

/* Reads a file of --uniforms. Returns false after reporting an error to the sink. */
bool shader_uniforms_read(struct shader_uniforms *uniforms, const char *path);

/* If no component of a uniform has a value, adds the uniform to uniforms->missing and marks the
 * uniform as given, with its current value. file: name of the program's file. */
void shader_uniforms_check(struct shader_uniforms *uniforms, const struct shader_name *name,
                           const char *file);

/* True if no component of a uniform has a value. */
bool shader_uniforms_missing(const struct shader_uniforms *uniforms,
                             const struct shader_name *name);

#endif
