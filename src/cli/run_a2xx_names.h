/* SPDX-License-Identifier: MIT */
/* run_a2xx_names.h - what the data of A2xx programs is called: attributes, inputs of pixels, exports, constants.
 *
 * In:  programs with the names of their sources.
 * Out: names for shader_names.h; what has none in the source gets one from its number. */
#ifndef CLI_RUN_A2XX_NAMES_H
#define CLI_RUN_A2XX_NAMES_H

#include <tessera/a2xx.h>
#include <tessera/draw.h>

#include "shader_names.h"

/* Numbers of outputs that are not the export's own number. */
enum {
    A2XX_OUT_POSITION = 16, /* vertex programs; parameters are 0 to 15 */
    A2XX_OUT_POINT,
    A2XX_OUT_DEPTH = 4, /* pixel programs; colours are 0 to 3 */
    A2XX_OUT_KILLED,
    A2XX_OUT_MEMORY = 18, /* both: address and data of memory exports */
    A2XX_OUT_END = 24,
};

enum { A2XX_NO_EXPORT = TESS_A2XX_EXPORTS };

/* Constants of both stages: the vertex program's are 0 to 255. */
enum { A2XX_STAGE_CONSTANTS = TESS_A2XX_CONSTANTS / 2 };

/* Zero-initialise it, free it with a2xx_names_free(). */
struct a2xx_names {
    struct shader_names list;
    struct shader_name *items;
    size_t capacity;
    char **texts; /* of names that no source has */
    size_t text_count;
};

/* Attributes: what vertex fetches read, each from one place of the buffers. fetches gets the fetch of each number and must
 * have room for SHADER_MOST_ATTRIBUTES. False if there is no memory, or are too many. */
bool a2xx_names_attributes(struct a2xx_names *names, const struct tess_a2xx_program *program,
                           const struct tess_a2xx_vertex_fetch **fetches);

/* Registers that a pixel program finds filled. */
bool a2xx_names_inputs(struct a2xx_names *names, const struct tess_a2xx_program *program);

/* Exports of the stage. */
bool a2xx_names_outputs(struct a2xx_names *names, const struct tess_a2xx_program *program,
                        enum tess_a2xx_stage stage);

/* Constants of both programs, either of which may be NULL. */
bool a2xx_names_constants(struct a2xx_names *names, const struct tess_a2xx_program *vertex,
                          const struct tess_a2xx_program *pixel);

void a2xx_names_free(struct a2xx_names *names);

/* The export behind an output's number, or A2XX_NO_EXPORT. */
uint32_t a2xx_output_export(enum tess_a2xx_stage stage, uint32_t output);

#endif
