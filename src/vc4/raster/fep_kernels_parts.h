/* SPDX-License-Identifier: MIT */
/* fep_kernels_parts.h - the functions of fep_kernels.h, for one width of host vectors.
 *
 * A source file defines PART_BYTES (see base/f32_parts.h) and includes this header once. The header
 * then defines the static functions and the initialiser FEP_KERNELS. */
#include <string.h>

#include "base/f32_parts.h"
#include "vc4/raster/fep_kernels.h"

enum { PART_DOUBLES = PART_BYTES / 8, ROWS = 4, ROW_PARTS = ROWS / PART_DOUBLES };

typedef double part_double __attribute__((vector_size(PART_BYTES)));
typedef int32_t half_int __attribute__((vector_size(PART_BYTES / 2)));
typedef float half_float __attribute__((vector_size(PART_BYTES / 2)));

#define FOR_ROW_PARTS _Pragma("GCC unroll 2") for (unsigned i = 0; i < ROW_PARTS; i++)

/* --- coverage --- */

/* The pixels of a row that are inside an edge are those from some column on (a > 0), or those up to
 * some column (a < 0). With c = at + b*y and r = 1 / |a|, floor((c + 0.5) * r) equals floor(c * r),
 * because c and a are integers. (c + 0.5) * r is at least r / 2 away from every integer. Rounding
 * errors are far smaller, because |c| is below 2^31. So in column order, the first pixel inside the
 * edge is floor(1 - (c + 0.5) * r), and the end is floor(1 + (c + 0.5) * r). If a is 0, the row is
 * inside or outside as a whole, and r = FLAT makes the border lie outside of the block. */
#define FLAT 256.0

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

INLINE void set_border(struct border *border, const struct fep_edges *of, uint32_t e, double r)
{
    double at[ROWS], row = of->samples == 1 ? of->b[e] : 0;
    for (uint32_t i = 0; i < ROWS; i++)
        at[i] = (of->at[e][of->samples == 1 ? 0 : i] + 0.5 + row * i) * r + 1;
    memcpy(border->at, at, sizeof at);
    border->step = (part_double){0} + of->b[e] * r * (of->samples == 1 ? ROWS : 1);
}

/* Adds a border without effect. */
INLINE void set_constant(struct border *border, double value)
{
    FOR_ROW_PARTS border->at[i] = (part_double){0} + value;
    border->step = (part_double){0};
}

static void set_borders(struct borders *borders, const struct fep_edges *of)
{
    borders->firsts = borders->ends = 0;
    for (uint32_t e = 0; e < of->edges; e++) {
        int32_t a = of->a[e];
        double r = a ? 1.0 / a : of->b[e] > 0 ? FLAT : -FLAT;
        if (r > 0)
            set_border(&borders->first[borders->firsts++], of, e, -r);
        else
            set_border(&borders->end[borders->ends++], of, e, -r);
    }
    for (uint32_t e = borders->firsts; e < PSE_MAX_EDGES; e++)
        set_constant(&borders->first[e], 0);
    for (uint32_t e = borders->ends; e < PSE_MAX_EDGES; e++)
        set_constant(&borders->end[e], FEP_BLOCK);
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

INLINE void cover_rows(const struct borders *borders, const struct fep_edges *of,
                       struct fep_cover *cover, uint32_t edges)
{
    const part_double left = (part_double){0} + (double)of->left;
    const part_double right = (part_double){0} + (double)of->width;
    struct border first[PSE_MAX_EDGES], end[PSE_MAX_EDGES];
    memcpy(first, borders->first, edges * sizeof first[0]);
    memcpy(end, borders->end, edges * sizeof end[0]);
    for (uint32_t row = 0; row < of->height * of->samples; row += ROWS)
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
static void cover(const struct fep_edges *of, struct fep_cover *cover)
{
    struct borders borders;
    set_borders(&borders, of);
    if (of->edges == 0)
        cover_rows(&borders, of, cover, 0);
    else if (borders.firsts <= 1 && borders.ends <= 1)
        cover_rows(&borders, of, cover, 1);
    else if (borders.firsts <= 2 && borders.ends <= 2)
        cover_rows(&borders, of, cover, 2);
    else
        cover_rows(&borders, of, cover, PSE_MAX_EDGES);
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
