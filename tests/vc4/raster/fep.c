/* SPDX-License-Identifier: MIT */
/* Tests of the Front End Pipe. Expected coverage comes from a second rule, which counts the
 * edges to the left of a pixel centre. Other expected values are worked out by hand. */
#include "../../register.h"
#include "vc4/raster/fep.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include "../../random.h"

enum { PIXEL = 16, WIDTH = 128, HEIGHT = 96, BATCHES = 16 };

static const struct cl_state draws_all = {
    .configuration = 3, .point_size = 1, .line_width = 1, .z_max = 1};
static const struct fep_window whole = {0, 0, WIDTH, HEIGHT, false};

/* Batches that the callback has received. */
struct seen {
    int hits[HEIGHT][WIDTH];
    unsigned samples[HEIGHT][WIDTH]; /* number of multisample flags of each pixel */
    uint32_t z[HEIGHT][WIDTH], w[HEIGHT][WIDTH];
    uint64_t quads, covered;
    unsigned batches;
    struct fep_batch batch[BATCHES]; /* the first batches that were received */
    float first_varying[BATCHES][4]; /* coefficient C of varying 0 of each quad's primitive */
    struct fep fep;
    struct pctr_counts *counts; /* may be NULL */
};

static void note_pixel(struct seen *seen, const struct fep_batch *batch, unsigned lane)
{
    unsigned x = batch->x[lane >> 2] + (lane & 1), y = batch->y[lane >> 2] + (lane >> 1 & 1);
    seen->covered++;
    if (x >= WIDTH || y >= HEIGHT)
        return;
    seen->hits[y][x]++;
    seen->samples[y][x] += batch->ms_flags[lane];
    seen->z[y][x] = batch->z[lane];
    seen->w[y][x] = batch->w[lane];
}

static void look(void *user, const struct fep_batch *batch)
{
    struct seen *seen = user;
    assert_in_range(batch->quads, 1, 4);
    for (unsigned quad = 0; quad < 4; quad++) {
        unsigned mask = batch->covered >> quad * 4 & 0xf;
        assert_int_equal(mask != 0, quad < batch->quads);
        assert_int_equal(batch->x[quad] & 1, 0);
        assert_int_equal(batch->y[quad] & 1, 0);
        for (unsigned other = 0; other < quad && quad < batch->quads; other++)
            assert_false(batch->x[quad] == batch->x[other] && batch->y[quad] == batch->y[other]);
        if (seen->batches < BATCHES && quad < batch->quads)
            seen->first_varying[seen->batches][quad] =
                seen->fep.slot[batch->primitive[quad]].varyings.varying[0].c;
    }
    for (unsigned lane = 0; lane < LANES; lane++) {
        assert_int_equal(batch->ms_flags[lane] != 0, batch->covered >> lane & 1);
        if (batch->covered >> lane & 1)
            note_pixel(seen, batch, lane);
    }
    if (seen->batches < BATCHES)
        seen->batch[seen->batches] = *batch;
    seen->batches++;
    seen->quads += batch->quads;
}

static struct seen *start(void **state)
{
    struct seen *seen = *state;
    memset(seen, 0, sizeof *seen);
    return seen;
}

static struct vertex at(int32_t x, int32_t y)
{
    return (struct vertex){.x = x, .y = y, .inv_w = 1, .point_size = 1};
}

static struct fep_ports ports_of(struct seen *seen)
{
    return (struct fep_ports){.counts = seen->counts, .shade = look, .user = seen};
}

static void flush(struct seen *seen)
{
    const struct fep_ports ports = ports_of(seen);
    fep_flush(&seen->fep, &ports);
}

static void draw_in(struct seen *seen, const struct cl_state *state, enum primitive_type type,
                    const struct vertex v[3], const struct fep_window *window)
{
    static const struct shader_record record = {.varyings = 1};
    const struct vertex *const vertex[3] = {&v[0], &v[1], &v[2]};
    const struct fep_ports ports = ports_of(seen);
    struct pse_primitive primitive;
    if (pse_setup(&primitive, state, &record, type, vertex))
        fep_draw(&seen->fep, &ports, &primitive, state, window);
}

static void draw(struct seen *seen, const struct vertex v[3])
{
    draw_in(seen, &draws_all, PRIMITIVE_TRIANGLE, v, &whole);
    flush(seen);
}

