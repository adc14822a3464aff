/* SPDX-License-Identifier: MIT */
/* fep.c - Front End Pipe: finds the covered quads of a primitive, interpolates their Z and W, and
 * collects four of them for each run of the fragment shader.
 *
 * In:       struct pse_primitive, a window, the limits of record 104.
 * Out:      struct fep_batch through a callback.
 * Source:   manual sections 2 and 6 (table 29), table 38.
 * Modelled: exact coverage at pixel centres or at four samples; Z limits; Z as 24-bit integer; W as
 *           float. With record 96's oversample modes and no multisampling, a pixel is covered if
 *           any of its samples is covered. Two neighbouring primitives then both shade the pixels
 *           on their common edge, as Broadcom's vg_hw_4.c describes.
 * Left out: VG coverage, which is in the coverage pipe (cap.c); early Z, which is tested at the
 *           start of a batch (tlb.c).
 * Choices:  sample positions, rounding of Z and W; see docs/vc4/fep.md. */
#include "vc4/raster/fep.h"

#include <math.h>
#include <string.h>

#include "base/order.h"
#include "vc4/lanes/lane_bytes.h"
#include "vc4/lanes/quad.h"
#include "vc4/raster/fep_kernels.h"
#include "vc4/raster/samples.h"

_Static_assert(FEP_SLOTS >= 4, "each quad of a batch may need its own slot");

enum {
    Z_MAX = 0xffffff,
    BATCH_QUADS = 4,
    NO_SLOT = -1,
    COORDINATE_LIMIT = 1 << 16, /* coordinates in struct fep_batch have 16 bits */
};

/* Quads of one primitive that follow each other in raster order and wait for an empty batch. There
 * are less than BATCH_QUADS between two calls of queue_run(). */
struct queue {
    uint32_t quads;
    uint64_t x, y;               /* positions, 16 bits each, the first in the lowest bits */
    uint32_t lanes[FEP_SAMPLES]; /* covered lanes of each sample; [0] is for all samples without
                                    multisampling */
};

/* One to four adjacent quads. */
struct run {
    uint32_t quads;
    int32_t x, y;                /* position of the first quad */
    uint32_t lanes[FEP_SAMPLES]; /* as in struct queue */
};

/* State of one fep_draw() call. */
struct draw {
    struct fep *fep;
    const struct fep_kernels *kernels;
    const struct samples_pattern *pattern;
    const struct pse_primitive *primitive;
    struct fep_window bounds;  /* pixels that the primitive may cover */
    double z_low, z_end;       /* limits of scaled_z(): z_low <= z < z_end */
    bool z_cuts;               /* true if the Z limits may exclude a pixel */
    struct fep_planes *planes; /* of the current block */
    struct fep_cover *cover;   /* of the current block */
    uint32_t pending; /* first quad of the batch whose Z and W are not set; later quads are in the
                         current block */
    int slot;         /* the primitive's index in fep->slot, or NO_SLOT */
    bool others;      /* true if the batch has quads of other primitives */
    uint32_t quads, cut; /* number of quads drawn; number of quads that the Z limits removed */
    uint32_t cut_pixels; /* number of pixels that the Z limits removed */
    const struct fep_ports *ports;
    struct queue queue;
};

/* --- Z and W --- */

/* Evaluates a plane at the pixel centres of a quad. */
static struct vri_quad evaluate_plane(const struct pse_plane *plane,
                                      const struct pse_primitive *primitive, int32_t x, int32_t y)
{
    return vri_plane(plane->at0, plane->dx, plane->dy, x + 0.5 - primitive->x0,
                     y + 0.5 - primitive->y0);
}

/* Returns Zs scaled to 24 bits, plus 0.5. The integer part of the result is the rounded Z. */
static double scaled_z(double z)
{
    return z * Z_MAX + 0.5;
}

