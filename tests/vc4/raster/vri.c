/* SPDX-License-Identifier: MIT */
/* Tests of the Varyings Interpolator, alone and after the PSE. Expected values come from the
 * equations of manual section 6 and from the definition of perspective-correct interpolation. */
#include "../../register.h"
#include "vc4/raster/vri.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include "vc4/raster/fep.h"

enum { PIXEL = 16 };

static const struct cl_state draws_all = {
    .configuration = 3, .point_size = 1, .line_width = 1, .z_max = 1};

static struct vertex at(int32_t x, int32_t y)
{
    return (struct vertex){.x = x, .y = y, .inv_w = 1, .point_size = 1};
}

static float lane(const lanes *value, unsigned i)
{
    return bits_float((*value)[i]);
}

/* At the centres of the quad at (4,6), VP = 2*(x-10) + 3*(y-20). x - 10 is -5.5 and -4.5, and y
 * - 20 is -13.5 and -12.5. Lanes 0 and 1 are the left and right pixel of the row with the
 * smaller y, and lanes 2 and 3 those of the next row. */
TEST(equation)
{
    struct vri_primitive primitive = {.x0 = 10, .y0 = 20, .count = 1};
    primitive.varying[0] = (struct vri_coefficients){.a = 2, .b = 3, .c = 7};
    struct vri vri = {
        .quad = {NULL, NULL, &primitive},
          .x = {0,    0,    4         },
          .y = {0,    0,    6         },
          .count = 1
    };
    static const float expected[4] = {-51.5f, -49.5f, -48.5f, -46.5f};
    lanes partial, c;
    assert_true(vri_read(&vri, &partial, &c));
    for (unsigned i = 0; i < LANES; i++) {
        bool used = i >= 8 && i < 12;
        assert_true(lane(&partial, i) == (used ? expected[i - 8] : 0));
        assert_true(lane(&c, i) == (used ? 7 : 0));
    }
}

/* Each quad has its own primitive. Reads return the varyings in order. When no varying is left,
 * reads return false and zeros. */
TEST(reads_in_order)
{
    struct vri_primitive first = {.count = 2}, second = {.count = 2};
    for (unsigned n = 0; n < 2; n++) {
        first.varying[n].c = (float)(10 + n);
        second.varying[n].c = (float)(20 + n);
    }
    struct vri vri = {
        .quad = {&first, &second, &first, NULL},
          .count = 2
    };
    lanes partial, c;
    for (unsigned n = 0; n < 2; n++) {
        assert_true(vri_read(&vri, &partial, &c));
        assert_true(lane(&c, 0) == (float)(10 + n));
        assert_true(lane(&c, 7) == (float)(20 + n));
        assert_true(lane(&c, 8) == (float)(10 + n));
        assert_true(lane(&c, 15) == 0);
    }
    static const lanes zero;
    for (unsigned extra = 0; extra < 3; extra++) {
        memset(&partial, 0xff, sizeof partial);
        memset(&c, 0xff, sizeof c);
        assert_false(vri_read(&vri, &partial, &c));
        assert_memory_equal(&partial, &zero, sizeof zero);
        assert_memory_equal(&c, &zero, sizeof zero);
    }
    assert_int_equal(vri.next, 2);
}

/* The count can exceed the varyings that a primitive has. Reads of the excess varyings return
 * zeros, not the memory after the primitive. */
TEST(primitive_with_fewer_varyings)
{
    struct vri_primitive primitive = {.count = 1};
    struct vri vri = {.quad = {&primitive}, .count = 1000};
    lanes partial, c;
    for (unsigned n = 0; n < 1000; n++)
        assert_true(vri_read(&vri, &partial, &c));
    assert_int_equal(c[0], 0);
    assert_false(vri_read(&vri, &partial, &c));
}

TEST(float_bits_of_doubles)
{
    assert_int_equal(vri_float_bits(1), 0x3f800000);
    assert_int_equal(vri_float_bits(-0.0), 0x80000000);
    assert_int_equal(vri_float_bits(1 + 0x1p-24), 0x3f800000); /* rounds to even */
    assert_int_equal(vri_float_bits(1 + 3 * 0x1p-24), 0x3f800002);
    assert_int_equal(vri_float_bits(1e300), 0x7f800000);
    assert_int_equal(vri_float_bits(-1e300), 0xff800000);
    assert_int_equal(vri_float_bits(INFINITY), 0x7f800000);
    assert_int_equal(vri_float_bits(NAN), VRI_NAN);
    assert_int_equal(vri_float_bits(-NAN), VRI_NAN);
}

/* --- after the PSE and the FEP --- */

