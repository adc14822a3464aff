/* SPDX-License-Identifier: MIT */
/* fep_kernels_parts.h - the functions of fep_kernels.h, for one width of host vectors.
 *
 * A source file defines PART_BYTES (see base/f32_parts.h) and includes this header once. The header
 * then defines the static functions and the initialiser FEP_KERNELS. */
#include <string.h>

#include "base/f32_parts.h"
#include "vc4/raster/fep_kernels.h"
#include "vc4/raster/samples.h"

enum { PART_DOUBLES = PART_BYTES / 8, ROWS = 4, ROW_PARTS = ROWS / PART_DOUBLES };

typedef double part_double __attribute__((vector_size(PART_BYTES)));
typedef int32_t half_int __attribute__((vector_size(PART_BYTES / 2)));
typedef float half_float __attribute__((vector_size(PART_BYTES / 2)));

#define FOR_ROW_PARTS _Pragma("GCC unroll 2") for (unsigned i = 0; i < ROW_PARTS; i++)

/* --- coverage --- */

/* The value of an edge at a sample of the pixel at (x, y) of a block, divided by OUTLINE_UNIT, is
 * v + a*x + b*y, where v is that of the block's first pixel, a multiple of 1 / OUTLINE_UNIT. In a
 * row, a pixel is inside the edge if v + a*x + b*y >= 0. With c = v + b*y + HALF_STEP, the value is
 * never 0, and |c + a*x| is at least HALF_STEP. So the first pixel inside an edge with a > 0 is
 * floor(1 - c/a), and the end of the pixels inside an edge with a < 0 is floor(1 - c/a). -c/a is at
 * least HALF_STEP / |a| away from every integer. Rounding errors are far smaller, because |v| is
 * below 2^30 if the edge crosses the block. If a is 0, the row is inside or outside as a whole, and
 * a factor of FLAT instead of 1/a makes the border lie outside of the block. */
#define HALF_STEP (0.5 / OUTLINE_UNIT)
#define FLAT      (256.0 * OUTLINE_UNIT)

/* A linear function of the rows of a block: values of four rows of struct fep_cover, and the
 * difference to the next four. */
struct border {
    part_double at[ROW_PARTS], step;
};

/* The borders of a shape in a block. Each row is covered from the largest of the borders `first` to
 * the smallest of the borders `end`. */
struct borders {
    uint32_t firsts, ends;
    struct border first[PSE_MAX_EDGES], end[PSE_MAX_EDGES];
};

/* Positions of four samples of struct fep_cover: the samples of a pixel, or the centres of four
 * pixels of a column. */
struct positions {
    part_double x[ROW_PARTS], y[ROW_PARTS];
    double rows; /* number of rows of pixels from one vector to the next */
};

INLINE part_double minimum(part_double a, part_double b)
{
#if defined(__x86_64__) && PART_BYTES == 32
    return (part_double)_mm256_min_pd((__m256d)a, (__m256d)b);
#elif defined(__x86_64__)
    return (part_double)_mm_min_pd((__m128d)a, (__m128d)b);
#else
    __typeof__(a < b) less = a < b;
    return (part_double)(((__typeof__(less))a & less) | ((__typeof__(less))b & ~less));
#endif
}

/* Returns the larger values. NaN in `a` becomes the value of b. */
INLINE part_double maximum(part_double a, part_double b)
{
#if defined(__x86_64__) && PART_BYTES == 32
    return (part_double)_mm256_max_pd((__m256d)a, (__m256d)b);
#elif defined(__x86_64__)
    return (part_double)_mm_max_pd((__m128d)a, (__m128d)b);
#else
    __typeof__(a > b) more = a > b;
    return (part_double)(((__typeof__(more))a & more) | ((__typeof__(more))b & ~more));
#endif
}

/* Returns the top bits of four doubles. */
INLINE uint32_t row_signs(const part_double value[ROW_PARTS])
{
#if defined(__x86_64__) && PART_BYTES == 32
    return (uint32_t)_mm256_movemask_pd((__m256d)value[0]);
#elif defined(__x86_64__)
    return (uint32_t)_mm_movemask_pd((__m128d)value[0]) |
           (uint32_t)_mm_movemask_pd((__m128d)value[1]) << 2;
#else
    uint32_t bits = 0;
    for (uint32_t i = 0; i < ROWS; i++)
        bits |= (uint32_t)(value[i / PART_DOUBLES][i % PART_DOUBLES] < 0) << i;
    return bits;
#endif
}

/* Adds a border without effect. */
INLINE void set_constant(struct border *border, double value)
{
    FOR_ROW_PARTS border->at[i] = (part_double){0} + value;
    border->step = (part_double){0};
}

INLINE double least_double(double a, double b)
{
    return a < b ? a : b;
}

/* Adds an edge to the borders if the edge crosses the block. Returns false if the block is entirely
 * outside the edge. All values are exact until they are multiplied with the factor. */