static int32_t random_in(uint32_t *seed, int32_t low, int32_t high)
{
    return low + (int32_t)(next_random(seed) % (uint32_t)(high - low + 1));
}

/* Returns true if the edge crosses the row of the centre, at the centre or to its left. An edge
 * includes its lower end and excludes its upper end. Coordinates are in 1/32 pixel. */
static bool crosses_left(const struct vertex *p, const struct vertex *q, int64_t x, int64_t y)
{
    if (p->y > q->y) {
        const struct vertex *swap = p;
        p = q;
        q = swap;
    }
    int64_t px = p->x * 2, py = p->y * 2, qx = q->x * 2, qy = q->y * 2;
    return py <= y && y < qy && (qx - px) * (y - py) <= (x - px) * (qy - py);
}

static bool expected_inside(const struct vertex v[3], int x, int y)
{
    int64_t cx = x * 32 + 16, cy = y * 32 + 16;
    return crosses_left(&v[0], &v[1], cx, cy) ^ crosses_left(&v[1], &v[2], cx, cy) ^
           crosses_left(&v[2], &v[0], cx, cy);
}

static void assert_coverage(const struct seen *seen, const struct vertex v[3])
{
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            if (seen->hits[y][x] != expected_inside(v, x, y))
                fail_msg("(%d,%d) (%d,%d) (%d,%d): pixel %d,%d", v[0].x, v[0].y, v[1].x, v[1].y,
                         v[2].x, v[2].y, x, y);
}

/* Draws random triangles. Many vertices lie on pixel centres and corners, where ties occur. */
TEST(random_triangles)
{
    uint32_t seed = 1;
    for (int i = 0; i < 1500; i++) {
        struct seen *seen = start(fixture);
        struct vertex v[3];
        int32_t step = i % 3 == 0 ? 8 : 1, beyond = i % 5 == 0 ? 2000 : 40;
        for (int k = 0; k < 3; k++)
            v[k] = at(random_in(&seed, -beyond / step, (WIDTH * PIXEL + beyond) / step) * step,
                      random_in(&seed, -beyond / step, (HEIGHT * PIXEL + beyond) / step) * step);
        draw(seen, v);
        assert_coverage(seen, v);
        assert_int_equal(seen->quads, seen->fep.quads);
    }
}

TEST(tiny_triangles)
{
    uint32_t seed = 2;
    for (int i = 0; i < 2000; i++) {
        struct seen *seen = start(fixture);
        int32_t x = random_in(&seed, 0, WIDTH * PIXEL), y = random_in(&seed, 0, HEIGHT * PIXEL);
        struct vertex v[3];
        for (int k = 0; k < 3; k++)
            v[k] = at(x + random_in(&seed, -24, 24), y + random_in(&seed, -24, 24));
        draw(seen, v);
        assert_coverage(seen, v);
    }
}

/* Multisampling: sample s of pixel (x, y) is at x + (5, 1, 7, 3)[s] / 8 and y + (1, 3, 5, 7)[s]
 * / 8 (chosen in docs/vc4/fep.md). A pixel is shaded if any of its samples is inside. */
TEST(samples_are_covered_one_by_one)
{
    static const int sample_x[4] = {5, 1, 7, 3}, sample_y[4] = {1, 3, 5, 7};
    const struct fep_window samples = {3, 2, WIDTH - 5, HEIGHT - 3, true};
    uint32_t seed = 11;
    for (int i = 0; i < 600; i++) {
        struct seen *seen = start(fixture);
        int32_t step = i % 3 == 0 ? 2 : 1, size = i % 2 ? 60 : WIDTH * PIXEL;
        int32_t left = random_in(&seed, 0, WIDTH * PIXEL),
                low = random_in(&seed, 0, HEIGHT * PIXEL);
        struct vertex v[3];
        for (int k = 0; k < 3; k++)
            v[k] = at((left + random_in(&seed, -size, size)) / step * step,
                      (low + random_in(&seed, -size, size)) / step * step);
        draw_in(seen, &draws_all, PRIMITIVE_TRIANGLE, v, &samples);
        flush(seen);
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++) {
                unsigned expected = 0;
                for (int s = 0; s < 4; s++) {
                    int64_t cx = x * 32 + sample_x[s] * 4, cy = y * 32 + sample_y[s] * 4;
                    if (crosses_left(&v[0], &v[1], cx, cy) ^ crosses_left(&v[1], &v[2], cx, cy) ^
                        crosses_left(&v[2], &v[0], cx, cy))
                        expected |= 1u << s;
                }
                if (x < 3 || y < 2 || x >= WIDTH - 5 || y >= HEIGHT - 3)
                    expected = 0;
                assert_int_equal(seen->samples[y][x], expected);
                assert_int_equal(seen->hits[y][x], expected != 0);
            }
    }
}

