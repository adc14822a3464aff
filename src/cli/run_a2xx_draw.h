/* SPDX-License-Identifier: MIT */
/* run_a2xx_draw.h - pixels of a picture by a pixel program of the A2xx.
 *
 * In:  pixels in fours with interpolated parameters, which become R0, R1... by their numbers.
 * Out: colours, depths and what is killed. Position, face and point coordinates go to the register of PARAM_GEN. */
#ifndef CLI_RUN_A2XX_DRAW_H
#define CLI_RUN_A2XX_DRAW_H

#include <tessera/a2xx.h>
#include <tessera/draw.h>

#include "run_a2xx_trace.h"

/* Set all members up to .trace_y, leave the rest zero. */
struct a2xx_shading {
    struct tess_a2xx *a2xx;
    const struct tess_a2xx_program *program;
    enum tess_draw_primitive primitive;
    uint32_t param_gen;             /* register; TESS_A2XX_REGISTERS: none */
    bool clockwise_front;           /* else counter-clockwise */
    const struct a2xx_trace *trace; /* of the pixel below, or NULL */
    uint32_t trace_x, trace_y;
    float (*generated)[4], (*depths)[4]; /* TESS_DRAW_BATCH of each */
    uint8_t *helpers;
    size_t base; /* pixels before */
};

/* The register of PARAM_GEN: where the source names what it holds, as gl_FragCoord, gl_FrontFacing or gl_PointCoord;
 * TESS_A2XX_REGISTERS if it does not. */
uint32_t a2xx_find_param_gen(const struct tess_a2xx_program *program);

/* False if there is no memory. */
bool a2xx_shading_begin(struct a2xx_shading *shading);

/* The function for tess_picture_draw(), user being a struct a2xx_shading. */
enum tess_status a2xx_shade(void *user, const struct tess_draw_pixels *pixels);

/* Tells findings that have waited for the end of the picture. */
void a2xx_shading_report(const struct a2xx_shading *shading);

void a2xx_shading_free(struct a2xx_shading *shading);

#endif
