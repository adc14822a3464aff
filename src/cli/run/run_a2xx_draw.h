/* SPDX-License-Identifier: MIT */
/* run_a2xx_draw.h - shades the pixels of a picture with an A2xx pixel program.
 *
 * In:  quads of pixels with interpolated parameters. Parameter 0 becomes R0, parameter 1 R1, and so
 *      on. The PARAM_GEN register holds the position, the face and the point coordinates.
 * Out: colours, depths and a killed flag per pixel. */
#ifndef CLI_RUN_RUN_A2XX_DRAW_H
#define CLI_RUN_RUN_A2XX_DRAW_H

#include <tessera/a2xx.h>
#include <tessera/draw.h>

#include "front/trace.h"

/* State of the shading. The caller sets the members up to .trace_y, and sets the others to 0. */
struct a2xx_shading {
    struct tess_a2xx *a2xx;
    const struct tess_a2xx_program *program;
    enum tess_draw_primitive primitive;
    uint32_t param_gen;        /* number of the PARAM_GEN register; TESS_A2XX_REGISTERS if unused */
    bool clockwise_front;      /* true if clockwise triangles are front faces */
    const struct trace *trace; /* template for traces, or NULL if no pixel is traced */
    uint32_t trace_x, trace_y; /* pixel to trace */
    float (*generated)[4], (*depths)[4]; /* arrays of TESS_DRAW_BATCH elements */
    uint8_t *helpers;                    /* array of TESS_DRAW_BATCH elements */
    size_t base;                         /* number of pixels in earlier batches */
};

/* Returns the number of the PARAM_GEN register, which the source names gl_FragCoord,
 * gl_FrontFacing or gl_PointCoord. Returns TESS_A2XX_REGISTERS if the source has none of these
 * names. */
uint32_t a2xx_find_param_gen(const struct tess_a2xx_program *program);

/* Allocates the arrays. Returns false if the host is out of memory. */
bool a2xx_shading_begin(struct a2xx_shading *shading);

/* Callback for tess_picture_draw(). user is a struct a2xx_shading. */
enum tess_status a2xx_shade(void *user, const struct tess_draw_pixels *pixels);

/* Reports the findings that were deferred to the end of the picture. */
void a2xx_shading_report(const struct a2xx_shading *shading);

void a2xx_shading_free(struct a2xx_shading *shading);

#endif