/* A point of size 1/2 at the common corner (10, 10) of four pixels covers 9.75 to 10.25 in x and
 * y. No sample is inside: the nearest sample of the lower right pixel is (10.125, 10.375). With
 * size 1 the point covers 9.5 to 10.5, and one sample of each pixel is inside: (10.125, 10.375)
 * of pixel (10, 10), (9.625, 10.125) of (9, 10), (10.375, 9.875) of (10, 9), and (9.875, 9.625)
 * of (9, 9). */
TEST(samples_of_a_small_point)
{
    struct seen *seen = start(fixture);
    const struct fep_window samples = {0, 0, WIDTH, HEIGHT, true};
    struct vertex v[3] = {at(10 * PIXEL, 10 * PIXEL)};
    v[0].point_size = 0.5f;
    draw_in(seen, &draws_all, PRIMITIVE_POINT, v, &samples);
    flush(seen);
    assert_int_equal(seen->quads, 0);
    v[0].point_size = 1;
    draw_in(seen, &draws_all, PRIMITIVE_POINT, v, &samples);
    flush(seen);
    assert_int_equal(seen->samples[10][10], 1 << 1);
    assert_int_equal(seen->samples[10][9], 1 << 0);
    assert_int_equal(seen->samples[9][10], 1 << 3);
    assert_int_equal(seen->samples[9][9], 1 << 2);
    assert_int_equal(seen->covered, 4);
}

/* Counts the events of manual table 82, sources 0 to 3. The three triangles are one that covers
 * one quad, one between pixel centres, and one that the Z limits of record 104 remove. */
TEST(events_are_counted)
{
    struct seen *seen = start(fixture);
    struct pctr_counts counts = {0};
    seen->counts = &counts;
    struct vertex one[3] = {at(0, 0), at(24, 0), at(0, 24)};
    struct vertex none[3] = {at(10, 10), at(12, 10), at(10, 12)};
    draw(seen, one);
    draw(seen, none);
    one[0].z = one[1].z = one[2].z = 2;
    draw(seen, one);
    assert_int_equal(counts.of[PCTR_FEP_PRIMITIVES], 3);
    assert_int_equal(counts.of[PCTR_FEP_PRIMITIVES_NO_PIXELS], 2);
    assert_int_equal(counts.of[PCTR_FEP_QUADS], 1);
    assert_int_equal(counts.of[PCTR_FEP_CLIPPED_QUADS], 1);
}

/* A mesh of 6 x 4 cells of two triangles each. Its inner vertices are moved by less than a quarter
 * of a cell, so that no triangle folds over. Every pixel of the rectangle is covered once, and no
 * pixel outside. */
TEST(meshes_cover_once)
{
    enum {
        COLUMNS = 6,
        ROWS = 4,
        CELL = 20 * PIXEL,
        MOVE = CELL / 4 - 1,
        LEFT = 3 * PIXEL + 8,
        BOTTOM = 5 * PIXEL + 3
    };
    uint32_t seed = 3;
    for (int i = 0; i < 100; i++) {
        struct seen *seen = start(fixture);
        struct vertex sheet[ROWS + 1][COLUMNS + 1];
        for (int r = 0; r <= ROWS; r++)
            for (int c = 0; c <= COLUMNS; c++) {
                int32_t move_x = c > 0 && c < COLUMNS ? random_in(&seed, -MOVE, MOVE) : 0;
                int32_t move_y = r > 0 && r < ROWS ? random_in(&seed, -MOVE, MOVE) : 0;
                sheet[r][c] = at(LEFT + c * CELL + move_x, BOTTOM + r * CELL + move_y);
            }
        for (int r = 0; r < ROWS; r++)
            for (int c = 0; c < COLUMNS; c++) {
                struct vertex first[3] = {sheet[r][c], sheet[r][c + 1], sheet[r + 1][c]};
                struct vertex second[3] = {sheet[r + 1][c], sheet[r][c + 1], sheet[r + 1][c + 1]};
                draw(seen, first);
                draw(seen, second);
            }
        /* The area is 3.5 .. 123.5 by 5.1875 .. 85.1875. The centre at 3.5 is inside, and the
         * centre at 123.5 is outside. */
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++)
                assert_int_equal(seen->hits[y][x], x >= 3 && x < 123 && y >= 5 && y < 85);
    }
}

