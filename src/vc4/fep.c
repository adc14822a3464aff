/* SPDX-License-Identifier: MIT */
/* fep.c - Front End Pipe: finds the covered quads of a primitive, gives them Z and W, and collects
 * four of them for each run of the fragment shader.
 *
 * In:        struct pse_primitive, a window, the limits of record 104.
 * Out:       struct fep_batch through a callback.
 * Source:    manual sections 2 and 6 (table 29), table 38.
 * Modelled:  exact coverage at pixel centres, or with record 96's oversample modes at any of a pixel's
 *            samples (Broadcom's vg_hw_4.c tells that neighbours then both shade what is on an edge);
 *            Z limits; Z as 24-bit integer; W as float.
 * Left out:  multisample coverage. Early Z is tested where a batch is started (qps.c, tlb.c).
 * Differs:   rounding of Z and W is a choice, see docs/vc4/fep.md.
 */
#include "vc4/fep.h"

#include <math.h>

#include "vc4/samples.h"

_Static_assert(FEP_SLOTS >= 4, "each quad of a batch may need a slot of its own");

enum {
    PIXEL = OUTLINE_UNIT, /* raster units */
    CENTRE = PIXEL / 2,
    Z_MAX = 0xffffff,
    BATCH_QUADS = 4,
    NO_SLOT = -1,
    COORDINATE_LIMIT = 1 << 16, /* struct fep_batch holds 16 bits, more than the hardware's 11 */
};

/* A row's covered pixels: left <= x < right. */
struct span {
    int64_t left, right;
};

static const struct span empty_span = {INT32_MAX, INT32_MIN};

/* One fep_draw(). */
struct draw {
    struct fep *fep;
    const struct pse_primitive *primitive;
    struct fep_window bounds; /* where the primitive can have pixels */
    double z_low, z_end;      /* limits of scaled_z(): low <= z < end */
    int slot;                 /* the primitive's place in fep->slot */
    fep_shade *shade;
    void *user;
};

