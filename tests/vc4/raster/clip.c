/* SPDX-License-Identifier: MIT */
/* Tests of the clipper. Coordinates are chosen so that new vertices can be computed exactly by
 * hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../../register.h"
#include "base/bits.h"
#include "vc4/raster/clip.h"

/* A viewport of 64 by 32 pixels, whose depth is 0.5 z + 0.5. */
static const struct cl_state state = {
    .clipper_x = 32 * 16, .clipper_y = 16 * 16, .clipper_z_scale = 0.5f, .clipper_z_offset = 0.5f};

static struct vertex at(float x, float y, float z, float w)
{
    struct vertex vertex = {.z = z / w * 0.5f + 0.5f, .inv_w = 1 / w, .clip = {x, y, z, w}};
    if (w > 0 && fabsf(x / w) < 60 && fabsf(y / w) < 60) {
        vertex.x = (int32_t)(x / w * state.clipper_x);
        vertex.y = (int32_t)(y / w * state.clipper_y);
    }
    return vertex;
}

static unsigned clip3(struct clip_part *part, const struct vertex v[3])
{
    const struct vertex *const vertex[3] = {&v[0], &v[1], &v[2]};
    return clip_primitive(part, &state, 3, vertex);
}

/* True if two floats differ by at most the error of one or two roundings. */
static bool is_near(float a, float b)
{
    return fabsf(a - b) <= 0x1p-22f * fmaxf(fabsf(b), 1);
}

static void check_vertex(const struct clip_vertex *vertex, int32_t x, int32_t y, float z,
                         float inv_w, float weight0, float weight1, float weight2)
{
    assert_int_equal(vertex->x, x);
    assert_int_equal(vertex->y, y);
    assert_true(is_near(vertex->z, z) && is_near(vertex->inv_w, inv_w));
    assert_true(is_near(vertex->weight[0], weight0) && is_near(vertex->weight[1], weight1));
    assert_true(is_near(vertex->weight[2], weight2));
}

TEST(test_inside_is_unchanged)
{
    struct clip_part part[CLIP_MAX_PARTS];
    /* The triangle extends far outside the viewport in x, but within the range of 12.4
     * coordinates, so it is not clipped. */
    const struct vertex v[3] = {at(0, 0, 0, 1), at(50, 0, 1, 1), at(0, 50, -1, 1)};
    assert_int_equal(clip3(part, v), 1);
    assert_int_equal(part[0].clipped, 0);
    check_vertex(&part[0].vertex[1], 50 * 512, 0, 1, 1, 0, 1, 0);
}

/* v0 is outside the near plane z = -w. v1 and v2 are inside at the same distance, so both cuts
 * are half-way. */
TEST(test_near_plane_one_vertex_out)
{
    struct clip_part part[CLIP_MAX_PARTS];
    const struct vertex v[3] = {at(0, 0, -3, 1), at(2, 0, 1, 1), at(0, 2, 1, 1)};
    /* z + w is -2, 2, 2 at v0, v1, v2. The clipped polygon is cut(01) = (1, 0, -1, 1), v1, v2,
     * cut(20) = (0, 1, -1, 1). */
    assert_int_equal(clip3(part, v), 2);

    /* The first part is cut(01), v1, v2: the cut replaces vertex 0. */
    assert_int_equal(part[0].clipped, 1);
    check_vertex(&part[0].vertex[0], 512, 0, 0, 1, 0.5f, 0.5f, 0);
    check_vertex(&part[0].vertex[1], 1024, 0, 1, 1, 0, 1, 0);
    check_vertex(&part[0].vertex[2], 0, 512, 1, 1, 0, 0, 1);

    /* The second part is cut(01), v2, cut(20), rotated so that v2 remains vertex 2. */
    assert_int_equal(part[1].clipped, 3);
    check_vertex(&part[1].vertex[0], 0, 256, 0, 1, 0.5f, 0, 0.5f);
    check_vertex(&part[1].vertex[1], 512, 0, 0, 1, 0.5f, 0.5f, 0);
    check_vertex(&part[1].vertex[2], 0, 512, 1, 1, 0, 0, 1);
}

