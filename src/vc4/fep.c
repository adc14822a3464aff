/* SPDX-License-Identifier: MIT */
/* fep.c - Front End Pipe: finds the covered quads of a primitive, gives them Z and W, and collects
 * four of them for each run of the fragment shader.
 *
 * In:        struct pse_primitive, a window, the limits of record 104.
 * Out:       struct fep_batch through a callback.
 * Source:    manual sections 2 and 6 (table 29), table 38.
 * Modelled:  exact coverage at pixel centres or at four samples; Z limits; Z as 24-bit integer; W as
 *            float.
 * Left out:  VG coverage, which is the coverage pipe's. Early Z is tested where a batch is started
 *            (tlb.c).
 * Differs:   sample positions, rounding of Z and W are choices, see docs/vc4/fep.md.
 */
#include "vc4/fep.h"

#include <math.h>
#include <string.h>

_Static_assert(FEP_SLOTS >= 4, "each quad of a batch may need a slot of its own");

enum {
    Z_MAX = 0xffffff,
    BATCH_QUADS = 4,
    NO_SLOT = -1,
    BLOCK = 64, /* pixels each way that are drawn at once: edges fit 32 bits there */
    COORDINATE_LIMIT = 1 << 16, /* struct fep_batch holds 16 bits, more than the hardware's 11 */
    EDGE_LIMIT = 1 << 30,
};

const struct fep_position fep_sample_positions[FEP_SAMPLES] = {
    {5 * OUTLINE_UNIT / 8, 1 * OUTLINE_UNIT / 8},
    {1 * OUTLINE_UNIT / 8, 3 * OUTLINE_UNIT / 8},
    {7 * OUTLINE_UNIT / 8, 5 * OUTLINE_UNIT / 8},
    {3 * OUTLINE_UNIT / 8, 7 * OUTLINE_UNIT / 8},
};

static const struct fep_position centre = {OUTLINE_HALF, OUTLINE_HALF};

/* One value for each pixel of a quad. */
typedef int32_t quad_int __attribute__((vector_size(16)));
typedef uint32_t quad_bits __attribute__((vector_size(16)));
typedef vri_quad quad_double;
typedef int64_t quad_long __attribute__((vector_size(32)));

/* One fep_draw(). */
struct draw {
    struct fep *fep;
    const struct pse_primitive *primitive;
    struct fep_window bounds; /* where the primitive can have pixels */
    double z_low, z_end;      /* limits of scaled_z(): low <= z < end */
    int slot;                 /* the primitive's place in fep->slot */
    bool drawn;               /* it has had a quad */
    fep_shade *shade;
    void *user;
};

/* The edges of a primitive that cross a block, in whole pixels: a sample lies inside of an edge where
 * at + a*x + b*y >= 0, which is exact because a step of one pixel changes the edge's equation by a
 * multiple of the divisor. */
