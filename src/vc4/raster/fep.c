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

/* Covered quads of a block in raster order. Four quads are written at once, so that up to three
 * entries after the last quad are undefined. */
enum { BLOCK_QUADS = FEP_BLOCK * FEP_BLOCK / 4, LIST_QUADS = BLOCK_QUADS + BATCH_QUADS };

struct quad_list {
    uint32_t quads;
    uint16_t x[LIST_QUADS], y[LIST_QUADS];
    uint8_t flags[LIST_QUADS * 4]; /* multisample flags of the pixels */
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
    struct quad_list *list;    /* of the current block */
    uint32_t pending; /* first quad of the batch whose Z and W are not set; later quads are in the
                         current block */
    int slot;         /* the primitive's index in fep->slot, or NO_SLOT */
    bool others;      /* true if the batch has quads of other primitives */
    uint32_t quads, cut; /* number of quads drawn; number of quads that the Z limits removed */
    uint32_t cut_pixels; /* number of pixels that the Z limits removed */
    const struct fep_ports *ports;
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
    draw->z_low = draw->z_cuts ? floor(scaled_z(state->z_min)) : 0;
    draw->z_end = draw->z_cuts ? floor(scaled_z(state->z_max)) + 1 : 0;
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

/* Completes the quads of the batch from `first` to end - 1, of which only position and multisample
 * flags are set. */
static inline void complete(struct draw *draw, uint32_t first, uint32_t end)
{
    struct fep_batch *batch = &draw->fep->batch;
    const lane_mask own = lanes_between(first, end);
    memset(batch->primitive + first, draw->slot, end - first);
    batch->covered |= lane_bytes_any(batch->ms_flags, 0xff) & own;
    if (draw->primitive->reverse)
        batch->reverse |= own;
    draw->kernels->values(draw->planes, batch, first, end);
    draw->quads += end - first;
}

/* Completes the pending quads of the batch. */
static void settle(struct draw *draw)
{
    const uint32_t quads = draw->fep->batch.quads;
    if (draw->pending < quads)
        complete(draw, draw->pending, quads);
    draw->pending = quads;
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

/* Sets the positions and the multisample flags of the batch, which is empty, to those of four quads
 * of the list. */
static void take_quads(struct fep_batch *batch, const struct quad_list *list, uint32_t first)
{
    memcpy(batch->x, &list->x[first], sizeof batch->x);
    memcpy(batch->y, &list->y[first], sizeof batch->y);
    memcpy(batch->ms_flags, &list->flags[first * 4], sizeof batch->ms_flags);
}

/* Draws the list. Quads go one by one to a batch that is not empty, and if the Z limits may remove
 * pixels. */
static void draw_list(struct draw *draw)
{
    const struct quad_list *list = draw->list;
    struct fep_batch *batch = &draw->fep->batch;
    uint32_t i = 0;
    for (; i < list->quads && (draw->z_cuts || batch->quads); i++)
        draw_quad(draw, list->x[i], list->y[i], load_le32(&list->flags[i * 4]));
    if (i < list->quads && draw->slot == NO_SLOT)
        take_slot(draw);
    for (; i + BATCH_QUADS <= list->quads; i += BATCH_QUADS) {
        take_quads(batch, list, i);
        batch->quads = BATCH_QUADS;
        complete(draw, 0, BATCH_QUADS);
        emit(draw->fep, draw->ports);
        draw->fep->slots = 1;
    }
    if (i < list->quads) {
        take_quads(batch, list, i);
        batch->quads = list->quads - i;
    }
    settle(draw);
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
    uint64_t *row = draw->cover->row, *after = &row[block->height * block->samples];
    if (block->bottom < draw->bounds.bottom)
        memset(row, 0, block->samples * sizeof *row);
    memset(after, 0, FEP_SAMPLES * sizeof *row);
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

/* Adds the quads of two rows of pixels to the list. low and high have `samples` masks each: one for
 * all samples, or one for each sample. x and y are the position of the first pixel. */
static inline void list_rows(struct quad_list *list, int32_t x, int32_t y, const uint64_t *low,
                             const uint64_t *high, uint32_t samples)
{
    typedef uint16_t positions __attribute__((vector_size(2 * BATCH_QUADS)));
    const positions rows = (uint16_t)y + (positions){0},
                    next = (uint16_t)x + (positions){0, 2, 4, 6};
    uint64_t quads = samples == 1 ? quads_of(*low, *high)
                                  : quads_of(any_sample(low), any_sample(high));
    while (quads) {
        const uint32_t at = (uint32_t)__builtin_ctzll(quads), run = count_run(quads >> at);
        const positions columns = next + (uint16_t)at;
        lane_bytes flags = {0};
        for (uint32_t s = 0; s < samples; s++)
            flags |= lane_bytes_of_rows(low[s] >> at, high[s] >> at,
                                        (uint8_t)(samples == 1 ? 0xf : 1u << s));
        memcpy(&list->x[list->quads], &columns, sizeof columns);
        memcpy(&list->y[list->quads], &rows, sizeof rows);
        memcpy(&list->flags[list->quads * 4], &flags, sizeof flags);
        list->quads += run;
        quads &= ~(UINT64_C(0xff) >> (8 - 2 * run) << at);
    }
}

/* Lists the covered quads of the block. Without multisampling, a pixel is covered if any of its
 * samples is covered. */
static void list_quads(struct draw *draw, const struct fep_block *block)
{
    const uint32_t samples = block->samples;
    draw->list->quads = 0;
    for (uint32_t row = 0; row < block->height; row += 2) {
        const uint64_t *low = &draw->cover->row[row * samples], *high = low + samples;
        int32_t y = block->bottom + (int32_t)row;
        if (draw->bounds.multisample && samples > 1) {
            list_rows(draw->list, block->left, y, low, high, FEP_SAMPLES);
        } else {
            uint64_t below = samples == 1 ? *low : any_sample(low);
            uint64_t above = samples == 1 ? *high : any_sample(high);
            list_rows(draw->list, block->left, y, &below, &above, 1);
        }
    }
}

/* Draws the covered quads of the block. */
static void draw_quads(struct draw *draw, const struct fep_block *block)
{
    list_quads(draw, block);
    if (draw->list->quads == 0)
        return;
    draw->planes->left = block->left;
    draw->planes->bottom = block->bottom;
    draw->kernels->planes(draw->planes, draw->primitive, block->width, block->height);
    draw_list(draw);
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
    struct quad_list list;
    struct draw draw;
    draw.fep = fep;
    draw.planes = &planes;
    draw.cover = &cover;
    draw.list = &list;
    draw.kernels = fep_kernels_native();
    draw.pattern = pattern;
    draw.primitive = primitive;
    draw.bounds = intersect(primitive, window, window->multisample || pattern->rows > 1);
    draw.slot = NO_SLOT;
    draw.ports = ports;
    draw.quads = draw.cut = draw.cut_pixels = 0;
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