/* Triangles fan out around a centre vertex, which lies on a pixel centre in every other case.
 * Each pixel is covered once. */
TEST(fans_cover_once)
{
    static const int32_t rim[8][2] = {
        {0,    0   },
        {900,  0   },
        {2048, 0   },
        {2048, 777 },
        {2048, 1536},
        {1024, 1536},
        {0,    1536},
        {0,    8   }
    };
    uint32_t seed = 4;
    for (int i = 0; i < 200; i++) {
        struct seen *seen = start(fixture);
        struct vertex centre = at(random_in(&seed, 10, 2000) & (i % 2 ? ~15 : ~0),
                                  random_in(&seed, 10, 1500) & (i % 2 ? ~15 : ~0));
        if (i % 2)
            centre.x += 8, centre.y += 8;
        for (int k = 0; k < 8; k++) {
            struct vertex v[3] = {centre, at(rim[k][0], rim[k][1]),
                                  at(rim[(k + 1) % 8][0], rim[(k + 1) % 8][1])};
            draw(seen, v);
        }
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++)
                assert_int_equal(seen->hits[y][x], 1);
    }
}

/* Windows that tile the screen, some of them at odd pixels, must give the same pixels, Z and W
 * as a single large window. */
TEST(windows_tile)
{
    static const int size[][2] = {
        {64, 64},
        {32, 16},
        {7,  5 },
        {33, 95}
    };
    static struct seen large_window;
    struct seen *one = &large_window;
    uint32_t seed = 5;
    for (int i = 0; i < 60; i++) {
        struct seen *many = start(fixture);
        memset(one, 0, sizeof *one);
        struct vertex v[3];
        for (int k = 0; k < 3; k++) {
            v[k] = at(random_in(&seed, -500, 2500), random_in(&seed, -500, 2000));
            v[k].z = (float)random_in(&seed, 0, 1000) / 1000;
            v[k].inv_w = (float)random_in(&seed, 1, 1000) / 300;
        }
        draw(one, v);
        for (int y = 0; y < HEIGHT; y += size[i % 4][1])
            for (int x = 0; x < WIDTH; x += size[i % 4][0]) {
                struct fep_window window = {x, y, x + size[i % 4][0], y + size[i % 4][1], false};
                draw_in(many, &draws_all, PRIMITIVE_TRIANGLE, v, &window);
                flush(many);
            }
        assert_memory_equal(one->z, many->z, sizeof one->z);
        assert_memory_equal(one->w, many->w, sizeof one->w);
        assert_memory_equal(one->hits, many->hits, sizeof one->hits);
    }
}

static void count_row(void *user, const struct fep_batch *batch)
{
    int *row = user;
    for (unsigned lane = 0; lane < LANES; lane++)
        if (batch->covered >> lane & 1)
            row[batch->y[lane >> 2] + (lane >> 1 & 1)]++;
}

/* JayStation's first triangle, (320,32) (32,448) (608,448). Pixel centres of row y are t/2 below
 * the top corner, with t = 2*(y-32) + 1. In this row the triangle extends 288/416 * t/2 = 9t/26
 * to both sides. The k-th pixel to the right is covered if k + 1/2 < 9t/26, and the k-th to the
 * left if k + 1/2 <= 9t/26. A centre on the left edge is inside. This happens at t = 13. */