/* Returns the lanes within the Z limits. NaN is outside. */
static uint32_t z_mask(const struct draw *draw, const struct vri_quad *z)
{
    uint32_t mask = 0;
    for (unsigned i = 0; i < 4; i++) {
        double scaled = scaled_z(z->row[i >> 1][i & 1]);
        mask |= (uint32_t)(scaled >= draw->z_low && scaled < draw->z_end) << i;
    }
    return mask;
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

static double most(double a, double b)
{
    return a > b ? a : b;
}

/* Returns true if Zs can be outside the limits of record 104 in a quad of the bounds. The result is
 * false if Zs is inside the limits by at least 1 step. A constant Zs has no rounding error, and
 * needs no distance to the limits. */
static bool z_can_cut(const struct draw *draw, const struct cl_state *state)
{
    const struct fep_window *bounds = &draw->bounds;
    const struct pse_primitive *primitive = draw->primitive;
    const struct pse_plane *z = &primitive->z;
    double left = z->dx * (bounds->left - 0.5 - primitive->x0);
    double right = z->dx * (bounds->right + 0.5 - primitive->x0);
    double bottom = z->dy * (bounds->bottom - 0.5 - primitive->y0);
    double top = z->dy * (bounds->top + 0.5 - primitive->y0);
    double low = z->at0 + least(left, right) + least(bottom, top);
    double high = z->at0 + most(left, right) + most(bottom, top);
    double reach = fabs(z->at0) + COORDINATE_LIMIT * (fabs(z->dx) + fabs(z->dy));
    bool exact = reach < 0x1p20; /* true if rounding errors are far smaller than a step of Z */
    double distance = z->dx == 0 && z->dy == 0 ? 0 : 1;
    return !(exact && scaled_z(low) >= scaled_z(state->z_min) + distance &&
             scaled_z(high) <= scaled_z(state->z_max) - distance);
}

/* Computes the Z limits. Record 104 limits Zs before the depth offset is added. Z and the limits
 * are rounded before they are compared, so that a pixel exactly at a limit is drawn even on a steep
 * plane. */
static void set_z_limits(struct draw *draw, const struct cl_state *state)
{
    draw->z_cuts = z_can_cut(draw, state);
    if (!draw->z_cuts)
        return;
    draw->z_low = floor(scaled_z(state->z_min));
    draw->z_end = floor(scaled_z(state->z_max)) + 1;
}

/* Sets the members of *planes that are the same for all blocks. */
static void set_constants(struct fep_planes *planes, const struct draw *draw)
{
    const struct pse_primitive *primitive = draw->primitive;
    const struct pse_plane *inv_w = &primitive->inv_w;
    planes->z_offset = primitive->z_offset;
    planes->w_varies = !(inv_w->dx == 0 && inv_w->dy == 0);
    if (planes->w_varies)
        return;
    struct vri_quad w = evaluate_plane(inv_w, primitive, draw->bounds.left, draw->bounds.bottom);
    w.row[0] = 1 / w.row[0];
    w.row[1] = 1 / w.row[1];
    vri_float_quad(planes->w, &w);
}

/* --- batches --- */

/* Returns the number of a quad's pixels that have any flag. */
static uint32_t count_pixels(uint32_t flags)
{
    uint32_t pixels = flags | flags >> 2;
    return quad_count_bytes(pixels | pixels >> 1);
}

/* Clears the unused quads, which may contain data of an earlier batch. */
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

static void emit(struct fep *fep, const struct fep_ports *ports)
{
    if (fep->batch.quads < BATCH_QUADS)
        clear_unused(&fep->batch);
    ports->shade(ports->user, &fep->batch);
    fep->batch.quads = 0;
    fep->batch.covered = fep->batch.reverse = 0;
    fep->slots = 0;
}

/* Returns the lanes of the quads from `first` to end - 1. */
static lane_mask lanes_between(uint32_t first, uint32_t end)
{
    return (lane_mask)((1u << end * 4) - (1u << first * 4));
}

/* Completes the batch's pending quads, of which only position and multisample flags are set. */
static void settle(struct draw *draw)
{
    struct fep_batch *batch = &draw->fep->batch;
    const uint32_t first = draw->pending, end = batch->quads;
    const lane_mask own = lanes_between(first, end);
    for (uint32_t quad = first; quad < end; quad++)
        batch->primitive[quad] = (uint8_t)draw->slot;
    batch->covered |= lane_bytes_any(batch->ms_flags, 0xff) & own;
    if (draw->primitive->reverse)
        batch->reverse |= own;
    draw->kernels->values(draw->planes, batch, first, end);
    draw->quads += end - first;
    draw->pending = end;
}

/* Emits the batch while a primitive is being drawn. The primitive keeps its slot in the next
 * batch. */
static void emit_and_keep(struct draw *draw)
{
    settle(draw);
    draw->pending = 0;
    draw->others = false;
    emit(draw->fep, draw->ports);
    draw->fep->slots = draw->slot != NO_SLOT;
}

/* Copies the primitive to the next slot of the batch. */
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

/* Removes the pixels of a quad that are outside the Z limits. Returns the flags of the other
 * pixels. */
static uint32_t cut_quad(struct draw *draw, int32_t x, int32_t y, uint32_t flags)
{
    struct vri_quad z = evaluate_plane(&draw->primitive->z, draw->primitive, x, y);
    uint32_t inside = flags & quad_bytes(z_mask(draw, &z)) * 0xff;
    draw->cut_pixels += count_pixels(flags) - count_pixels(inside);
    draw->cut += inside == 0;
    return inside;
}

/* Draws a quad with at least one covered pixel. flags has the multisample flags of its pixels. */
static void draw_quad(struct draw *draw, int32_t x, int32_t y, uint32_t flags)
{
    struct fep_batch *batch = &draw->fep->batch;
    if (draw->z_cuts) {
        flags = cut_quad(draw, x, y, flags);
        if (!flags)
            return;
    }
    /* quads of the same primitive never overlap */
    if (draw->others && position_taken(batch, x, y))
        emit_and_keep(draw);
    if (draw->slot == NO_SLOT)
        take_slot(draw);
    uint32_t quad = batch->quads++;
    batch->x[quad] = (uint16_t)x;
    batch->y[quad] = (uint16_t)y;
    store_le32(&batch->ms_flags[quad * 4], flags);
    if (quad + 1 == BATCH_QUADS)
        emit_and_keep(draw);
}

/* Returns the flag of a sample, or of all samples without multisampling. */
static uint8_t flag_of(uint32_t sample, uint32_t samples)
{
    return (uint8_t)(samples == 1 ? 0xf : 1u << sample);
}

/* Sets the batch, which is empty, to the first quads of the queue. */
static inline void fill_batch(struct fep_batch *batch, const struct queue *queue, uint32_t samples)
{
    lane_bytes flags = {0};
    for (uint32_t s = 0; s < samples; s++)
        flags |= lane_bytes_of((lane_mask)queue->lanes[s], flag_of(s, samples));
    memcpy(batch->ms_flags, &flags, sizeof flags);
    for (uint32_t i = 0; i < BATCH_QUADS; i++) {
        batch->x[i] = (uint16_t)(queue->x >> 16 * i);
        batch->y[i] = (uint16_t)(queue->y >> 16 * i);
    }
}

/* Moves the queue to the batch, at the end of a block. */
static void empty_queue(struct draw *draw, uint32_t samples)
{
    struct queue *queue = &draw->queue;
    if (!queue->quads)
        return;
    fill_batch(&draw->fep->batch, queue, samples);
    draw->fep->batch.quads = queue->quads;
    *queue = (struct queue){0};
}

/* Adds quads to the queue. If the queue then has enough quads for a batch, emits the batch. */
static inline void queue_run(struct draw *draw, const struct run *run, uint32_t samples)
{
    const uint64_t ones = UINT64_C(0x0001000100010001), twos = UINT64_C(0x0006000400020000);
    const uint64_t used = UINT64_MAX >> (64 - 16 * run->quads);
    const uint64_t x = ((uint64_t)run->x * ones + twos) & used, y = (uint64_t)run->y * ones & used;
    struct queue *queue = &draw->queue;
    const uint32_t before = queue->quads;
    if (draw->slot == NO_SLOT)
        take_slot(draw);
    queue->x |= x << 16 * before;
    queue->y |= y << 16 * before;
    for (uint32_t s = 0; s < samples; s++)
        queue->lanes[s] |= run->lanes[s] << 4 * before;
    queue->quads += run->quads;
    if (queue->quads < BATCH_QUADS)
        return;
    fill_batch(&draw->fep->batch, queue, samples);
    draw->fep->batch.quads = BATCH_QUADS;
    queue->x = x >> 1 >> (63 - 16 * before);
    queue->y = y >> 1 >> (63 - 16 * before);
    for (uint32_t s = 0; s < samples; s++)
        queue->lanes[s] >>= LANES;
    queue->quads -= BATCH_QUADS;
    emit_and_keep(draw);
}

/* Returns the multisample flags of the first quad of a run. */
static uint32_t first_flags(const struct run *run, uint32_t samples)
{
    uint32_t flags = 0;
    for (uint32_t s = 0; s < samples; s++)
        flags |= quad_bytes(run->lanes[s] & 0xf) * flag_of(s, samples);
    return flags;
}

/* Draws a run. Quads go one by one to a batch that is not empty, and if the Z limits may remove
 * pixels. */
static inline void draw_run(struct draw *draw, struct run *run, uint32_t samples)
{
    for (; run->quads && (draw->z_cuts || draw->fep->batch.quads); run->quads--) {
        draw_quad(draw, run->x, run->y, first_flags(run, samples));
        run->x += 2;
        for (uint32_t s = 0; s < samples; s++)
            run->lanes[s] >>= 4;
    }
    if (run->quads)
        queue_run(draw, run, samples);
}

/* --- blocks --- */

/* Returns a mask of the bits from `first` to end - 1, which are at most 64. */
static uint64_t bits_between(int32_t first, int32_t end)
{
    return first < end ? (UINT64_MAX >> (64 - (end - first))) << first : 0;
}

/* Removes the coverage of row 0 if this row is below the bounds, and adds an empty row after the
 * last row, for the last row of quads. */
static void limit_rows(struct draw *draw, const struct fep_block *block)
{
    const uint32_t samples = block->samples;
    if (block->bottom < draw->bounds.bottom)
        memset(draw->cover->row, 0, samples * sizeof draw->cover->row[0]);
    memset(&draw->cover->row[block->height * samples], 0, samples * sizeof draw->cover->row[0]);
}

/* Returns a row of pixels that have any sample. */
static uint64_t any_sample(const uint64_t row[FEP_SAMPLES])
{
    return row[0] | row[1] | row[2] | row[3];
}

/* Returns the quads of two rows of pixels. The bit of a quad is that of its first pixel. */
static uint64_t quads_of(uint64_t low, uint64_t high)
{
    uint64_t columns = low | high;
    return (columns | columns >> 1) & UINT64_C(0x5555555555555555);
}

/* Returns the lanes of four quads. low and high have the pixels of the quads' two rows. */
static uint32_t lanes_of_rows(uint64_t low, uint64_t high)
{
    uint32_t rows = (uint32_t)(low & 0xff) | (uint32_t)(high & 0xff) << 16;
    rows = (rows | rows << 4) & 0x0f0f0f0f;
    rows = (rows | rows << 2) & 0x33333333;
    return (rows | rows >> 14) & ALL_LANES;
}

/* Returns the number of adjacent quads from the lowest bit on, at most 4. */
static uint32_t count_run(uint64_t quads)
{
    return (uint32_t)__builtin_ctz((~(uint32_t)quads & 0x55) | 0x100) / 2;
}

/* Draws the quads of two rows of pixels. low and high have `samples` masks each: one for all
 * samples, or one for each sample. x and y are the position of the first pixel. */
static inline void draw_rows(struct draw *draw, int32_t x, int32_t y, const uint64_t *low,
                             const uint64_t *high, uint32_t samples)
{
    uint64_t quads = samples == 1 ? quads_of(*low, *high)
                                  : quads_of(any_sample(low), any_sample(high));
    while (quads) {
        uint32_t at = (uint32_t)__builtin_ctzll(quads);
        struct run run = {.quads = count_run(quads >> at), .x = x + (int32_t)at, .y = y};
        quads &= ~(UINT64_C(0xff) >> (8 - 2 * run.quads) << at);
        for (uint32_t s = 0; s < samples; s++)
            run.lanes[s] = lanes_of_rows(low[s] >> at, high[s] >> at) & lanes_between(0, run.quads);
        draw_run(draw, &run, samples);
    }
}

/* Draws the covered quads of the block. Without multisampling, a pixel is covered if any of its
 * samples is covered. */
static void draw_quads(struct draw *draw, const struct fep_block *block)
{
    const uint32_t samples = block->samples;
    draw->planes->left = block->left;
    draw->planes->bottom = block->bottom;
    draw->kernels->planes(draw->planes, draw->primitive, block->width, block->height);
    for (uint32_t row = 0; row < block->height; row += 2) {
        const uint64_t *low = &draw->cover->row[row * samples], *high = low + samples;
        int32_t y = block->bottom + (int32_t)row;
        if (draw->bounds.multisample && samples > 1) {
            draw_rows(draw, block->left, y, low, high, FEP_SAMPLES);
        } else {
            uint64_t below = samples == 1 ? *low : any_sample(low);
            uint64_t above = samples == 1 ? *high : any_sample(high);
            draw_rows(draw, block->left, y, &below, &above, 1);
        }
    }
    empty_queue(draw, draw->bounds.multisample ? samples : 1);
    settle(draw);
}

/* --- oversampling --- */

/* Returns the pixels of a row of the block that have a sample inside the primitive. The pixels are
 * contiguous, because a primitive is convex. */
static uint64_t touched_pixels(const struct draw *draw, const struct fep_block *block,
                               const struct samples_pattern *pattern, int32_t y)
{
    int64_t left = INT32_MAX, right = INT32_MIN;
    for (uint32_t row = 0; row < pattern->rows; row++) {
        struct samples_run run = samples_inside(pattern, row, draw->primitive, block->bottom + y,
                                                block->left, block->left + (int32_t)block->width);
        if (run.first >= run.end)
            continue;
        int64_t first = run.first / pattern->per_row, end = (run.end - 1) / pattern->per_row + 1;
        left = first < left ? first : left;
        right = end > right ? end : right;
    }
    if (left >= right)
        return 0;
    return bits_between((int32_t)(left - block->left), (int32_t)(right - block->left));
}

/* Sets the coverage of a block with 16 samples per pixel. */
static void touch_rows(struct draw *draw, struct fep_block *block,
                       const struct samples_pattern *pattern)
{
    const uint64_t inside = bits_between((int32_t)block->skip, (int32_t)block->width);
    block->samples = 1;
    for (uint32_t y = 0; y < block->height; y++)
        draw->cover->row[y] = touched_pixels(draw, block, pattern, (int32_t)y) & inside;
}

/* Sets the coverage of a block. Returns false if the block is outside the primitive. */
static bool cover_block(struct draw *draw, struct fep_block *block)
{
    const struct samples_pattern *pattern = draw->pattern;
    if (pattern->per_row > 1 && !draw->bounds.multisample) {
        touch_rows(draw, block, pattern);
        return true;
    }
    block->samples = draw->bounds.multisample || pattern->rows > 1 ? FEP_SAMPLES : 1;
    return draw->kernels->cover(block, draw->primitive, draw->cover);
}

static void draw_block(struct draw *draw, int32_t left, int32_t bottom, int32_t right, int32_t top)
{
    struct fep_block block = {
        .left = left,
        .bottom = bottom,
        .width = (uint32_t)(right - left),
        .height = (uint32_t)(top - bottom),
        .skip = left < draw->bounds.left,
    };
    if (!cover_block(draw, &block))
        return;
    limit_rows(draw, &block);
    draw_quads(draw, &block);
}

static void draw_blocks(struct draw *draw)
{
    const struct fep_window *bounds = &draw->bounds;
    for (int32_t y = bounds->bottom & ~1; y < bounds->top; y = (y / FEP_BLOCK + 1) * FEP_BLOCK)
        for (int32_t x = bounds->left & ~1; x < bounds->right; x = (x / FEP_BLOCK + 1) * FEP_BLOCK)
            draw_block(draw, x, y, least_i32((x / FEP_BLOCK + 1) * FEP_BLOCK, bounds->right),
                       least_i32((y / FEP_BLOCK + 1) * FEP_BLOCK, bounds->top));
}

/* --- primitives --- */

/* Returns the primitive's bounds, extended by margin and limited to the window. The primitive's
 * bounds contain the pixels whose centres may be covered. Samples are less than one pixel away from
 * the centre, so a margin of 1 is enough for samples. */
static struct fep_window intersect(const struct pse_primitive *primitive,
                                   const struct fep_window *window, int32_t margin)
{
    return (struct fep_window){
        .left = most_i32(most_i32(primitive->left - margin, window->left), 0),
        .bottom = most_i32(most_i32(primitive->bottom - margin, window->bottom), 0),
        .right = least_i32(least_i32(primitive->right + margin, window->right), COORDINATE_LIMIT),
        .top = least_i32(least_i32(primitive->top + margin, window->top), COORDINATE_LIMIT),
        .multisample = window->multisample,
    };
}

/* Emits the batch if it contains primitives of another type. All quads of a batch must have the
 * same number of varyings, which depends on the type. */
static void start_primitive(struct draw *draw)
{
    struct fep *fep = draw->fep;
    if (fep->batch.quads == 0)
        fep->slots = 0;
    else if (fep->slot[fep->batch.primitive[0]].type != draw->primitive->type)
        emit(fep, draw->ports);
}

struct fep_drawn fep_draw(struct fep *fep, const struct fep_ports *ports,
                          const struct pse_primitive *primitive, const struct cl_state *state,
                          const struct fep_window *window)
{
    const struct samples_pattern *pattern = samples_pattern(state->configuration);
    struct fep_planes planes;
    struct fep_cover cover;
    struct draw draw = {
        .fep = fep,
        .planes = &planes,
        .cover = &cover,
        .kernels = fep_kernels_native(),
        .pattern = pattern,
        .primitive = primitive,
        .bounds = intersect(primitive, window, window->multisample || pattern->rows > 1),
        .slot = NO_SLOT,
        .ports = ports};
    set_z_limits(&draw, state);
    set_constants(&planes, &draw);
    start_primitive(&draw);
    draw.pending = fep->batch.quads;
    draw.others = fep->batch.quads > 0;
    draw_blocks(&draw);
    fep->quads += draw.quads;
    pctr_add(ports->counts, PCTR_FEP_PRIMITIVES, 1);
    pctr_add(ports->counts, PCTR_FEP_PRIMITIVES_NO_PIXELS, draw.quads == 0);
    pctr_add(ports->counts, PCTR_FEP_QUADS, draw.quads);
    pctr_add(ports->counts, PCTR_FEP_CLIPPED_QUADS, draw.cut);
    return (struct fep_drawn){.quads = draw.quads, .cut_pixels = draw.cut_pixels};
}

void fep_flush(struct fep *fep, const struct fep_ports *ports)
{
    if (fep->batch.quads)
        emit(fep, ports);
}