/* A drawn primitive, and for each covered pixel the varyings that a shader would compute as VP*W
 * + C. */
struct shaded {
    struct fep fep;
    uint32_t varyings; /* includes implicit varyings */
    unsigned pixels;
    void (*check)(struct shaded *shaded, int x, int y, uint32_t n, double value);
    const struct vertex *v;
};

static void shade(void *user, const struct fep_batch *batch)
{
    struct shaded *shaded = user;
    struct vri vri = {.count = shaded->varyings};
    for (unsigned quad = 0; quad < batch->quads; quad++) {
        vri.quad[quad] = &shaded->fep.slot[batch->primitive[quad]].varyings;
        vri.x[quad] = batch->x[quad];
        vri.y[quad] = batch->y[quad];
    }
    lanes partial, c;
    for (uint32_t n = 0; vri_read(&vri, &partial, &c); n++)
        for (unsigned i = 0; i < LANES; i++) {
            if (!(batch->covered >> i & 1))
                continue;
            double value = (double)lane(&partial, i) * lane(&batch->w, i) + lane(&c, i);
            shaded->check(shaded, batch->x[i >> 2] + (int)(i & 1),
                          batch->y[i >> 2] + (int)(i >> 1 & 1), n, value);
            shaded->pixels += n == 0;
        }
}

static unsigned draw(enum primitive_type type, const struct cl_state *state, uint8_t varyings,
                     const struct vertex v[3],
                     void (*check)(struct shaded *, int, int, uint32_t, double))
{
    static struct shaded shaded;
    memset(&shaded, 0, sizeof shaded);
    shaded.check = check;
    shaded.v = v;
    const struct vertex *const vertex[3] = {&v[0], &v[1], &v[2]};
    struct shader_record record = {.varyings = varyings};
    struct fep_window window = {0, 0, 256, 256, false};
    static struct pse_primitive primitive;
    assert_true(pse_setup(&primitive, state, &record, type, vertex));
    shaded.varyings = primitive.varyings.count;
    const struct fep_ports ports = {.shade = shade, .user = &shaded};
    fep_draw(&shaded.fep, &ports, &primitive, state, &window);
    fep_flush(&shaded.fep, &ports);
    return shaded.pixels;
}

/* Returns twice the area of a triangle that has the pixel's centre as one of its corners. */
static double area(const struct vertex *a, const struct vertex *b, double x, double y)
{
    double ax = a->x / 16.0 - x, ay = a->y / 16.0 - y, bx = b->x / 16.0 - x, by = b->y / 16.0 - y;
    return ax * by - bx * ay;
}

/* Returns the mean of the vertices' values, weighted with areas and 1/Wc. */
static double in_perspective(const struct vertex *v, int x, int y, uint32_t n)
{
    double sum = 0, weights = 0;
    for (int i = 0; i < 3; i++) {
        const struct vertex *next = &v[(i + 1) % 3], *other = &v[(i + 2) % 3];
        double weight = area(next, other, x + 0.5, y + 0.5) * v[i].inv_w;
        sum += weight * v[i].varying[n];
        weights += weight;
    }
    return sum / weights;
}

static void check_perspective(struct shaded *shaded, int x, int y, uint32_t n, double value)
{
    double expected = in_perspective(shaded->v, x, y, n);
    if (!(fabs(value - expected) < 1e-6))
        fail_msg("varying %u at %d,%d: %.9g, not %.9g", (unsigned)n, x, y, value, expected);
}

/* Values lie within -1..1, so an error of 1e-6 is a few units in the last place of a float. */
TEST(perspective)
{
    static const float inv_w[][3] = {
        {1,     1,     1    },
        {1,     0.25f, 0.5f },
        {0.1f,  2,     3    },
        {5,     5,     0.5f },
        {0.01f, 0.02f, 0.05f}
    };
    for (size_t i = 0; i < sizeof inv_w / sizeof inv_w[0]; i++) {
        struct vertex v[3] = {at(3 * PIXEL + 5, 7 * PIXEL), at(200 * PIXEL, 31 * PIXEL + 3),
                              at(60 * PIXEL + 1, 180 * PIXEL + 9)};
        for (int k = 0; k < 3; k++) {
            v[k].inv_w = inv_w[i][k];
            v[k].varying[0] = k == 0;
            v[k].varying[1] = k == 1;
            v[k].varying[2] = k == 2 ? -1 : 0.5f;
        }
        assert_true(draw(PRIMITIVE_TRIANGLE, &draws_all, 3, v, check_perspective) > 10000);
    }
}

/* A viewport offset moves the image, and does not change any value. */
static void check_shifted(struct shaded *shaded, int x, int y, uint32_t n, double value)
{
    check_perspective(shaded, x - 40, y - 30, n, value);
}