static int32_t larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static int32_t smaller(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/* --- coverage --- */

static int64_t floor_divide(int64_t number, int64_t divisor)
{
    return number / divisor - (number % divisor < 0);
}

/* Narrows a span to the inside of an edge. */
static void cut_span(struct span *span, const struct pse_edge *edge, int32_t y)
{
    int64_t at_0 = edge->a * CENTRE + edge->b * ((int64_t)y * PIXEL + CENTRE) + edge->c;
    int64_t step = edge->a * PIXEL; /* inside: at_0 + step * x >= 0 */
    if (step > 0) {
        int64_t first = -floor_divide(at_0, step);
        span->left = first > span->left ? first : span->left;
    } else if (step < 0) {
        int64_t end = floor_divide(at_0, -step) + 1;
        span->right = end < span->right ? end : span->right;
    } else if (at_0 < 0) {
        *span = empty_span;
    }
}

/* A primitive is convex, so that its part of a row is one interval. */
static struct span row_span(const struct draw *draw, int32_t y)
{
    if (y < draw->bounds.bottom || y >= draw->bounds.top)
        return empty_span;
    struct span span = {draw->bounds.left, draw->bounds.right};
    for (uint32_t i = 0; i < draw->primitive->edge_count; i++)
        cut_span(&span, &draw->primitive->edge[i], y);
    return span.left < span.right ? span : empty_span;
}

static unsigned in_span(const struct span *span, int64_t x)
{
    return span->left <= x && x < span->right;
}

/* Which of a quad's lanes lie in the spans of its two rows. */
static unsigned quad_mask(const struct span row[2], int32_t x)
{
    return in_span(&row[0], x) | in_span(&row[0], x + 1) << 1 | in_span(&row[1], x) << 2 |
           in_span(&row[1], x + 1) << 3;
}

/* --- Z and W --- */

/* A plane's values at a quad's pixel centres. */
static void evaluate_plane(double value[4], const struct pse_plane *plane,
                           const struct pse_primitive *primitive, int32_t x, int32_t y)
{
    double from_x = x + 0.5 - primitive->x0, from_y = y + 0.5 - primitive->y0;
    double left = plane->at0 + plane->dx * from_x, right = plane->at0 + plane->dx * (from_x + 1);
    double low = plane->dy * from_y, high = plane->dy * (from_y + 1);
    value[0] = left + low;
    value[1] = right + low;
    value[2] = left + high;
    value[3] = right + high;
}

/* Zs times the largest 24-bit integer, plus a half: its whole part is the rounded Z. */
static double scaled_z(double z)
{
    return z * Z_MAX + 0.5;
}

static uint32_t z_integer(double z)
{
    double scaled = scaled_z(z);
    if (!(scaled > 0))
        return 0;
    return scaled < Z_MAX ? (uint32_t)(int32_t)scaled : Z_MAX;
}

/* Record 104 limits Zs before the depth offset. Both sides are compared after rounding, so that
 * what lies exactly at a limit stays, however steep it is. */
static void set_z_limits(struct draw *draw, const struct cl_state *state)
{
    draw->z_low = floor(scaled_z(state->z_min));
    draw->z_end = floor(scaled_z(state->z_max)) + 1;
}

/* Lanes within the limits; none where Z is not a number. */
static unsigned z_mask(const struct draw *draw, const double z[4])
{
    unsigned mask = 0;
    for (unsigned i = 0; i < 4; i++) {
        double scaled = scaled_z(z[i]);
        mask |= (unsigned)(scaled >= draw->z_low && scaled < draw->z_end) << i;
    }
    return mask;
}

/* --- batches --- */

static void emit(struct fep *fep, fep_shade *shade, void *user)
{
    shade(user, &fep->batch);
    fep->batch = (struct fep_batch){0};
    fep->slots = 0;
}

/* Emits the batch in the middle of a primitive, which keeps its slot in the next one. */
static void emit_and_keep(struct draw *draw)
{
    struct fep *fep = draw->fep;
    emit(fep, draw->shade, draw->user);
    if (draw->slot == NO_SLOT)
        return;
    if (draw->slot != 0)
        pse_copy(&fep->slot[0], &fep->slot[draw->slot]);
    draw->slot = 0;
    fep->slots = 1;
}

static bool position_taken(const struct fep_batch *batch, int32_t x, int32_t y)
{
    for (uint32_t i = 0; i < batch->quads; i++)
        if (batch->x[i] == x && batch->y[i] == y)
            return true;
    return false;
}

static void set_lanes(struct draw *draw, uint32_t quad, const double z[4], const double inv_w[4])
{
    uint32_t z_lanes[4], w_lanes[4];
    for (unsigned i = 0; i < 4; i++) {
        z_lanes[i] = z_integer(z[i] + draw->primitive->z_offset);
        w_lanes[i] = vri_float_bits(1 / inv_w[i]);
    }
    vri_set_quad(&draw->fep->batch.z, quad, z_lanes);
    vri_set_quad(&draw->fep->batch.w, quad, w_lanes);
}

static void add_quad(struct draw *draw, int32_t x, int32_t y, unsigned covered, const double z[4])
{
    struct fep *fep = draw->fep;
    struct fep_batch *batch = &fep->batch;
    bool others = fep->slots > (draw->slot != NO_SLOT); /* one's own quads never meet */
    if (others && position_taken(batch, x, y))
        emit_and_keep(draw);
    if (draw->slot == NO_SLOT) {
        draw->slot = (int)fep->slots++;
        pse_copy(&fep->slot[draw->slot], draw->primitive);
    }

    uint32_t quad = batch->quads++;
    batch->x[quad] = (uint16_t)x;
    batch->y[quad] = (uint16_t)y;
    batch->primitive[quad] = (uint8_t)draw->slot;
    batch->covered |= (lane_mask)(covered << quad * 4);
    if (draw->primitive->reverse)
        batch->reverse |= (lane_mask)(0xf << quad * 4);
    double inv_w[4];
    evaluate_plane(inv_w, &draw->primitive->inv_w, draw->primitive, x, y);
    set_lanes(draw, quad, z, inv_w);
    fep->quads++;
    if (batch->quads == BATCH_QUADS)
        emit_and_keep(draw);
}

static void draw_quad(struct draw *draw, int32_t x, int32_t y, unsigned covered)
{
    if (covered == 0)
        return;
    double z[4];
    evaluate_plane(z, &draw->primitive->z, draw->primitive, x, y);
    covered &= z_mask(draw, z);
    if (covered)
        add_quad(draw, x, y, covered, z);
}

/* Two rows of pixels, from the even row y on. */
static void draw_rows(struct draw *draw, int32_t y)
{
    struct span row[2] = {row_span(draw, y), row_span(draw, y + 1)};
    int64_t left = row[0].left < row[1].left ? row[0].left : row[1].left;
    int64_t right = row[0].right > row[1].right ? row[0].right : row[1].right;
    for (int32_t x = (int32_t)left & ~1; x < right; x += 2)
        draw_quad(draw, x, y, quad_mask(row, x));
}

/* --- oversampling --- */

/* The pixels of a row that have a sample inside; one interval, too. */
static struct span oversampled_span(const struct draw *draw, const struct samples_pattern *pattern,
                                    int32_t y)
{
    struct span span = empty_span;
    if (y < draw->bounds.bottom || y >= draw->bounds.top)
        return span;
    for (uint32_t row = 0; row < pattern->rows; row++) {
        struct samples_run run = samples_inside(pattern, row, draw->primitive, y, draw->bounds.left,
                                                draw->bounds.right);
        if (run.first >= run.end)
            continue;
        int64_t first = run.first / pattern->per_row, end = (run.end - 1) / pattern->per_row + 1;
        span.left = first < span.left ? first : span.left;
        span.right = end > span.right ? end : span.right;
    }
    return span;
}

/* Shades every pixel of which any sample is inside: those on an edge of two primitives twice. */
static void draw_oversampled(struct draw *draw, const struct samples_pattern *pattern)
{
    for (int32_t y = draw->bounds.bottom & ~1; y < draw->bounds.top; y += 2) {
        struct span row[2] = {oversampled_span(draw, pattern, y),
                              oversampled_span(draw, pattern, y + 1)};
        int64_t left = row[0].left < row[1].left ? row[0].left : row[1].left;
        int64_t right = row[0].right > row[1].right ? row[0].right : row[1].right;
        for (int32_t x = (int32_t)left & ~1; x < right; x += 2)
            draw_quad(draw, x, y, quad_mask(row, x));
    }
}

/* A primitive's bounds tell of pixel centres; other samples reach farther by less than a pixel. */
static struct fep_window intersect(const struct pse_primitive *primitive,
                                   const struct fep_window *window, int32_t margin)
{
    return (struct fep_window){
        .left = larger(larger(primitive->left - margin, window->left), 0),
        .bottom = larger(larger(primitive->bottom - margin, window->bottom), 0),
        .right = smaller(smaller(primitive->right + margin, window->right), COORDINATE_LIMIT),
        .top = smaller(smaller(primitive->top + margin, window->top), COORDINATE_LIMIT),
    };
}

/* A batch is shaded with one number of varyings, so that types do not mix in it. */
static void start_primitive(struct draw *draw)
{
    struct fep *fep = draw->fep;
    if (fep->batch.quads == 0)
        fep->slots = 0;
    else if (fep->slot[0].type != draw->primitive->type)
        emit(fep, draw->shade, draw->user);
}

void fep_draw(struct fep *fep, const struct pse_primitive *primitive, const struct cl_state *state,
              const struct fep_window *window, fep_shade *shade, void *user)
{
    const struct samples_pattern *pattern = samples_pattern(state->configuration);
    struct draw draw = {.fep = fep,
                        .primitive = primitive,
                        .bounds = intersect(primitive, window, pattern->rows > 1),
                        .slot = NO_SLOT,
                        .shade = shade,
                        .user = user};
    set_z_limits(&draw, state);
    start_primitive(&draw);
    if (pattern->rows > 1) {
        draw_oversampled(&draw, pattern);
        return;
    }
    for (int32_t y = draw.bounds.bottom & ~1; y < draw.bounds.top; y += 2)
        draw_rows(&draw, y);
}

void fep_flush(struct fep *fep, fep_shade *shade, void *user)
{
    if (fep->batch.quads)
        emit(fep, shade, user);
}