TEST(first_triangle_row_by_row)
{
    static struct fep fep;
    struct vertex v[3] = {at(320 * PIXEL, 32 * PIXEL), at(32 * PIXEL, 448 * PIXEL),
                          at(608 * PIXEL, 448 * PIXEL)};
    const struct vertex *const vertex[3] = {&v[0], &v[1], &v[2]};
    struct shader_record record = {0};
    struct pse_primitive primitive;
    int row[480] = {0};
    struct fep_window screen = {0, 0, 640, 480, false};
    assert_true(pse_setup(&primitive, &draws_all, &record, PRIMITIVE_TRIANGLE, vertex));
    const struct fep_ports ports = {.shade = count_row, .user = row};
    fep_draw(&fep, &ports, &primitive, &draws_all, &screen);
    fep_flush(&fep, &ports);
    for (int y = 0; y < 480; y++) {
        int twice = 9 * (2 * (y - 32) + 1) - 13; /* largest k: k < twice/26 right, k <= twice/26
                                                    left */
        int right = twice > 0 ? (twice + 25) / 26 : 0, left = twice >= 0 ? twice / 26 + 1 : 0;
        assert_int_equal(row[y], y >= 32 && y < 448 ? left + right : 0);
    }
    assert_int_equal(row[38], 9); /* 9*13/26 = 4.5 is a tie: 5 pixels left, 4 right */
}

/* A point of size 2 at (2,2) covers pixels 1 and 2 in x and y, which are in four quads. */
TEST(quads_and_lanes)
{
    struct seen *seen = start(fixture);
    struct vertex v[3] = {at(2 * PIXEL, 2 * PIXEL)};
    v[0].point_size = 2;
    draw_in(seen, &draws_all, PRIMITIVE_POINT, v, &whole);
    assert_int_equal(seen->batches, 1); /* the batch is full, so no flush is needed */
    const struct fep_batch *batch = &seen->batch[0];
    static const uint16_t x[4] = {0, 2, 0, 2}, y[4] = {0, 0, 2, 2};
    assert_memory_equal(batch->x, x, sizeof x);
    assert_memory_equal(batch->y, y, sizeof y);
    assert_int_equal(batch->covered, 0x8 | 0x4 << 4 | 0x2 << 8 | 0x1 << 12);
    flush(seen);
    assert_int_equal(seen->batches, 1);
}

/* Quads arrive row by row, left to right. Unused parts of a batch are zero. */
TEST(raster_order)
{
    struct seen *seen = start(fixture);
    struct vertex v[3] = {at(4 * PIXEL, 4 * PIXEL)};
    v[0].point_size = 6; /* covers 1 .. 7: quads 0, 2, 4, 6 in x and y */
    draw_in(seen, &draws_all, PRIMITIVE_POINT, v, &(struct fep_window){0, 0, 128, 5, false});
    assert_int_equal(seen->quads, 12);
    for (unsigned i = 0; i < 12; i++) {
        assert_int_equal(seen->batch[i / 4].x[i % 4], i % 4 * 2);
        assert_int_equal(seen->batch[i / 4].y[i % 4], i / 4 * 2);
    }
    v[0] = at(PIXEL, PIXEL);
    v[0].point_size = 2;
    draw_in(seen, &draws_all, PRIMITIVE_POINT, v, &whole);
    assert_int_equal(seen->batches, 3);
    flush(seen);
    assert_int_equal(seen->batches, 4);
    const struct fep_batch *last = &seen->batch[3];
    assert_int_equal(last->quads, 1);
    assert_int_equal(last->covered, 0xf);
    for (unsigned lane = 0; lane < LANES; lane++)
        assert_int_equal(last->w[lane], lane < 4 ? 0x3f800000 : 0);
}

/* Several triangles share a batch, each with its own slot. A batch contains a screen position
 * only once. */
TEST(batches_mix_primitives)
{
    struct seen *seen = start(fixture);
    for (int i = 0; i < 6; i++) {
        int32_t x = i < 5 ? i * 4 * PIXEL : 4 * 4 * PIXEL; /* the last two triangles have the
                                                              same position */
        struct vertex v[3] = {at(x, 0), at(x + 32, 0), at(x, 32)};
        v[2].varying[0] = (float)(10 + i);
        draw_in(seen, &draws_all, PRIMITIVE_TRIANGLE, v, &whole);
    }
    assert_int_equal(seen->batches, 2); /* four quads, then one with the position of the fourth */
    assert_int_equal(seen->batch[0].quads, 4);
    assert_int_equal(seen->batch[1].quads, 1);
    flush(seen);
    assert_int_equal(seen->batches, 3);
    for (unsigned i = 0; i < 4; i++)
        assert_true(seen->first_varying[0][i] == (float)(10 + i));
    assert_true(seen->first_varying[1][0] == 14);
    assert_true(seen->first_varying[2][0] == 15);
    assert_int_equal(seen->fep.quads, 6);
}

