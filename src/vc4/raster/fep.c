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
    EDGE_LIMIT = 1 << 30,
};

const struct fep_position fep_sample_positions[FEP_SAMPLES] = {
    {5 * OUTLINE_UNIT / 8, 1 * OUTLINE_UNIT / 8},
    {1 * OUTLINE_UNIT / 8, 3 * OUTLINE_UNIT / 8},
    {7 * OUTLINE_UNIT / 8, 5 * OUTLINE_UNIT / 8},
    {3 * OUTLINE_UNIT / 8, 7 * OUTLINE_UNIT / 8},
};

static const struct fep_position centre = {OUTLINE_HALF, OUTLINE_HALF};

/* Quads of one primitive that follow each other in raster order and wait for an empty batch. Only
 * position and multisample flags are known. There are less than BATCH_QUADS between two calls. */
struct queue {
    uint32_t quads;
    uint16_t x[2 * BATCH_QUADS], y[2 * BATCH_QUADS];
    uint8_t flags[2 * LANES];
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
    uint32_t pending; /* first quad of the batch whose Z and W are not set; later quads are in the
                         current block */
    int slot;         /* the primitive's index in fep->slot, or NO_SLOT */
    bool others;      /* true if the batch has quads of other primitives */
    uint32_t quads, cut; /* number of quads drawn; number of quads that the Z limits removed */
    uint32_t cut_pixels; /* number of pixels that the Z limits removed */
    const struct fep_ports *ports;
    struct queue queue;
};

/* A part of the window that is drawn at once. Blocks are small enough for 32-bit edge values. */
struct block {
    int32_t left, bottom; /* position of the first pixel; even */
    struct fep_edges edges;
    struct fep_cover cover;
};

/* --- coverage --- */

/* Returns an edge's value at a sample of the block's first pixel, clamped to +-EDGE_LIMIT. If a
 * value is clamped, the edge's value has the same sign at all pixels of the block. */
static int32_t edge_at(const struct pse_edge *edge, const struct block *block,
                       struct fep_position sample)
{
    int64_t at = (edge->a * sample.x + edge->b * sample.y + edge->c) >> OUTLINE_SUBPIXEL_BITS;
    at += edge->a * block->left + edge->b * block->bottom;
    if (at > EDGE_LIMIT)
        return EDGE_LIMIT;
    return at < -EDGE_LIMIT ? -EDGE_LIMIT : (int32_t)at;
}

/* Adds an edge to the block if the edge crosses it. Returns false if the block is entirely outside
 * the edge. */
static bool add_edge(struct block *block, const struct pse_edge *edge)
{
    struct fep_edges *edges = &block->edges;
    uint32_t n = edges->edges;
    int32_t width = (int32_t)edges->width, height = (int32_t)edges->height;
    int32_t a = (int32_t)edge->a, b = (int32_t)edge->b;
    int32_t least = least_i32(a * width, 0) + least_i32(b * height, 0);
    int32_t most = most_i32(a * width, 0) + most_i32(b * height, 0);
    bool cuts = false, inside = false;
    for (uint32_t s = 0; s < edges->samples; s++) {
        int32_t at = edge_at(edge, block, edges->samples > 1 ? fep_sample_positions[s] : centre);
        edges->at[n][s] = at;
        cuts |= at + least < 0;
        inside |= at + most >= 0;
    }
    edges->a[n] = a;
    edges->b[n] = b;
    edges->edges += cuts;
    return inside;
}

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

/* Moves the first quads of the queue to the batch, which is empty. Emits the batch if it is full. */
static void take_queue(struct draw *draw)
{
    struct fep_batch *batch = &draw->fep->batch;
    struct queue *queue = &draw->queue;
    memcpy(batch->x, queue->x, sizeof batch->x);
    memcpy(batch->y, queue->y, sizeof batch->y);
    memcpy(batch->ms_flags, queue->flags, sizeof batch->ms_flags);
    batch->quads = queue->quads;
    queue->quads = 0;
    if (batch->quads < BATCH_QUADS)
        return;
    queue->quads = batch->quads - BATCH_QUADS;
    batch->quads = BATCH_QUADS;
    memcpy(queue->x, queue->x + BATCH_QUADS, sizeof batch->x);
    memcpy(queue->y, queue->y + BATCH_QUADS, sizeof batch->y);
    memcpy(queue->flags, queue->flags + LANES, LANES);
    emit_and_keep(draw);
}

/* Moves the rest of the queue to the batch. */
static void empty_queue(struct draw *draw)
{
    if (draw->queue.quads)
        take_queue(draw);
}

/* Adds adjacent quads to the queue. */
static void queue_run(struct draw *draw, int32_t x, int32_t y, const lane_bytes *flags,
                      uint32_t count)
{
    typedef uint16_t positions __attribute__((vector_size(2 * BATCH_QUADS)));
    struct queue *queue = &draw->queue;
    positions columns = (uint16_t)x + (positions){0, 2, 4, 6}, rows = (uint16_t)y + (positions){0};
    if (draw->slot == NO_SLOT)
        take_slot(draw);
    memcpy(&queue->x[queue->quads], &columns, sizeof columns);
    memcpy(&queue->y[queue->quads], &rows, sizeof rows);
    memcpy(&queue->flags[queue->quads * 4], flags, sizeof *flags);
    queue->quads += count;
    if (queue->quads >= BATCH_QUADS)
        take_queue(draw);
}