TEST(test_near_plane_two_vertices_out)
{
    struct clip_part part[CLIP_MAX_PARTS];
    const struct vertex v[3] = {at(0, 0, -2, 1), at(4, 0, -2, 1), at(0, 4, 0, 1)};
    /* z + w is -1, -1, 1 at v0, v1, v2. cut(02) and cut(12) are half-way: (0, 2, -1, 1) and (2,
     * 2, -1, 1). */
    assert_int_equal(clip3(part, v), 1);
    assert_int_equal(part[0].clipped, 3);
    check_vertex(&part[0].vertex[0], 0, 512, 0, 1, 0.5f, 0, 0.5f);
    check_vertex(&part[0].vertex[1], 1024, 512, 0, 1, 0, 0.5f, 0.5f);
}

/* Vertex 1 has a negative Wc. z + w is 4 at v0 and -4 at v1. */
TEST(test_vertex_behind_the_eye)
{
    struct clip_part part[CLIP_MAX_PARTS];
    const struct vertex v[3] = {at(0, 0, 1, 3), at(4, 0, -5, 1), at(0, 2, 1, 3)};
    struct vertex behind[3] = {v[0], at(4, 0, -3, -1), v[2]};
    assert_int_equal(clip3(part, behind), 2);
    /* The first part contains v0 and cut(01) = (2, 0, -1, 1). */
    assert_int_equal(part[0].clipped & 1, 0);
    check_vertex(&part[0].vertex[1], 1024, 0, 0, 1, 0.5f, 0.5f, 0);

    /* Here vertex 1 has Wc = 1. cut(01) = (2, 0, -2, 2), so Xs = 2/2 * 512, 1/Wc = 1/2 and Zs =
     * 0. */
    assert_int_equal(clip3(part, v), 2);
    check_vertex(&part[0].vertex[1], 512, 0, 0, 0.5f, 0.5f, 0.5f, 0);
}

TEST(test_outside_is_dropped)
{
    struct clip_part part[CLIP_MAX_PARTS];
    const struct vertex outside[][3] = {
        {at(0, 0, 2, 1), at(1, 0, 3, 1), at(0, 1, 4, 1)},    /* beyond the far plane */
        {at(0, 0, -2, 1), at(1, 0, -3, 1), at(0, 1, -4, 1)}, /* before the near plane */
        {at(0, 0, 0, -1), at(1, 0, 0, -1), at(0, 1, 0, -1)}, /* behind the eye */
        {at(0, 0, 0, 0), at(0, 0, 0, 0), at(0, 0, 0, 0)},    /* Wc is 0 */
        {at(99, 0, 0, 1), at(99, 1, 0, 1), at(98, 0, 0, 1)}, /* x out of range */
        {at(0, 999, 0, 1), at(1, 999, 0, 1), at(0, 998, 0, 1)},
    };
    for (size_t i = 0; i < sizeof outside / sizeof outside[0]; i++)
        assert_int_equal(clip3(part, outside[i]), 0);
}

TEST(test_values_that_are_not_finite)
{
    struct clip_part part[CLIP_MAX_PARTS];
    for (unsigned k = 0; k < 8; k++) {
        struct vertex v[3] = {at(0, 0, 0, 1), at(1, 0, 0, 1), at(0, 1, 0, 1)};
        v[1].clip[k % 4] = k < 4 ? NAN : -INFINITY;
        assert_int_equal(clip3(part, v), 0);
    }
    struct cl_state broken = state;
    broken.clipper_x = NAN;
    const struct vertex v[3] = {at(0, 0, -3, 1), at(2, 0, 1, 1), at(0, 2, 1, 1)};
    const struct vertex *const vertex[3] = {&v[0], &v[1], &v[2]};
    assert_int_equal(clip_primitive(part, &broken, 3, vertex), 0);
}

/* 12.4 coordinates end at 2048 pixels. With a scale of 512, x/w = 128 does not fit. */
TEST(test_range_of_screen_coordinates)
{
    struct clip_part part[CLIP_MAX_PARTS];
    const struct vertex v[3] = {at(0, 0, 0, 1), at(128, 0, 0, 1), at(0, 1, 0, 1)};
    unsigned count = clip3(part, v);
    assert_int_equal(count, 2);
    int32_t most = 0;
    for (unsigned i = 0; i < count; i++)
        for (unsigned k = 0; k < 3; k++)
            most = part[i].vertex[k].x > most ? part[i].vertex[k].x : most;
    assert_int_equal(most, 32767);
}