/* A batch is full in the middle of a primitive. The primitive's remaining quads keep their
 * varyings, also when more primitives follow. A right triangle with legs of 2n pixels has n rows
 * of quads, with n, n - 1 .. 1 quads. */
TEST(primitive_over_several_batches)
{
    static const int32_t legs[3] = {4, 20, 2};
    struct seen *seen = start(fixture);
    for (int i = 0; i < 3; i++) {
        int32_t x = i * 40 * PIXEL, leg = legs[i] * PIXEL;
        struct vertex v[3] = {at(x, 0), at(x + leg, 0), at(x, leg)};
        v[2].varying[0] = (float)(20 + i);
        draw_in(seen, &draws_all, PRIMITIVE_TRIANGLE, v, &whole);
    }
    flush(seen);
    assert_int_equal(seen->quads, 3 + 55 + 1);
    for (unsigned i = 0; i < 59; i++)
        assert_true(seen->first_varying[i / 4][i % 4] == (i < 3 ? 20 : i < 58 ? 21 : 22));
}

/* With the same shader record, points have more varyings than triangles, so they do not share a
 * batch. */
TEST(types_do_not_mix)
{
    struct seen *seen = start(fixture);
    struct vertex v[3] = {at(20 * PIXEL, 20 * PIXEL), at(20 * PIXEL + 32, 20 * PIXEL),
                          at(20 * PIXEL, 20 * PIXEL + 32)};
    draw_in(seen, &draws_all, PRIMITIVE_TRIANGLE, v, &whole);
    v[0] = at(8, 8);
    draw_in(seen, &draws_all, PRIMITIVE_POINT, v, &whole);
    assert_int_equal(seen->batches, 1);
    flush(seen);
    assert_int_equal(seen->batches, 2);
}

TEST(reverse_lanes)
{
    struct seen *seen = start(fixture);
    struct vertex front[3] = {at(0, 0), at(32, 0), at(0, 32)};
    struct vertex back[3] = {at(64, 0), at(64, 32), at(96, 0)};
    draw_in(seen, &draws_all, PRIMITIVE_TRIANGLE, front, &whole);
    draw_in(seen, &draws_all, PRIMITIVE_TRIANGLE, back, &whole);
    flush(seen);
    assert_int_equal(seen->batch[0].reverse, 0x00f0);
}

/* A quad straddles the window's edge. Its lanes outside of the window are not covered, but have
 * values. */
TEST(window_cuts_quads)
{
    struct seen *seen = start(fixture);
    struct vertex v[3] = {at(-1000, -1000), at(4000, -1000), at(-1000, 4000)};
    struct fep_window window = {5, 7, 8, 10, false};
    v[0].z = v[1].z = v[2].z = 1;
    draw_in(seen, &draws_all, PRIMITIVE_TRIANGLE, v, &window);
    flush(seen);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            assert_int_equal(seen->hits[y][x], x >= 5 && x < 8 && y >= 7 && y < 10);
    assert_int_equal(seen->quads, 4); /* quads in columns 4 and 6, and rows 6 and 8 */
    for (unsigned lane = 0; lane < LANES; lane++)
        assert_int_equal(seen->batch[0].z[lane], 0xffffff);

    struct fep_window empty = {8, 8, 8, 20, false}, inverted = {20, 20, 10, 10, false},
                      beyond = {-50, -50, 0, 0, false};
    draw_in(seen, &draws_all, PRIMITIVE_TRIANGLE, v, &empty);
    draw_in(seen, &draws_all, PRIMITIVE_TRIANGLE, v, &inverted);
    draw_in(seen, &draws_all, PRIMITIVE_TRIANGLE, v, &beyond);
    assert_int_equal(seen->fep.quads, 4);
}

