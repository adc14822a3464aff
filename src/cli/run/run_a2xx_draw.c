/* SPDX-License-Identifier: MIT */
/* run_a2xx_draw.c - see run_a2xx_draw.h. */
#include "cli/run/run_a2xx_draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

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

/* Computes the value of the PARAM_GEN register. |x| and |y| are the pixel's coordinates. |z| and
 * |w| are the coordinates within a point sprite. x is negative for a back face, y is negative for a
 * point, and z is negative for a line (docs/hardware/a2xx.md, section 11). */
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

/* --- traces --- */

/* Trace of one pixel of a batch. Its text is buffered until the traces of the pixels before it are
 * complete. */
struct pixel_trace {
    size_t lane;
    char *text;
    size_t size;
    struct trace trace;
};

struct pixel_traces {
    struct pixel_trace *items;
    size_t count;
};

static bool is_traced(const struct a2xx_shading *shading, const struct tess_draw_pixel *pixel)
{
    return shading->trace && !pixel->helper && pixel->x == shading->trace_x &&
           pixel->y == shading->trace_y;
}

static bool add_trace(struct pixel_traces *traces, const struct a2xx_shading *shading,
                      const struct tess_a2xx_batch *batch, size_t lane)
{
    if (!ARRAY_GROW(traces->items, traces->count))
        return false;
    traces->items[traces->count++] = (struct pixel_trace){.lane = batch->base + lane,
                                                          .trace = *shading->trace};
    return true;
}

/* Creates a trace for each traced pixel of the batch. The streams keep pointers into the array of
 * traces, so the streams are opened after the array's last realloc(). Returns false if the host is
 * out of memory. */
static bool open_traces(struct pixel_traces *traces, const struct a2xx_shading *shading,
                        const struct tess_a2xx_batch *batch, const struct tess_draw_pixels *pixels)
{
    bool good = true;
    for (size_t i = 0; i < pixels->count && good; i++)
        if (is_traced(shading, &pixels->pixels[i]))
            good = add_trace(traces, shading, batch, i);
    for (size_t i = 0; i < traces->count; i++) {
        struct pixel_trace *to = &traces->items[i];
        to->trace.stream = open_memstream(&to->text, &to->size);
        good &= to->trace.stream != NULL;
    }
    return good;
}

static void close_traces(struct pixel_traces *traces, FILE *stream)
{
    for (size_t i = 0; i < traces->count; i++) {
        struct pixel_trace *from = &traces->items[i];
        if (from->trace.stream && fclose(from->trace.stream) == 0)
            fwrite(from->text, 1, from->size, stream);
        free(from->text);
    }
    free(traces->items);
}

static bool trace_step(void *user, const struct tess_a2xx_step *step)
{
    struct pixel_traces *traces = user;
    for (size_t i = 0; i < traces->count; i++)
        if (traces->items[i].lane == step->lane)
            trace_a2xx(&traces->items[i].trace, step);
    return true;
}

/* Runs the batch. Each time the pixel of --trace-pixel is drawn, its shading is traced. */
static enum tess_status run_pixels(const struct a2xx_shading *shading,
                                   const struct tess_a2xx_batch *batch,
                                   const struct tess_draw_pixels *pixels)
{
    struct pixel_traces traces = {0};
    enum tess_status status = TESS_NO_MEMORY;
    if (open_traces(&traces, shading, batch, pixels))
        status = traces.count ? tess_a2xx_trace(shading->a2xx, batch, TESS_A2XX_EVERY_LANE,
                                                trace_step, &traces)
                              : tess_a2xx_run(shading->a2xx, batch);
    if (shading->trace)
        close_traces(&traces, shading->trace->stream);
    return status;
}

/* --- pixels --- */

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
    enum tess_status status = run_pixels(shading, &batch, pixels);
    for (size_t i = 0; i < pixels->count && depth; i++)
        pixels->depths[i] = shading->depths[i][0];
    shading->base += pixels->count;
    return status;
}

void a2xx_shading_report(const struct a2xx_shading *shading)
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