/* Two triangles share the edge a-b, in opposite directions. Both must have the same position of
 * the new vertices on this edge. Varyings at these vertices come from the planes of two
 * triangles, which agree on the edge. The position is rounded by up to 1/16 pixel. */
TEST(test_shared_edges_stay_shared)
{
    struct vertex a = at(0.3f, 0.7f, -1.9f, 1.1f), b = at(1.7f, 0.2f, 0.6f, 1.3f);
    const struct vertex one[3] = {a, b, at(0.1f, 0.9f, 0.2f, 1)};
    const struct vertex two[3] = {b, a, at(-0.4f, 0.3f, 0.1f, 1)};
    struct clip_part first[CLIP_MAX_PARTS], second[CLIP_MAX_PARTS];
    assert_int_equal(clip3(first, one), 2);
    assert_int_equal(clip3(second, two), 2);
    const struct clip_vertex *p = NULL, *q = NULL;
    for (unsigned k = 0; k < 3; k++) {
        if (first[0].vertex[k].weight[0] > 0 && first[0].vertex[k].weight[1] > 0)
            p = &first[0].vertex[k];
        for (unsigned i = 0; i < 2; i++)
            if (second[i].vertex[k].weight[0] > 0 && second[i].vertex[k].weight[1] > 0)
                q = &second[i].vertex[k];
    }
    assert_non_null(p);
    assert_non_null(q);
    assert_int_equal(p->x, q->x);
    assert_int_equal(p->y, q->y);
    assert_true(fabsf(p->z - q->z) < 0.01f && fabsf(p->inv_w - q->inv_w) < 0.01f);
}

/* Compares Z and 1/W of a new vertex with the plane of the whole triangle, at the vertex's 12.4
 * coordinates. */
static void check_plane(const struct vertex v[3], const struct clip_vertex *out)
{
    double part[3], area = 0, z = 0, inv_w = 0;
    for (unsigned i = 0; i < 3; i++) {
        const struct vertex *a = &v[(i + 1) % 3], *b = &v[(i + 2) % 3];
        part[i] = (double)(a->x - out->x) * (b->y - out->y) -
                  (double)(b->x - out->x) * (a->y - out->y);
        area += part[i];
    }
    if (fabs(area) < 1e5)
        return; /* skips a triangle that is too thin for the grid */
    for (unsigned i = 0; i < 3; i++) {
        z += part[i] / area * v[i].z;
        inv_w += part[i] / area * v[i].inv_w;
    }
    assert_true(fabs(out->z - z) < 1e-5 && fabs(out->inv_w - inv_w) < 1e-5);
    for (unsigned i = 0; i < 3; i++)
        assert_true(fabs(out->weight[i] - part[i] / area * v[i].inv_w / inv_w) < 1e-5);
}

/* All three vertices have screen coordinates, so the unclipped triangle's planes of Z and 1/W
 * are defined. New vertices must lie in these planes. */
TEST(test_parts_lie_in_the_planes_of_the_whole)
{
    uint32_t seed = 5;
    unsigned clipped = 0;
    for (unsigned i = 0; i < 2000; i++) {
        struct vertex v[3];
        for (unsigned k = 0; k < 3; k++) {
            float value[4];
            for (unsigned n = 0; n < 4; n++) {
                seed = seed * 1664525 + 1013904223;
                value[n] = (float)(seed >> 8) * 0x1p-23f - 1;
            }
            float w = value[3] + 1.25f;
            v[k] = at(2 * value[0] * w, 2 * value[1] * w, 2 * value[2] * w, w);
        }
        struct clip_part part[CLIP_MAX_PARTS];
        unsigned count = clip3(part, v);
        for (unsigned n = 0; n < 3 * count; n++)
            if (part[n / 3].clipped >> n % 3 & 1) {
                check_plane(v, &part[n / 3].vertex[n % 3]);
                clipped++;
            }
    }
    assert_true(clipped > 2000);
}