static void draw_flat(struct seen *seen, const struct cl_state *state, float z, float inv_w)
{
    struct vertex v[3] = {at(0, 0), at(64, 0), at(0, 64)};
    for (int i = 0; i < 3; i++) {
        v[i].z = z;
        v[i].inv_w = inv_w;
    }
    draw_in(seen, state, PRIMITIVE_TRIANGLE, v, &whole);
    flush(seen);
}

/* Z is round(z * 0xffffff), computed by hand. Comments have the value before rounding. */
TEST(z_rounding)
{
    static const struct {
        float z;
        uint32_t integer;
    } cases[] = {
        {0,               0       },
        {1,               0xffffff},
        {0.5f,            0x800000}, /* 8388607.5 */
        {0.25f,           0x400000}, /* 4194303.75 */
        {0.75f,           0xbfffff}, /* 12582911.25 */
        {0x1p-24f,        1       }, /* 0.99999994 */
        {0x1p-25f,        0       }, /* 0.49999997 */
        {0x1.000002p-25f, 1       }, /* 0.49999997 * 1.00000012 = 0.50000003 */
        {0x1.fffffep-1f,  0xfffffe}, /* 16777214.00000006 */
        {-0.0f,           0       },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct seen *seen = start(fixture);
        draw_flat(seen, &draws_all, cases[i].z, 1);
        assert_int_equal(seen->hits[0][0], 1);
        assert_int_equal(seen->z[0][0], cases[i].integer);
    }
}

/* z = x / 64 over a triangle, so pixel x has the Z value round((x + 0.5) / 64 * 0xffffff). */
TEST(z_slope)
{
    struct seen *seen = start(fixture);
    struct vertex v[3] = {at(0, 0), at(64 * PIXEL, 0), at(0, 64 * PIXEL)};
    v[1].z = 1;
    draw(seen, v);
    for (int x = 0; x < 63; x++)
        assert_int_equal(seen->z[0][x], (uint32_t)((2 * x + 1) * 16777215LL + 64) / 128);
}

/* Fragments are kept within the Z limits of record 104. */
TEST(z_limits)
{
    static const struct {
        float z, low, high;
        bool drawn;
    } cases[] = {
        {0.5f,      0,         1,        true },
        {0.5f,      0.5f,      0.5f,     true },
        {0.5f,      0.6f,      1,        false},
        {0.5f,      0,         0.4f,     false},
        {1.5f,      0,         1,        false},
        {-0.5f,     0,         1,        false},
        {1,         0,         1,        true },
        {0,         0,         1,        true },
        {1.5f,      0,         2,        true },
        {0.5f,      1,         0,        false},
        {NAN,       0,         1,        false},
        {0.5f,      NAN,       1,        false},
        {0.5f,      0,         NAN,      false},
        {INFINITY,  0,         1,        false},
        {-INFINITY, 0,         1,        false},
        {0.5f,      -INFINITY, INFINITY, true },
        {3e38f,     -3e38f,    INFINITY, true },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct seen *seen = start(fixture);
        struct cl_state limited = draws_all;
        limited.z_min = cases[i].low;
        limited.z_max = cases[i].high;
        draw_flat(seen, &limited, cases[i].z, 1);
        assert_int_equal(seen->hits[0][0], cases[i].drawn);
        assert_int_equal(seen->fep.quads != 0, cases[i].drawn);
        if (cases[i].z > 1 && cases[i].drawn)
            assert_int_equal(seen->z[0][0], 0xffffff);
    }
}

/* With z = x / 64, the limits 0.25 and 0.5 keep pixels 16 to 31. */
TEST(z_limits_cut_fragments)
{
    struct seen *seen = start(fixture);
    struct cl_state limited = draws_all;
    limited.z_min = 0.25f;
    limited.z_max = 0.5f;
    struct vertex v[3] = {at(0, 0), at(64 * PIXEL, 0), at(0, 64 * PIXEL)};
    v[1].z = 1;
    draw_in(seen, &limited, PRIMITIVE_TRIANGLE, v, &whole);
    flush(seen);
    for (int x = 0; x < 63; x++)
        assert_int_equal(seen->hits[0][x], x >= 16 && x < 32);
}

/* The depth offset is added to Z after the test of the Z limits, and the sum is clamped to 24
 * bits. An offset of 3 units of 2^-24 adds 3 to Z. */
