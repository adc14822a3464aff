/* SPDX-License-Identifier: MIT */
/* run_a2xx_draw.c - see run_a2xx_draw.h. */
#include "run_a2xx_draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

uint32_t a2xx_find_param_gen(const struct tess_a2xx_program *program)
{
    static const char *const names[] = {"gl_FragCoord", "gl_FrontFacing", "gl_PointCoord"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const struct tess_a2xx_symbol *symbol = tess_a2xx_program_find(program, TESS_A2XX_VARYING,
                                                                       names[i]);
        if (symbol)
            return symbol->number;
    }
    return TESS_A2XX_REGISTERS;
}

bool a2xx_shading_begin(struct a2xx_shading *shading)
{
    shading->generated = calloc(TESS_DRAW_BATCH, sizeof *shading->generated);
    shading->depths = calloc(TESS_DRAW_BATCH, sizeof *shading->depths);
    shading->helpers = calloc(TESS_DRAW_BATCH, 1);
    return shading->generated && shading->depths && shading->helpers;
}

/* |x|, |y|: the pixel; |z|, |w|: where in a point. Signs: of x, seen from behind; of y, a point; of z, a line (digest a2xx.md,
 * section 11). */
static void generate(const struct a2xx_shading *shading, const struct tess_draw_pixel *pixel,
                     float out[4])
{
    bool point = shading->primitive == TESS_DRAW_POINTS;
    bool line = shading->primitive == TESS_DRAW_LINES || shading->primitive == TESS_DRAW_LINE_STRIP;
    bool back = !point && !line && pixel->clockwise != shading->clockwise_front;
    out[0] = copysignf((float)pixel->x, back ? -1 : 1);
    out[1] = copysignf((float)pixel->y, point ? -1 : 1);
    out[2] = copysignf(pixel->point[0], line ? -1 : 1);
    out[3] = pixel->point[1];
}

static void prepare(struct a2xx_shading *shading, const struct tess_draw_pixels *pixels)
{
    for (size_t i = 0; i < pixels->count; i++) {
        shading->helpers[i] = pixels->pixels[i].helper;
        shading->depths[i][0] = pixels->depths[i];
        if (shading->param_gen < TESS_A2XX_REGISTERS)
            generate(shading, &pixels->pixels[i], shading->generated[i]);
    }
}

/* Traces the pixel that is looked for, as often as it is drawn. */
static enum tess_status trace_pixels(const struct a2xx_shading *shading,
                                     const struct tess_a2xx_batch *batch,
                                     const struct tess_draw_pixels *pixels)
{
    enum tess_status status = TESS_OK;
    for (size_t i = 0; i < pixels->count && status == TESS_OK; i++) {
        const struct tess_draw_pixel *pixel = &pixels->pixels[i];
        if (pixel->helper || pixel->x != shading->trace_x || pixel->y != shading->trace_y)
            continue;
        struct a2xx_trace trace = *shading->trace;
        for (unsigned r = 0; r < TESS_A2XX_REGISTERS; r++)
            if (batch->registers[r])
                memcpy(trace.registers[r], batch->registers[r][i], sizeof trace.registers[r]);
        status = tess_a2xx_trace(shading->a2xx, batch, i, a2xx_trace_step, &trace);
    }
    return status;
}

enum tess_status a2xx_shade(void *user, const struct tess_draw_pixels *pixels)
{
    struct a2xx_shading *shading = user;
    bool depth = tess_a2xx_program_exports(shading->program, TESS_A2XX_DEPTH) & 1;
    struct tess_a2xx_batch batch = {
        .stage = TESS_A2XX_PIXEL,
        .count = pixels->count,
        .quads = true,
        .helper = shading->helpers,
        .killed = pixels->killed,
        .base = shading->base,
        .more = true,
    };
    prepare(shading, pixels);
    for (unsigned i = 0; i < TESS_DRAW_VARYINGS; i++)
        batch.registers[i] = pixels->varyings[i];
    if (shading->param_gen < TESS_A2XX_REGISTERS)
        batch.registers[shading->param_gen] = (const float(*)[4])shading->generated;
    batch.exports[TESS_A2XX_COLOUR] = pixels->colours;
    batch.exports[TESS_A2XX_DEPTH] = depth ? shading->depths : NULL;
    enum tess_status status = shading->trace ? trace_pixels(shading, &batch, pixels) : TESS_OK;
    if (status == TESS_OK)
        status = tess_a2xx_run(shading->a2xx, &batch);
    for (size_t i = 0; i < pixels->count && depth; i++)
        pixels->depths[i] = shading->depths[i][0];
    shading->base += pixels->count;
    return status;
}

void a2xx_shading_tell(const struct a2xx_shading *shading)
{
    if (shading->a2xx)
        tess_a2xx_run(shading->a2xx, &(struct tess_a2xx_batch){.stage = TESS_A2XX_PIXEL});
}

void a2xx_shading_free(struct a2xx_shading *shading)
{
    free(shading->generated);
    free(shading->depths);
    free(shading->helpers);
    *shading = (struct a2xx_shading){0};
}