INLINE bool add_edge(struct borders *borders, const struct pse_edge *edge,
                     const struct fep_block *block, const struct positions *positions)
{
    const double a = (double)edge->a, b = (double)edge->b;
    const double wide = a * block->width, high = b * block->height;
    const double least = least_double(wide, 0) + least_double(high, 0);
    const double most = wide + high - least;
    const double corner = (double)edge->c * (1.0 / OUTLINE_UNIT) + a * block->left +
                          b * block->bottom;
    part_double value[ROW_PARTS], low[ROW_PARTS], top[ROW_PARTS];
    FOR_ROW_PARTS
    {
        value[i] = positions->x[i] * a + positions->y[i] * b + corner;
        low[i] = value[i] + least;
        top[i] = value[i] + most;
    }
    if (row_signs(top) == (1 << ROWS) - 1)
        return false;
    if (!row_signs(low))
        return true;
    const double factor = a != 0 ? -1 / a : b > 0 ? -FLAT : FLAT;
    struct border *border = factor < 0 ? &borders->first[borders->firsts++]
                                       : &borders->end[borders->ends++];
    FOR_ROW_PARTS border->at[i] = (value[i] + HALF_STEP) * factor + 1;
    border->step = (part_double){0} + b * factor * positions->rows;
    return true;
}

/* Sets the borders of the edges that cross a block. Returns false if the block is outside an
 * edge. */
INLINE bool set_borders(struct borders *borders, const struct fep_block *block,
                        const struct pse_primitive *primitive, const struct positions *positions)
{
    borders->firsts = borders->ends = 0;
    for (uint32_t e = 0; e < primitive->edge_count; e++)
        if (!add_edge(borders, &primitive->edge[e], block, positions))
            return false;
    for (uint32_t e = borders->firsts; e < PSE_MAX_EDGES; e++)
        set_constant(&borders->first[e], 0);
    for (uint32_t e = borders->ends; e < PSE_MAX_EDGES; e++)
        set_constant(&borders->end[e], FEP_BLOCK);
    return true;
}

INLINE struct positions positions_of(uint32_t samples)
{
    static const struct samples_positions centres = {{0.5, 0.5, 0.5, 0.5}, {0.5, 1.5, 2.5, 3.5}};
    const struct samples_positions *from = samples == 1 ? &centres : &samples_positions;
    struct positions positions = {.rows = samples == 1 ? ROWS : 1};
    memcpy(positions.x, from->x, sizeof from->x);
    memcpy(positions.y, from->y, sizeof from->y);
    return positions;
}

/* Sets the bits from `first` to end - 1 of each row. */
INLINE void set_rows(uint64_t *row, part_double first, part_double end)
{
    half_int from = __builtin_convertvector(first, half_int);
    half_int to = __builtin_convertvector(end, half_int);
#if PART_BYTES == 32
    const __m256i all = _mm256_set1_epi64x(-1);
    __m256i inside = _mm256_sllv_epi64(all, _mm256_cvtepi32_epi64((__m128i)from));
    __m256i beyond = _mm256_sllv_epi64(all, _mm256_cvtepi32_epi64((__m128i)to));
    _mm256_storeu_si256((__m256i *)row, _mm256_andnot_si256(beyond, inside));
#else
    for (unsigned i = 0; i < PART_DOUBLES; i++)
        row[i] = from[i] < to[i] ? UINT64_MAX >> (64 - (to[i] - from[i])) << from[i] : 0;
#endif
}

INLINE void cover_rows(const struct borders *borders, const struct fep_block *block,
                       struct fep_cover *cover, uint32_t edges)
{
    const part_double left = (part_double){0} + (double)block->skip;
    const part_double right = (part_double){0} + (double)block->width;
    struct border first[PSE_MAX_EDGES], end[PSE_MAX_EDGES];
    memcpy(first, borders->first, edges * sizeof first[0]);
    memcpy(end, borders->end, edges * sizeof end[0]);
    for (uint32_t row = 0; row < block->height * block->samples; row += ROWS)
        FOR_ROW_PARTS
        {
            part_double from = left, to = right;
            for (uint32_t e = 0; e < edges; e++) {
                from = maximum(from, first[e].at[i]);
                to = minimum(to, end[e].at[i]);
                first[e].at[i] += first[e].step;
                end[e].at[i] += end[e].step;
            }
            set_rows(&cover->row[row + i * PART_DOUBLES], minimum(from, right), maximum(to, left));
        }
}