TEST(depth_offset_moves_z)
{
    static const struct {
        float z;
        uint32_t word, integer;
    } cases[] = {
        {0.25f, 0x40400000, 0x400003},
        {0.25f, 0xc0400000, 0x3ffffd},
        {1,     0x40400000, 0xffffff},
        {0,     0xc0400000, 0       },
        {0.25f, 0x7fc00000, 0       }, /* the offset's units are NaN */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct seen *seen = start(fixture);
        struct cl_state offset = draws_all;
        offset.configuration |= 1 << CL_CONFIGURATION_BITS_DEPTH_OFFSET_BIT;
        offset.depth_offset = cases[i].word;
        draw_flat(seen, &offset, cases[i].z, 1);
        assert_int_equal(seen->hits[0][0], 1);
        assert_int_equal(seen->z[0][0], cases[i].integer);
    }
}

TEST(w_values)
{
    static const struct {
        float inv_w;
        uint32_t w;
    } cases[] = {
        {1,         0x3f800000},
        {0.25f,     0x40800000},
        {-2,        0xbf000000},
        {3,         0x3eaaaaab},
        {0,         0x7f800000},
        {-0.0f,     0x7f800000},
        {NAN,       0x7fc00000},
        {INFINITY,  0x7fc00000}, /* the slopes are Inf - Inf */
        {0x1p-149f, 0x7f800000},
        {0x1p127f,  0x00400000},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct seen *seen = start(fixture);
        draw_flat(seen, &draws_all, 0, cases[i].inv_w);
        assert_int_equal(seen->w[0][0], cases[i].w);
    }
}

/* 1/Wc = 1, 3, 5 at (0,0), (64,0), (0,64), so W = 1 / (1 + 2x/64 + 4y/64) at a pixel's centre. */
TEST(w_slope)
{
    struct seen *seen = start(fixture);
    struct vertex v[3] = {at(0, 0), at(64 * PIXEL, 0), at(0, 64 * PIXEL)};
    v[1].inv_w = 3;
    v[2].inv_w = 5;
    draw(seen, v);
    for (int y = 0; y < 63; y++)
        for (int x = 0; x < 63 - y; x++) {
            double w = bits_float(seen->w[y][x]);
            double expected = 1 / (1 + (x + 0.5) / 32 + (y + 0.5) / 16);
            assert_true(fabs(w / expected - 1) < 1e-7);
        }
}

/* Triangles with all combinations of the largest coordinates must not fail under the sanitizers.
 * A triangle that contains them all covers the window. */
TEST(extreme_coordinates)
{
    static const int16_t end[2] = {INT16_MIN, INT16_MAX};
    struct fep_window large = {INT32_MIN, INT32_MIN, INT32_MAX, 6, false};
    for (unsigned i = 0; i < 256; i++) {
        struct seen *seen = start(fixture);
        struct cl_state far = draws_all;
        far.line_width = 32;
        far.viewport_x = end[i & 1];
        far.viewport_y = end[i >> 1 & 1];
        struct vertex v[3] = {at(end[i >> 2 & 1], end[i >> 3 & 1]),
                              at(end[i >> 4 & 1], end[i >> 5 & 1]),
                              at(end[i >> 6 & 1], end[i >> 7 & 1])};
        v[0].point_size = 512;
        for (enum primitive_type type = PRIMITIVE_POINT; type <= PRIMITIVE_TRIANGLE; type++)
            draw_in(seen, &far, type, v, &large);
        flush(seen);
    }

    struct seen *seen = start(fixture);
    struct vertex all[3] = {at(INT16_MIN, INT16_MIN), at(INT16_MAX, INT16_MIN),
                            at(INT16_MIN, INT16_MAX)};
    draw(seen, all); /* x + y < 0 touches the window only at a corner, which the fill rule
                        excludes */
    assert_int_equal(seen->covered, 0);
    all[0] = at(INT16_MAX, INT16_MAX);
    draw(seen, all);
    assert_int_equal(seen->covered, WIDTH * HEIGHT);
}

static int make_seen(void **state)
{
    static struct seen seen;
    *state = &seen;
    return 0;
}

TEST_GROUP(make_seen, NULL)
