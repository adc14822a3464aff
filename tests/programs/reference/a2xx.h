/* SPDX-License-Identifier: MIT */
/* a2xx.h - references of the programs of examples/a2xx, from their GLSL, in float64. */
#ifndef PROGRAMS_REFERENCE_A2XX_H
#define PROGRAMS_REFERENCE_A2XX_H

#include <stdbool.h>
#include <stdint.h>

#include "shader.h"

/* --- vertex programs: gl_Position, then the varyings --- */

shader_reference a2xx_first_listing, a2xx_lighting, a2xx_texture, a2xx_quad, a2xx_kill,
    a2xx_ripples, a2xx_dark_ripples, a2xx_skinning, a2xx_cube;

/* --- pixel programs: gl_FragColor, then 1 in x if the pixel is killed --- */

/* References of pixel programs. If rounding can change a condition, the values that depend on
 * the condition have an infinite error. */
shader_reference a2xx_plain, a2xx_colour, a2xx_branch, a2xx_loop, a2xx_mandelbrot, a2xx_kill_pixel,
    a2xx_nearest, a2xx_linear, a2xx_crate;

/* The texture of the last three programs. It has red, green and blue bytes, in rows from the
 * top. */
struct a2xx_picture {
    const uint8_t *rgb;
    int width, height;
};
extern struct a2xx_picture a2xx_picture;

#endif