struct block {
    struct fep_window area; /* left and bottom are even */
    uint32_t edges, samples;
    int32_t a[PSE_MAX_EDGES], b[PSE_MAX_EDGES];
    int32_t at[PSE_MAX_EDGES][FEP_SAMPLES]; /* value at the first pixel */
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

/* An edge's value at a sample of the block's first pixel. Values so far from zero that no pixel of
 * the block changes their sign are cut off. */
static int32_t edge_at(const struct pse_edge *edge, const struct block *block,
                       struct fep_position sample)
{
    int64_t at = (edge->a * sample.x + edge->b * sample.y + edge->c) >> OUTLINE_SUBPIXEL_BITS;
    at += edge->a * block->area.left + edge->b * block->area.bottom;
    if (at > EDGE_LIMIT)
        return EDGE_LIMIT;
    return at < -EDGE_LIMIT ? -EDGE_LIMIT : (int32_t)at;
}

/* Adds an edge to the block if it cuts it. False if the block lies outside of it. */
static bool add_edge(struct block *block, const struct pse_edge *edge, bool multisample)
{
    uint32_t n = block->edges;
    int32_t width = block->area.right - block->area.left;
    int32_t height = block->area.top - block->area.bottom;
    int32_t a = (int32_t)edge->a, b = (int32_t)edge->b;
    int32_t least = smaller(a * width, 0) + smaller(b * height, 0);
    int32_t most = larger(a * width, 0) + larger(b * height, 0);
    bool cuts = false, inside = false;
    for (uint32_t s = 0; s < block->samples; s++) {
        int32_t at = edge_at(edge, block, multisample ? fep_sample_positions[s] : centre);
        block->at[n][s] = at;
        cuts |= at + least < 0;
        inside |= at + most >= 0;
    }
    block->a[n] = a;
    block->b[n] = b;
    block->edges += cuts;
    return inside;
}

/* The lanes whose sign bits are set. */
static uint32_t sign_mask(quad_int value)
{
    quad_bits bits = (quad_bits)(value >> 31) & (quad_bits){1, 2, 4, 8};
    uint64_t half[2];
    memcpy(half, &bits, sizeof half);
    half[0] |= half[1];
    return (uint32_t)(half[0] | half[0] >> 32);
}

/* One byte for each lane of a mask. */
static uint32_t lane_bytes(uint32_t mask)
{
    return (mask & 1) | (mask & 2) << 7 | (mask & 4) << 14 | (mask & 8) << 21;
}

/* Which of a quad's lanes the window has. */
static uint32_t window_mask(const struct fep_window *window, int32_t x, int32_t y)
{
    uint32_t columns = (x >= window->left ? 5u : 0) | (x + 1 < window->right ? 10u : 0);
    uint32_t rows = (y >= window->bottom ? 3u : 0) | (y + 1 < window->top ? 12u : 0);
    return columns & rows;
}

/* --- Z and W --- */

/* A plane's values at a quad's pixel centres. */
static void evaluate_plane(quad_double *value, const struct pse_plane *plane,
                           const struct pse_primitive *primitive, int32_t x, int32_t y)
{
    double from_x = x + 0.5 - primitive->x0, from_y = y + 0.5 - primitive->y0;
    double left = plane->at0 + plane->dx * from_x, right = plane->at0 + plane->dx * (from_x + 1);
    double low = plane->dy * from_y, high = plane->dy * (from_y + 1);
    *value = (quad_double){left, right, left, right} + (quad_double){low, low, high, high};
}

/* Zs times the largest 24-bit integer, plus a half: its whole part is the rounded Z. */
static double scaled_z(double z)
{
    return z * Z_MAX + 0.5;
}

/* Rounded, within 24 bits; 0 where Z is not a number. */
static void z_integers(quad_bits *out, const quad_double *z, double offset)
{
    const quad_double limit = {Z_MAX, Z_MAX, Z_MAX, Z_MAX};
    quad_double scaled = (*z + offset) * Z_MAX + 0.5;
    quad_long positive = scaled > 0, small = scaled < limit;
    quad_long bits = ((quad_long)scaled & small) | ((quad_long)limit & ~small);
    *out = (quad_bits) __builtin_convertvector((quad_double)(bits & positive), quad_int);
}

/* Record 104 limits Zs before the depth offset. Both sides are compared after rounding, so that
 * what lies exactly at a limit stays, however steep it is. */
static void set_z_limits(struct draw *draw, const struct cl_state *state)
{
    draw->z_low = floor(scaled_z(state->z_min));
    draw->z_end = floor(scaled_z(state->z_max)) + 1;
}

/* Lanes within the limits; none where Z is not a number. */
static uint32_t z_mask(const struct draw *draw, const quad_double *z)
{
    quad_double scaled = *z * Z_MAX + 0.5;
    quad_long within = (scaled >= draw->z_low) & (scaled < draw->z_end);
    return sign_mask(__builtin_convertvector(within, quad_int));
}

/* Float bits of 1 / (interpolated 1/Wc). */
static void w_floats(uint32_t out[4], const struct pse_primitive *primitive, int32_t x, int32_t y)
{
    quad_double inv_w;
    evaluate_plane(&inv_w, &primitive->inv_w, primitive, x, y);
    inv_w = 1 / inv_w;
    vri_float_quad(out, &inv_w);
}

/* --- batches --- */

/* Lanes of quads that are not in use may hold what an earlier batch left. */
static void clear_unused(struct fep_batch *batch)
{
    uint32_t used = batch->quads, unused = BATCH_QUADS - used;
    memset(&batch->x[used], 0, unused * sizeof batch->x[0]);
    memset(&batch->y[used], 0, unused * sizeof batch->y[0]);
    memset(&batch->primitive[used], 0, unused * sizeof batch->primitive[0]);
    memset(&batch->ms_flags[used * 4], 0, unused * 4 * sizeof batch->ms_flags[0]);
    memset((uint32_t *)&batch->w + used * 4, 0, unused * 4 * sizeof(uint32_t));
    memset((uint32_t *)&batch->z + used * 4, 0, unused * 4 * sizeof(uint32_t));
}

static void emit(struct fep *fep, fep_shade *shade, void *user)
{
    if (fep->batch.quads < BATCH_QUADS)
        clear_unused(&fep->batch);
    shade(user, &fep->batch);
    fep->batch.quads = 0;
    fep->batch.covered = fep->batch.reverse = 0;
    fep->slots = 0;
}

/* Emits the batch in the middle of a primitive, which keeps its slot in the next one. */
static void emit_and_keep(struct draw *draw)
{
    emit(draw->fep, draw->shade, draw->user);
    draw->fep->slots = draw->slot != NO_SLOT;
}

/* Gives the primitive the slot behind the one that was given last. */
static void take_slot(struct draw *draw)
{
    struct fep *fep = draw->fep;
    draw->slot = (int)fep->next_slot;
    fep->next_slot = (fep->next_slot + 1) % FEP_SLOTS;
    fep->slots++;
    pse_copy(&fep->slot[draw->slot], draw->primitive);
}

static bool position_taken(const struct fep_batch *batch, int32_t x, int32_t y)
{
    for (uint32_t i = 0; i < batch->quads; i++)
        if (batch->x[i] == x && batch->y[i] == y)
            return true;
    return false;
}

static void set_lanes(struct draw *draw, uint32_t quad, int32_t x, int32_t y, const quad_double *z)
{
    quad_bits z_lanes;
    uint32_t w_lanes[4];
    z_integers(&z_lanes, z, draw->primitive->z_offset);
    w_floats(w_lanes, draw->primitive, x, y);
    memcpy((uint32_t *)&draw->fep->batch.z + quad * 4, &z_lanes, sizeof z_lanes);
    vri_set_quad(&draw->fep->batch.w, quad, w_lanes);
}

/* flags: the multisample flags of the four lanes, a byte each. */
static void add_quad(struct draw *draw, int32_t x, int32_t y, uint32_t flags, uint32_t covered,
                     const quad_double *z)
{
    struct fep *fep = draw->fep;
    struct fep_batch *batch = &fep->batch;
    bool others = fep->slots > (draw->slot != NO_SLOT); /* one's own quads never meet */
    if (others && position_taken(batch, x, y))
        emit_and_keep(draw);
    if (draw->slot == NO_SLOT)
        take_slot(draw);

    uint32_t quad = batch->quads++;
    batch->x[quad] = (uint16_t)x;
    batch->y[quad] = (uint16_t)y;
    batch->primitive[quad] = (uint8_t)draw->slot;
    batch->covered |= (lane_mask)(covered << quad * 4);
    if (draw->primitive->reverse)
        batch->reverse |= (lane_mask)(0xf << quad * 4);
    for (uint32_t lane = 0; lane < 4; lane++)
        batch->ms_flags[quad * 4 + lane] = (uint8_t)(flags >> lane * 8);
    set_lanes(draw, quad, x, y, z);
    fep->quads++;
    draw->drawn = true;
    pctr_add(fep->counts, PCTR_FEP_QUADS, 1);
    if (batch->quads == BATCH_QUADS)
        emit_and_keep(draw);
}

/* A quad that is covered somewhere; what the Z limits leave of it is drawn. */
static void draw_quad(struct draw *draw, int32_t x, int32_t y, uint32_t flags)
{
    flags &= lane_bytes(window_mask(&draw->bounds, x, y)) * 0xff;
    if (flags == 0)
        return;
    quad_double z;
    evaluate_plane(&z, &draw->primitive->z, draw->primitive, x, y);
    flags &= lane_bytes(z_mask(draw, &z)) * 0xff;
    if (flags == 0) {
        pctr_add(draw->fep->counts, PCTR_FEP_CLIPPED_QUADS, 1);
        return;
    }
    uint32_t any = flags | flags >> 2;
    any |= any >> 1;
    uint32_t covered = (any & 1) | (any >> 7 & 2) | (any >> 14 & 4) | (any >> 21 & 8);
    add_quad(draw, x, y, flags, covered, &z);
}

/* --- blocks --- */

/* The lanes of a quad that are inside of all edges at one sample; goes on to the next quad. */
static uint32_t step_inside(const struct block *block, quad_int value[PSE_MAX_EDGES])
{
    quad_int outside = {0};
    for (uint32_t e = 0; e < block->edges; e++) {
        outside |= value[e];
        value[e] += 2 * block->a[e];
    }
    return sign_mask(~outside);
}

/* Whether the row's next quads lie outside, at each sample, of an edge that closes the row. */
static bool has_passed(const struct block *block, const quad_int value[FEP_SAMPLES][PSE_MAX_EDGES])
{
    for (uint32_t s = 0; s < block->samples; s++) {
        bool passed = false;
        for (uint32_t e = 0; e < block->edges; e++)
            passed |= block->a[e] < 0 && sign_mask(value[s][e]) == 0xf;
        if (!passed)
            return false;
    }
    return true;
}

/* A row of quads at y. */
static void draw_row(struct draw *draw, const struct block *block, int32_t y)
{
    quad_int value[FEP_SAMPLES][PSE_MAX_EDGES];
    int32_t from = y - block->area.bottom;
    for (uint32_t s = 0; s < block->samples; s++)
        for (uint32_t e = 0; e < block->edges; e++) {
            int32_t a = block->a[e], b = block->b[e];
            value[s][e] = block->at[e][s] + b * from + (quad_int){0, a, b, a + b};
        }
    bool begun = false;
    for (int32_t x = block->area.left; x < block->area.right; x += 2) {
        uint32_t flags;
        if (block->samples == 1) {
            flags = lane_bytes(step_inside(block, value[0])) * 0xf;
        } else {
            flags = 0;
            for (uint32_t s = 0; s < FEP_SAMPLES; s++)
                flags |= lane_bytes(step_inside(block, value[s])) << s;
        }
        if (flags)
            draw_quad(draw, x, y, flags);
        else if (begun && has_passed(block, value))
            return;
        begun |= flags != 0;
    }
}

static void draw_block(struct draw *draw, const struct fep_window *area)
{
    struct block block = {.area = *area, .samples = draw->bounds.multisample ? FEP_SAMPLES : 1};
    for (uint32_t i = 0; i < draw->primitive->edge_count; i++)
        if (!add_edge(&block, &draw->primitive->edge[i], draw->bounds.multisample))
            return;
    for (int32_t y = area->bottom; y < area->top; y += 2)
        draw_row(draw, &block, y);
}

/* --- primitives --- */

/* The primitive's limits are those of pixel centres; samples lie less than a pixel from them. */
static struct fep_window intersect(const struct pse_primitive *primitive,
                                   const struct fep_window *window)
{
    int32_t more = window->multisample ? 1 : 0;
    return (struct fep_window){
        .left = larger(larger(primitive->left - more, window->left), 0),
        .bottom = larger(larger(primitive->bottom - more, window->bottom), 0),
        .right = smaller(smaller(primitive->right + more, window->right), COORDINATE_LIMIT),
        .top = smaller(smaller(primitive->top + more, window->top), COORDINATE_LIMIT),
        .multisample = window->multisample,
    };
}

/* A batch is shaded with one number of varyings, so that types do not mix in it. */
static void start_primitive(struct draw *draw)
{
    struct fep *fep = draw->fep;
    if (fep->batch.quads == 0)
        fep->slots = 0;
    else if (fep->slot[fep->batch.primitive[0]].type != draw->primitive->type)
        emit(fep, draw->shade, draw->user);
}

void fep_draw(struct fep *fep, const struct pse_primitive *primitive, const struct cl_state *state,
              const struct fep_window *window, fep_shade *shade, void *user)
{
    struct draw draw = {.fep = fep,
                        .primitive = primitive,
                        .bounds = intersect(primitive, window),
                        .slot = NO_SLOT,
                        .shade = shade,
                        .user = user};
    set_z_limits(&draw, state);
    start_primitive(&draw);
    const struct fep_window *bounds = &draw.bounds;
    for (int32_t y = bounds->bottom & ~1; y < bounds->top; y = (y / BLOCK + 1) * BLOCK)
        for (int32_t x = bounds->left & ~1; x < bounds->right; x = (x / BLOCK + 1) * BLOCK) {
            struct fep_window area = {.left = x, .bottom = y};
            area.right = smaller((x / BLOCK + 1) * BLOCK, bounds->right);
            area.top = smaller((y / BLOCK + 1) * BLOCK, bounds->top);
            draw_block(&draw, &area);
        }
    pctr_add(fep->counts, PCTR_FEP_PRIMITIVES, 1);
    if (!draw.drawn)
        pctr_add(fep->counts, PCTR_FEP_PRIMITIVES_NO_PIXELS, 1);
}

void fep_flush(struct fep *fep, fep_shade *shade, void *user)
{
    if (fep->batch.quads)
        emit(fep, shade, user);
}