/* The number of borders is a constant, so that the compiler keeps them in registers. */
static bool cover(const struct fep_block *block, const struct pse_primitive *primitive,
                  struct fep_cover *cover)
{
    struct borders borders;
    const struct positions positions = positions_of(block->samples);
    if (!set_borders(&borders, block, primitive, &positions))
        return false;
    if (borders.firsts == 0 && borders.ends == 0)
        cover_rows(&borders, block, cover, 0);
    else if (borders.firsts <= 1 && borders.ends <= 1)
        cover_rows(&borders, block, cover, 1);
    else if (borders.firsts <= 2 && borders.ends <= 2)
        cover_rows(&borders, block, cover, 2);
    else
        cover_rows(&borders, block, cover, PSE_MAX_EDGES);
    return true;
}

/* --- Z and W --- */

enum { Z_LIMIT = 0xffffff };

/* Sets the columns and rows of a plane. x and y are the distances of the first pixel's centre from
 * the plane's origin. */
INLINE void set_plane(struct fep_plane *to, const struct pse_plane *plane, double x, double y,
                      uint32_t width, uint32_t height)
{
#if PART_BYTES == 32
    const part_double numbers = {0, 1, 2, 3};
#else
    const part_double numbers = {0, 1};
#endif
    for (uint32_t i = 0; i < width; i += PART_DOUBLES) {
        part_double value = plane->at0 + plane->dx * (x + (numbers + (double)i));
        memcpy(&to->column[i], &value, sizeof value);
    }
    for (uint32_t i = 0; i < height; i += PART_DOUBLES) {
        part_double value = plane->dy * (y + (numbers + (double)i));
        memcpy(&to->row[i], &value, sizeof value);
    }
}

static void set_planes(struct fep_planes *planes, const struct pse_primitive *primitive,
                       uint32_t width, uint32_t height)
{
    double x = planes->left + 0.5 - primitive->x0, y = planes->bottom + 0.5 - primitive->y0;
    set_plane(&planes->z, &primitive->z, x, y, width, height);
    if (planes->w_varies)
        set_plane(&planes->inv_w, &primitive->inv_w, x, y, width, height);
}

/* Returns part i of the values of the quad at (x, y) of the block. */
INLINE part_double plane_part(const struct fep_plane *plane, uint32_t x, uint32_t y, unsigned i)
{
    const double *column = &plane->column[x], *row = &plane->row[y];
#if PART_BYTES == 32
    (void)i;
    part_double columns = (part_double)_mm256_broadcast_pd((const __m128d *)column);
    part_double rows = (part_double)_mm256_permute4x64_pd(_mm256_castpd128_pd256(_mm_loadu_pd(row)),
                                                          0x50);
    return columns + rows;
#else
    part_double columns;
    memcpy(&columns, column, sizeof columns);
    return columns + row[i];
#endif
}

/* Limits values to 0 ... Z_LIMIT. NaN becomes 0. */
INLINE part_double limit_z(part_double value)
{
    return minimum(maximum(value, (part_double){0}), (part_double){0} + Z_LIMIT);
}

/* Converts Z to integers, rounded and clamped to 24 bits. */
INLINE half_int z_integers(part_double z, double offset)
{
    return __builtin_convertvector(limit_z((z + offset) * Z_LIMIT + 0.5), half_int);
}

/* Converts 1/Wc to the float bits of W. */
INLINE half_int w_floats(part_double inv_w)
{
    half_float w = __builtin_convertvector(1 / inv_w, half_float);
    half_int nan = w != w;
    return ((half_int)w & ~nan) | (nan & VRI_NAN);
}

/* Sets Z and W of one quad. If w is NULL, computes W, otherwise copies w. */
INLINE void quad_values(const struct fep_planes *planes, struct fep_batch *batch, uint32_t quad,
                        const uint32_t *w)
{
    uint32_t x = (uint32_t)(batch->x[quad] - planes->left);
    uint32_t y = (uint32_t)(batch->y[quad] - planes->bottom);
    uint8_t *to_z = (uint8_t *)&batch->z + 16 * quad, *to_w = (uint8_t *)&batch->w + 16 * quad;
    _Pragma("GCC unroll 2") for (unsigned i = 0; i < 4 / PART_DOUBLES; i++)
    {
        half_int value = z_integers(plane_part(&planes->z, x, y, i), planes->z_offset);
        memcpy(to_z + i * sizeof value, &value, sizeof value);
        if (w)
            continue;
        value = w_floats(plane_part(&planes->inv_w, x, y, i));
        memcpy(to_w + i * sizeof value, &value, sizeof value);
    }
    if (w)
        memcpy(to_w, w, 4 * sizeof *w);
}

static void set_values(const struct fep_planes *planes, struct fep_batch *batch, uint32_t first,
                       uint32_t end)
{
    if (planes->w_varies)
        for (uint32_t quad = first; quad < end; quad++)
            quad_values(planes, batch, quad, NULL);
    else
        for (uint32_t quad = first; quad < end; quad++)
            quad_values(planes, batch, quad, planes->w);
}

#define FEP_KERNELS                                                \
    {                                                              \
        .cover = cover, .planes = set_planes, .values = set_values \
    }