/* Draws one to four adjacent quads. flags has the multisample flags of their pixels. */
static void draw_run(struct draw *draw, int32_t x, int32_t y, const lane_bytes *flags,
                     uint32_t count)
{
    uint32_t i = 0;
    for (; i < count && (draw->z_cuts || draw->fep->batch.quads); i++)
        draw_quad(draw, x + 2 * (int32_t)i, y, load_le32((const uint8_t *)flags + 4 * i));
    if (i == 0) {
        queue_run(draw, x, y, flags, count);
    } else if (i < count) {
        lane_bytes rest = {0};
        memcpy(&rest, (const uint8_t *)flags + 4 * i, 4 * (count - i));
        queue_run(draw, x + 2 * (int32_t)i, y, &rest, count - i);
    }
}

/* --- blocks --- */

/* Returns a mask of the bits from `first` to end - 1, which are at most 64. */
static uint64_t bits_between(int32_t first, int32_t end)
{
    return first < end ? (UINT64_MAX >> (64 - (end - first))) << first : 0;
}

/* Removes the coverage of row 0 if this row is below the bounds, and adds an empty row after the
 * last row, for the last row of quads. */
static void limit_rows(const struct draw *draw, struct block *block)
{
    const uint32_t samples = block->edges.samples;
    if (block->bottom < draw->bounds.bottom)
        memset(block->cover.row, 0, samples * sizeof block->cover.row[0]);
    memset(&block->cover.row[block->edges.height * samples], 0,
           samples * sizeof block->cover.row[0]);
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
        uint32_t at = (uint32_t)__builtin_ctzll(quads), run = count_run(quads >> at);
        lane_bytes flags = {0};
        for (uint32_t s = 0; s < samples; s++)
            flags |= lane_bytes_of_rows((uint32_t)(low[s] >> at), (uint32_t)(high[s] >> at),
                                        (uint8_t)(samples == 1 ? 0xf : 1u << s));
        draw_run(draw, x + (int32_t)at, y, &flags, run);
        quads &= ~(UINT64_C(0xff) >> (8 - 2 * run) << at);
    }
}

/* Draws the covered quads of the block. Without multisampling, a pixel is covered if any of its
 * samples is covered. */
static void draw_quads(struct draw *draw, const struct block *block)
{
    const uint32_t samples = block->edges.samples;
    draw->planes->left = block->left;
    draw->planes->bottom = block->bottom;
    draw->kernels->planes(draw->planes, draw->primitive, block->edges.width, block->edges.height);
    for (uint32_t row = 0; row < block->edges.height; row += 2) {
        const uint64_t *low = &block->cover.row[row * samples], *high = low + samples;
        int32_t y = block->bottom + (int32_t)row;
        if (draw->bounds.multisample && samples > 1) {
            draw_rows(draw, block->left, y, low, high, FEP_SAMPLES);
        } else {
            uint64_t below = samples == 1 ? *low : any_sample(low);
            uint64_t above = samples == 1 ? *high : any_sample(high);
            draw_rows(draw, block->left, y, &below, &above, 1);
        }
    }
    empty_queue(draw);
    settle(draw);
}

/* --- oversampling --- */

/* Returns the pixels of a row of the block that have a sample inside the primitive. The pixels are
 * contiguous, because a primitive is convex. */
static uint64_t touched_pixels(const struct draw *draw, const struct block *block,
                               const struct samples_pattern *pattern, int32_t y)
{
    int64_t left = INT32_MAX, right = INT32_MIN;
    for (uint32_t row = 0; row < pattern->rows; row++) {
        struct samples_run run = samples_inside(pattern, row, draw->primitive, block->bottom + y,
                                                block->left,
                                                block->left + (int32_t)block->edges.width);
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
static void touch_rows(struct draw *draw, struct block *block,
                       const struct samples_pattern *pattern)
{
    const uint64_t inside = bits_between((int32_t)block->edges.left, (int32_t)block->edges.width);
    block->edges.samples = 1;
    for (uint32_t y = 0; y < block->edges.height; y++)
        block->cover.row[y] = touched_pixels(draw, block, pattern, (int32_t)y) & inside;
}

/* Sets the coverage of a block. Returns false if the block is outside the primitive. */
static bool cover_block(struct draw *draw, struct block *block)
{
    const struct samples_pattern *pattern = draw->pattern;
    if (pattern->per_row > 1 && !draw->bounds.multisample) {
        touch_rows(draw, block, pattern);
        return true;
    }
    block->edges.samples = draw->bounds.multisample || pattern->rows > 1 ? FEP_SAMPLES : 1;
    for (uint32_t i = 0; i < draw->primitive->edge_count; i++)
        if (!add_edge(block, &draw->primitive->edge[i]))
            return false;
    draw->kernels->cover(&block->edges, &block->cover);
    return true;
}

static void draw_block(struct draw *draw, int32_t left, int32_t bottom, int32_t right, int32_t top)
{
    struct block block;
    block.left = left;
    block.bottom = bottom;
    block.edges.left = left < draw->bounds.left;
    block.edges.width = (uint32_t)(right - left);
    block.edges.height = (uint32_t)(top - bottom);
    block.edges.edges = 0;
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
    struct draw draw = {
        .fep = fep,
        .planes = &planes,
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
