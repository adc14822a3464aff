/* SPDX-License-Identifier: MIT */
/* run_a2xx_texture_options.h - parses the options that follow the files of --texture. */
#ifndef CLI_RUN_RUN_A2XX_TEXTURE_OPTIONS_H
#define CLI_RUN_RUN_A2XX_TEXTURE_OPTIONS_H

#include <tessera/a2xx.h>

/* Values of texture.dimension. */
enum {
    A2XX_DIMENSION_1D,
    A2XX_DIMENSION_2D,
    A2XX_DIMENSION_3D,
    A2XX_DIMENSION_CUBE,
};

struct a2xx_texture_options {
    struct tess_a2xx_texture texture; /* The options do not set its sizes and addresses. */
    bool mips, flip;                  /* true if the option "mips" or "flip" is given */
    bool has_mip;                     /* true if the option "mip" is given */
};

/* Parses text, NAME or NAME=VALUE, which is split in place. On failure, writes an error text to
 * mistake and returns false. */
bool a2xx_texture_option_take(struct a2xx_texture_options *options, char *text, char *mistake,
                              size_t size);

#endif
