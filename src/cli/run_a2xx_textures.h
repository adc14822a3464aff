/* SPDX-License-Identifier: MIT */
/* run_a2xx_textures.h - textures from PNG files: --texture NUMBER=FILE.png[+FILE.png...][,OPTION...].
 *
 * In:  pictures; what the options say of format, layout, filters and wrapping (docs/a2xx/run.md).
 * Out: memory and texture constants of the machine. */
#ifndef CLI_RUN_A2XX_TEXTURES_H
#define CLI_RUN_A2XX_TEXTURES_H

#include <tessera/a2xx.h>

#include "shader_arguments.h"

enum { A2XX_TEXTURES = 32 };

/* Zero-initialise it. */
struct a2xx_textures {
    const char *title;
    struct tess_sink sink;
    struct tess_a2xx *a2xx;
    enum tess_a2xx_variant variant;
    const struct tess_a2xx_program *programs[2]; /* whose names of samplers count; may be NULL */
    uint8_t *bytes[A2XX_TEXTURES];
    uint32_t next; /* free memory */
};

/* Takes all arguments. False after a mistake, which has been told. */
bool a2xx_textures_take(struct a2xx_textures *textures, const struct shader_list *arguments);

/* Warns of textures that a program samples, but that are not there; file stands for the program. */
void a2xx_textures_check(const struct a2xx_textures *textures,
                         const struct tess_a2xx_program *program, const char *file);

/* Whether no texture lies where the program's vertex constants are: texture constant n and vertex constants 3n to 3n + 2 are the
 * same words. False, and it has been told. */
bool a2xx_textures_check_vertices(const struct a2xx_textures *textures,
                                  const struct tess_a2xx_program *program, const char *file);

void a2xx_textures_free(struct a2xx_textures *textures);

#endif
