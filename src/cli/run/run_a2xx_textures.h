/* SPDX-License-Identifier: MIT */
/* run_a2xx_textures.h - textures from PNG files: --texture
 * NUMBER=FILE.png[+FILE.png...][,OPTION...].
 *
 * In:  PNG files; options for format, layout, filters and wrapping (docs/a2xx/run.md).
 * Out: memory and texture constants of the modelled A2xx. */
#ifndef CLI_RUN_RUN_A2XX_TEXTURES_H
#define CLI_RUN_RUN_A2XX_TEXTURES_H

#include <tessera/a2xx.h>

#include "cli/run/shader_arguments.h"

enum { A2XX_TEXTURES = 32 };

/* The caller sets the members up to .programs, and sets the others to 0. */
struct a2xx_textures {
    const char *title;
    struct tess_sink sink;
    struct tess_a2xx *a2xx;
    enum tess_a2xx_variant variant;
    /* Programs whose sampler names --texture accepts. Either may be NULL. */
    const struct tess_a2xx_program *programs[2];
    uint8_t *bytes[A2XX_TEXTURES]; /* texels of each texture, or NULL if the texture is not given */
    uint32_t next;                 /* first free address, or 0 before the first texture */
};

/* Creates all textures. Returns false after reporting an error. */
bool a2xx_textures_take(struct a2xx_textures *textures, const struct option_list *arguments);

/* Warns about textures that a program samples but that the command line does not give. file: name
 * of the program's file. */
void a2xx_textures_check(const struct a2xx_textures *textures,
                         const struct tess_a2xx_program *program, const char *file);

/* Checks that no texture overlaps the program's vertex constants. Texture constant n consists of
 * the same words as vertex constants 3n to 3n + 2. Returns false after reporting an error. */
bool a2xx_textures_check_vertices(const struct a2xx_textures *textures,
                                  const struct tess_a2xx_program *program, const char *file);

void a2xx_textures_free(struct a2xx_textures *textures);

#endif
