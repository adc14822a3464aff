/* SPDX-License-Identifier: MIT */
/* shader_uniforms.h - values of uniforms from the command line and from tables.
 *
 * In:  NAME=VALUE,VALUE,... where NAME may be followed by [ROW], by .x to .w, or both, and may be a row's number; or a table
 *      with lines NAME,VALUE,VALUE,...
 * Out: rows of four floats. */
#ifndef CLI_SHADER_UNIFORMS_H
#define CLI_SHADER_UNIFORMS_H

#include <tessera/tessera.h>

#include "shader_missing.h"
#include "shader_names.h"

/* Set all members; rows and given have names.limit elements. */
struct shader_uniforms {
    const char *title; /* for messages about the command line */
    struct tess_sink sink;
    struct shader_missing *missing; /* takes the uniforms that have no value */
    struct shader_names names;
    float (*rows)[SHADER_COMPONENTS];
    uint8_t *given; /* bits of the components that have been given a value */
};

/* Takes the argument of --uniform. False after a mistake, which standard error has been told. */
bool shader_uniforms_take(struct shader_uniforms *uniforms, const char *argument);

/* Takes the file of --uniforms. False after a mistake, which the sink has been told. */
bool shader_uniforms_read(struct shader_uniforms *uniforms, const char *path);

/* Notes a uniform of the program in this file as missing if it has not been given; it is 0 then. */
void shader_uniforms_check(struct shader_uniforms *uniforms, const struct shader_name *name,
                           const char *file);

/* Whether no component of a uniform has been given. */
bool shader_uniforms_missing(const struct shader_uniforms *uniforms,
                             const struct shader_name *name);

#endif