TEST(test_lines_and_points)
{
    struct clip_part part[CLIP_MAX_PARTS];
    const struct vertex v[2] = {at(0, 0, -3, 1), at(2, 0, 1, 1)};
    const struct vertex *const line[3] = {&v[0], &v[1]};
    assert_int_equal(clip_primitive(part, &state, 2, line), 1);
    assert_int_equal(part[0].clipped, 1);
    check_vertex(&part[0].vertex[0], 512, 0, 0, 1, 0.5f, 0.5f, 0);
    check_vertex(&part[0].vertex[1], 1024, 0, 1, 1, 0, 1, 0);

    const struct vertex *const out[3] = {&v[0]}, *const in[3] = {&v[1]};
    assert_int_equal(clip_primitive(part, &state, 1, out), 0);
    assert_int_equal(clip_primitive(part, &state, 1, in), 1);
    assert_int_equal(part[0].clipped, 0);
}

/* Manual table 44: the record has 32 bytes for each vertex whose flag is set, in order. */
TEST(test_record_bytes)
{
    const struct clip_part part = {.clipped = 5,
                                   .vertex = {{-16, 0x123, 0.5f, 2, {1, 0, 0}},
                                              {1, 2, 3, 4, {5, 6, 7}},
                                              {32767, -32768, 1, 0.25f, {0.25f, 0.5f, 0.25f}}}};
    static const uint8_t bytes[64] = {
        0xf0, 0xff, 0x23, 0x01, 0, 0, 0,    0x3f, 0, 0, 0,    0x40, 0, 0, 0x80, 0x3f,
        0,    0,    0,    0,    0, 0, 0,    0,    0, 0, 0,    0,    0, 0, 0,    0,
        0xff, 0x7f, 0x00, 0x80, 0, 0, 0x80, 0x3f, 0, 0, 0x80, 0x3e, 0, 0, 0x80, 0x3e,
        0,    0,    0,    0x3f, 0, 0, 0x80, 0x3e, 0, 0, 0,    0,    0, 0, 0,    0};
    uint8_t out[3 * CLIP_VERTEX_BYTES];
    assert_int_equal(clip_record_write(&part, out), sizeof bytes);
    assert_memory_equal(out, bytes, sizeof bytes);

    struct clip_vertex read = clip_record_read(bytes + 32);
    check_vertex(&read, 32767, -32768, 1, 0.25f, 0.25f, 0.5f, 0.25f);
}

TEST(test_replacing_a_vertex)
{
    struct cl_state flat = state;
    flat.flat_shade = 2; /* varying 1 is flat */
    const struct vertex v[3] = {{.varying = {8, 1}}, {.varying = {16, 2}}, {.varying = {32, 3}}};
    const struct vertex *const original[3] = {&v[0], &v[1], &v[2]};
    const struct clip_vertex clipped = {-5, 7, 0.25f, 2, {0.5f, 0.25f, 0.25f}};
    struct vertex out;
    clip_replace(&out, &clipped, &flat, 3, 2, original);
    assert_int_equal(out.x, -5);
    assert_int_equal(out.y, 7);
    assert_true(out.z == 0.25f && out.inv_w == 2);
    assert_true(out.varying[0] == 16); /* sum over the three corners */
    assert_true(out.varying[1] == 3);  /* the provoking vertex's value */
}

/* Random coordinates give at most CLIP_MAX_PARTS parts, with all vertices in the range of screen
 * coordinates. */
TEST(test_random_triangles)
{
    uint32_t seed = 7;
    for (int i = 0; i < 20000; i++) {
        struct vertex v[3];
        for (unsigned k = 0; k < 12; k++) {
            seed = seed * 1664525 + 1013904223;
            float value = (float)((int32_t)(seed >> 8) - (1 << 23)) * 0x1p-22f;
            v[k / 4].clip[k % 4] = seed >> 28 < 2 ? value * 0x1p100f : value;
        }
        for (unsigned k = 0; k < 3; k++) {
            v[k].x = v[k].y = 0;
            v[k].z = v[k].inv_w = 0;
        }
        struct clip_part part[CLIP_MAX_PARTS];
        unsigned count = clip3(part, v);
        assert_in_range(count, 0, CLIP_MAX_PARTS);
        for (unsigned n = 0; n < 3 * count; n++) {
            const struct clip_vertex *vertex = &part[n / 3].vertex[n % 3];
            assert_true(vertex->x >= -32768 && vertex->x <= 32767);
            assert_true(vertex->y >= -32768 && vertex->y <= 32767);
        }
    }
}