TEST(viewport_offset)
{
    struct vertex v[3] = {at(-30 * PIXEL, -20 * PIXEL), at(100 * PIXEL, 9), at(7, 90 * PIXEL)};
    v[0].inv_w = 0.5f;
    v[1].varying[0] = 1;
    struct cl_state state = draws_all;
    state.viewport_x = 40 * PIXEL;
    state.viewport_y = 30 * PIXEL;
    assert_true(draw(PRIMITIVE_TRIANGLE, &state, 1, v, check_shifted) > 1000);
}

static void check_flat(struct shaded *shaded, int x, int y, uint32_t n, double value)
{
    if (n == 1)
        assert_true(value == shaded->v[2].varying[1]);
    else
        check_perspective(shaded, x, y, n, value);
}

/* Varying 1 is flat, and varyings 0 and 2 are interpolated. */
TEST(flat_shading)
{
    struct vertex v[3] = {at(0, 0), at(50 * PIXEL, 0), at(0, 50 * PIXEL)};
    for (int k = 0; k < 3; k++) {
        v[k].inv_w = 1 / (float)(k + 1);
        for (int n = 0; n < 3; n++)
            v[k].varying[n] = (float)(k + n) / 8;
    }
    struct cl_state state = draws_all;
    state.flat_shade = 1 << 1;
    assert_true(draw(PRIMITIVE_TRIANGLE, &state, 3, v, check_flat) > 1000);
}

/* A point of size 8 is at (20,30). Its x coordinate is 0 at x = 16 and 1 at 24. Its y coordinate
 * is 0 at row 34 and 1 at row 26. */
static void check_point(struct shaded *shaded, int x, int y, uint32_t n, double value)
{
    const double expected[3] = {(x + 0.5 - 16) / 8, (34 - (y + 0.5)) / 8, shaded->v[0].varying[0]};
    assert_in_range(x, 16, 23);
    assert_in_range(y, 26, 33);
    assert_true(fabs(value - expected[n]) < 1e-6);
}

TEST(point_coordinates)
{
    struct vertex v[3] = {at(20 * PIXEL, 30 * PIXEL)};
    v[0].point_size = 8;
    v[0].inv_w = 0.3f;
    v[0].varying[0] = 0.7f;
    assert_int_equal(draw(PRIMITIVE_POINT, &draws_all, 1, v, check_point), 64);
}

/* A line of width 4 runs from (10,20) to (42,20). The line coordinate runs across the line, from
 * 0 at row 18 to 1 at row 22. Along the line, the varying is linear in x where 1/Wc is constant. */
static void check_line(struct shaded *shaded, int x, int y, uint32_t n, double value)
{
    (void)shaded;
    double expected = n == 0 ? (y + 0.5 - 18) / 4 : (x + 0.5 - 10) / 32;
    assert_true(fabs(value - expected) < 1e-6);
}

TEST(line_coordinate)
{
    struct vertex v[3] = {at(10 * PIXEL, 20 * PIXEL), at(42 * PIXEL, 20 * PIXEL)};
    v[1].varying[0] = 1;
    v[0].inv_w = v[1].inv_w = 0.75f;
    struct cl_state state = draws_all;
    state.line_width = 4;
    assert_int_equal(draw(PRIMITIVE_LINE, &state, 1, v, check_line), 4 * 32);
}

/* A slanted line of width 2 runs from (0,0) to (64,32). In column x its middle is at row x / 2. */
static void check_across(struct shaded *shaded, int x, int y, uint32_t n, double value)
{
    (void)shaded;
    if (n == 0)
        assert_true(fabs(value - (0.5 + (y + 0.5 - (x + 0.5) / 2) / 2)) < 1e-6);
}

/* The varying is 0 at the end with 1/Wc = 1, and 1 at the end with 1/Wc = 1/4. */
static void check_along(struct shaded *shaded, int x, int y, uint32_t n, double value)
{
    (void)shaded;
    (void)y;
    double along = (x + 0.5) / 64;
    if (n == 1)
        assert_true(fabs(value - along * 0.25 / (along * 0.25 + (1 - along))) < 1e-6);
}

TEST(slanted_lines)
{
    struct vertex v[3] = {at(0, 0), at(64 * PIXEL, 32 * PIXEL)};
    struct cl_state state = draws_all;
    state.line_width = 2;
    assert_true(draw(PRIMITIVE_LINE, &state, 0, v, check_across) > 64);
    v[1].varying[0] = 1;
    v[1].inv_w = 0.25f;
    assert_true(draw(PRIMITIVE_LINE, &state, 1, v, check_along) > 64);
}
