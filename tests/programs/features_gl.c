/* SPDX-License-Identifier: MIT */
/* Tests GL mode, from attribute arrays to frame-buffer bytes. Most pictures are compared with
 * pictures of NV mode, whose vertices are the results of the GL mode's shaders. The pictures
 * must be equal to the bit. */
#include "../register.h"
#include "stage.h"

#include "../vc4/vertex/pass_through.h"

enum { WIDTH = 200, HEIGHT = 136 };

static const struct pass black = RASTER_PASS;

/* One attribute array of a GL record. */
struct array {
    uint32_t address;
    unsigned bytes, stride, vertex_offset, coordinate_offset;
};

/* A GL record, without its fragment shader. */
struct gl {
    uint32_t flags;
    unsigned varyings;
    uint32_t vertex_code, coordinate_code, uniforms;
    unsigned vertex_select, vertex_bytes, coordinate_select, coordinate_bytes;
    struct array array[8];
    unsigned arrays;
    const uint32_t *extended; /* strides without their low byte; NULL if not extended */
};

static void put_program(struct rig *rig, unsigned select, unsigned bytes, uint32_t code,
                        uint32_t uniforms)
{
    rig_u16(rig, 0);
    rig_u8(rig, select);
    rig_u8(rig, bytes);
    rig_u32(rig, code);
    rig_u32(rig, uniforms);
}

/* Writes the record of manual table 45. Returns the data word of record 64, which refers to it. */
static uint32_t gl_record(struct stage *stage, const struct gl *gl, uint32_t code,
                          uint32_t uniforms)
{
    struct rig *rig = stage->rig;
    uint32_t list = rig->at, record = stage_room(stage, 132, 16);
    rig->at = record;
    rig_u16(rig, gl->flags | 1);
    rig_u8(rig, 0);
    rig_u8(rig, gl->varyings);
    rig_u32(rig, code);
    rig_u32(rig, uniforms);
    put_program(rig, gl->vertex_select, gl->vertex_bytes, gl->vertex_code, gl->uniforms);
    put_program(rig, gl->coordinate_select, gl->coordinate_bytes, gl->coordinate_code,
                gl->uniforms);
    for (unsigned n = 0; n < gl->arrays; n++) {
        rig_u32(rig, gl->array[n].address);
        rig_u8(rig, gl->array[n].bytes - 1);
        rig_u8(rig, gl->array[n].stride);
        rig_u8(rig, gl->array[n].vertex_offset);
        rig_u8(rig, gl->array[n].coordinate_offset);
    }
    for (unsigned n = 0; gl->extended && n < 8; n++) {
        rig->at = record + 100 + 4 * n;
        rig_u32(rig, gl->extended[n]);
    }
    rig->at = list;
    return record | (gl->extended ? 8 : gl->arrays & 7);
}

static void gl_shading(struct stage *stage, const struct gl *gl, uint32_t code, uint32_t uniforms)
{
    uint32_t word = gl_record(stage, gl, code, uniforms);
    rig_u8(stage->rig, 64);
    rig_u32(stage->rig, word);
}

#define READ(n)       "mov vr_setup, 0x00" #n "01a00\nnop\nnop\nnop\n"
#define WRITE         "mov vw_setup, 0x1a00\n"
#define END_OF_VERTEX "nop; nop; thrend\nnop\nnop\n"

/* Returns a shader that copies its input words to its output. */
static const char *pass_through(char text[2048], unsigned words)
{
    int at = snprintf(text, 2048, "mov vr_setup, 0x00%x01a00\nnop\nnop\nnop\n", words);
    for (unsigned i = 0; i < words; i++)
        at += snprintf(text + at, 2048 - (size_t)at, "mov ra%u, vpm\n", i);
    at += snprintf(text + at, 2048 - (size_t)at, "mov vw_setup, 0x1a00\n");
    for (unsigned i = 0; i < words; i++)
        at += snprintf(text + at, 2048 - (size_t)at, "mov vpm, ra%u\n", i);
    snprintf(text + at, 2048 - (size_t)at, END_OF_VERTEX);
    return text;
}

/* Writes a record whose vertices are those of NV mode with clip header, as in asurati/x03
 * demo/d51.c. Each shader has one array over the same structures. */
static struct gl pass_through_record(struct stage *stage, uint32_t flags, unsigned varyings,
                                     uint32_t vertices)
{
    char text[2048];
    unsigned size = flags & NV_POINT_SIZE ? 1 : 0, stride = 4 * (7 + size + varyings);
    return (struct gl){
        .flags = flags & ~(uint32_t)NV_HEADER,
        .varyings = varyings,
        .vertex_code = stage_shader(stage, pass_through(text, 3 + size + varyings)),
        .coordinate_code = stage_shader(stage, pass_through(text, 7 + size)),
        .vertex_select = 1,
        .vertex_bytes = stride - 16,
        .coordinate_select = 2,
        .coordinate_bytes = 28 + 4 * size,
        .array = {{.address = vertices + 16, .bytes = stride - 16, .stride = stride},
                  {.address = vertices, .bytes = 28 + 4 * size, .stride = stride}},
        .arrays = 2,
    };
}

static void frames_are_equal(const struct stage *one, const struct stage *other, unsigned least)
{
    unsigned drawn = 0;
    for (unsigned y = 0; y < one->height; y++)
        for (unsigned x = 0; x < one->width; x++) {
            assert_int_equal(stage_pixel(one, x, y), stage_pixel(other, x, y));
            drawn += stage_pixel(one, x, y) != 0;
        }
    assert_true(drawn >= least);
}

/* --- the article's triangle --- */

static struct stage article(bool gl)
{
    struct stage stage = stage_new(640, 480);
    uint32_t code = stage_shader(&stage, "nop\nnop\nmov tlbc, unif\n" SHADER_END);
    uint32_t colour = stage_word(&stage, RIG_WHITE);
    const struct gl record = {
        .flags = NV_CLIP,
        .vertex_code = stage_bytes(&stage, article_vertex_shader, sizeof article_vertex_shader),
        .coordinate_code = stage_bytes(&stage, article_coordinate_shader,
                                       sizeof article_coordinate_shader),
        .vertex_select = 1,
        .vertex_bytes = 12,
        .coordinate_select = 2,
        .coordinate_bytes = 28,
        .array = {{stage_words(&stage, article_vertex_stream[0], 9), 12, 12, 0, 0},
                  {stage_words(&stage, article_coordinate_stream[0], 21), 28, 28, 0, 0}},
        .arrays = 2,
    };
    /* Clipping is enabled but has no effect, because the article sends no record 105. */
    stage_begin(&stage);
    if (gl) {
        gl_shading(&stage, &record, code, colour);
    } else {
        uint32_t list = stage.rig->at, nv = stage_room(&stage, 16, 16);
        stage.rig->at = nv;
        rig_u8(stage.rig, NV_SINGLE);
        rig_u8(stage.rig, 12);
        rig_u16(stage.rig, 0);
        rig_u32(stage.rig, code);
        rig_u32(stage.rig, colour);
        rig_u32(stage.rig, record.array[0].address);
        stage.rig->at = list;
        rig_u8(stage.rig, 65);
        rig_u32(stage.rig, nv);
    }
    stage_array(&stage, TRIANGLES, 3, 0);
    stage_pass(&stage, &black);
    return stage;
}

TEST(the_articles_triangle)
{
    struct stage nv = article(false), gl = article(true);
    frames_are_equal(&nv, &gl, 576 * 416 / 2 - 1000); /* about half of the bounding box is drawn */
    struct tess_vc4_stats stats;
    tess_vc4_get_stats(gl.rig->vc4, &stats);
    assert_int_equal(stats.primitives_binned, 1);
    stage_free(&nv);
    stage_free(&gl);
}

/* --- random vertices, some of them clipped --- */

static double random_unit(uint64_t *seed)
{
    return (double)(next_random64(seed) >> 11) * 0x1p-53;
}

static void random_corner(uint64_t *seed, struct corner *corner)
{
    double w = 0.2 + 3 * random_unit(seed) - (next_random64(seed) % 4 == 0 ? 2 : 0);
    double at[4] = {(random_unit(seed) * 3 - 1.5) * fabs(w),
                    (random_unit(seed) * 3 - 1.5) * fabs(w),
                    (random_unit(seed) * 3 - 1.5) * fabs(w), w};
    *corner = (struct corner){.x = 77, .y = -99, .z = -5, .iw = -3, .size = 3};
    for (unsigned i = 0; i < 4; i++)
        corner->clip[i] = (float)at[i];
    for (unsigned i = 0; i < 3; i++)
        corner->v[i] = (float)random_unit(seed);
    if (w < 0.01)
        return;
    corner->x = trunc(at[0] / w * WIDTH / 2 * 16) / 16;
    corner->y = trunc(at[1] / w * HEIGHT / 2 * 16) / 16;
    corner->z = (float)(at[2] / w * 0.5 + 0.5);
    corner->iw = (float)(1 / w);
}

static struct stage draw_random(bool gl, unsigned mode, uint32_t flags,
                                const struct corner *corners, const uint16_t *indices,
                                uint32_t count, uint32_t vertex_count)
{
    struct stage stage = stage_new(WIDTH, HEIGHT);
    unsigned implicit = mode == POINTS ? 2 : mode < TRIANGLES ? 1 : 0;
    char text[512] = "";
    for (unsigned i = 0; i < implicit; i++)
        strcat(text, "mov r0, vary\n");
    strcat(text, "nop\nfmul r0, vary, ra15\nfadd r0, r0, r5; nop\nnop; mov r1, vary\n"
                 "nop; mov r1, vary\nmov tlbc, r0\n" SHADER_END);
    uint32_t code = stage_shader(&stage, text);
    uint32_t vertices = stage_vertices(&stage, flags, 3, corners, vertex_count);
    struct gl record = pass_through_record(&stage, flags, 3, vertices);
    stage_begin(&stage);
    stage_viewport(&stage, WIDTH / 2, HEIGHT / 2);
    stage_float(&stage, 99, 3);
    stage_float(&stage, 105, WIDTH / 2 * 16);
    rig_f32(stage.rig, HEIGHT / 2 * 16);
    if (gl)
        gl_shading(&stage, &record, code, 0);
    else
        stage_shading(&stage, flags, 3, code, 0, vertices);
    stage_indexed(&stage, mode, indices, count, 2);
    stage_pass(&stage, &black);
    return stage;
}

TEST(random_primitives)
{
    enum { VERTICES = 60, INDICES = 90 };
    uint64_t seed = 11;
    for (unsigned mode = POINTS; mode <= TRIANGLE_FAN; mode++)
        for (unsigned size = 0; size < 2; size++) {
            static struct corner corners[VERTICES];
            uint16_t indices[INDICES];
            uint32_t flags = NV_CLIP | NV_HEADER | (size ? NV_POINT_SIZE : 0);
            for (unsigned i = 0; i < VERTICES; i++)
                random_corner(&seed, &corners[i]);
            for (unsigned i = 0; i < INDICES; i++)
                indices[i] = (uint16_t)(next_random64(&seed) % VERTICES);
            struct stage nv = draw_random(false, mode, flags, corners, indices, INDICES, VERTICES);
            struct stage gl = draw_random(true, mode, flags, corners, indices, INDICES, VERTICES);
            frames_are_equal(&nv, &gl, 5);
            stage_free(&nv);
            stage_free(&gl);
        }
}

/* Draws with plain, extended and NV records, one after the other, or with NV records only. In
 * every second draw, vertices have point sizes. */
static struct stage draw_mixed(bool gl)
{
    enum { DRAWS = 12, VERTICES = 9 };
    static const uint32_t upper_strides[8] = {0};
    struct stage stage = stage_new(WIDTH, HEIGHT);
    uint64_t seed = 5;
    uint32_t code = stage_shader(&stage, "nop\nfmul r0, vary, ra15\nfadd r0, r0, r5; nop\n"
                                         "nop; mov r1, vary\nnop; mov r1, vary\n"
                                         "mov tlbc, r0\n" SHADER_END);
    stage_begin(&stage);
    stage_viewport(&stage, WIDTH / 2, HEIGHT / 2);
    stage_float(&stage, 105, WIDTH / 2 * 16);
    rig_f32(stage.rig, HEIGHT / 2 * 16);
    for (unsigned i = 0; i < DRAWS; i++) {
        static struct corner corners[VERTICES];
        uint32_t flags = NV_CLIP | NV_HEADER | (i & 1 ? NV_POINT_SIZE : 0);
        for (unsigned k = 0; k < VERTICES; k++)
            random_corner(&seed, &corners[k]);
        uint32_t vertices = stage_vertices(&stage, flags, 3, corners, VERTICES);
        struct gl record = pass_through_record(&stage, flags, 3, vertices);
        record.extended = i % 3 == 1 ? upper_strides : NULL;
        if (gl && i % 3 != 2)
            gl_shading(&stage, &record, code, 0);
        else
            stage_shading(&stage, flags, 3, code, 0, vertices);
        stage_array(&stage, i % 4 == 3 ? TRIANGLE_STRIP : TRIANGLES, VERTICES - i % 4, i % 4);
    }
    stage_pass(&stage, &black);
    return stage;
}

TEST(several_records_in_one_list)
{
    struct stage nv = draw_mixed(false), gl = draw_mixed(true);
    frames_are_equal(&nv, &gl, 1000);
    stage_free(&nv);
    stage_free(&gl);
}

/* --- attributes --- */

/* Position and colour come from three arrays of different formats: two signed 16-bit numbers,
 * four bytes, and one byte in a separate word. The vertex shader reads the arrays in another
 * order than the coordinate shader, and one array has a stride above 255. */
TEST(several_arrays)
{
    struct stage stage = stage_new(WIDTH, HEIGHT);
    static const int16_t xy[3][2] = {{10, 10}, {190, 10}, {10, 130}};
    uint32_t places = stage_room(&stage, 3 * 1000, 16), colours = stage_room(&stage, 3 * 7, 16);
    uint32_t bytes = stage_room(&stage, 3, 16);
    for (unsigned i = 0; i < 3; i++) {
        memcpy(stage.rig->memory + places + 1000 * i, xy[i], 4);
        memcpy(stage.rig->memory + colours + 7 * i, (uint8_t[]){64, 128, 192, 255}, 4);
        stage.rig->memory[bytes + i] = 3;
    }
    /* Converts pixels to 12.4. X and Y share a word, and each stays in its half of the word. */
#define SCREEN "shl r0, ra0, 4\n"
    static const uint32_t strides[8] = {0, 768 /* plus the low byte of 232 */, 0};
    const struct gl record = {
        .varyings = 2,
        .vertex_code = stage_shader(
            &stage,
            READ(3) "mov ra1, vpm\nmov ra0, vpm\nmov ra2, vpm\nnop\n" SCREEN WRITE
                    "mov vpm, r0\nmov vpm, 0.5\nmov vpm, 1.0\n"
                    "mov r1, ra1.8bf\nmov vpm, r1\nitof r1, ra2\nmov vpm, r1\n" END_OF_VERTEX),
        .coordinate_code = stage_shader(
            &stage, READ(1) "mov ra0, vpm\nnop\n" SCREEN WRITE
                            "mov vpm, 0\nmov vpm, 0\nmov vpm, 0\nmov vpm, 1.0\nmov vpm, r0\n"
                            "mov vpm, 0.5\nmov vpm, 1.0\n" END_OF_VERTEX),
        .vertex_select = 7,
        .vertex_bytes = 12,
        .coordinate_select = 2,
        .coordinate_bytes = 4,
        .array = {{colours, 4, 7, 0, 0}, {places, 4, 1000 & 255, 4, 0}, {bytes, 1, 1, 8, 0}},
        .arrays = 3,
        .extended = strides,
    };
    uint32_t code = stage_shader(&stage, "nop\nfmul r0, vary, ra15\nfadd r0, r0, r5\n"
                                         "nop\nfmul r1, vary, ra15\nfadd r1, r1, r5\n"
                                         "fadd tlbc, r0, r1\n" SHADER_END);
    stage_begin(&stage);
    gl_shading(&stage, &record, code, 0);
    stage_array(&stage, TRIANGLES, 3, 0);
    stage_pass(&stage, &black);
    /* The colour is byte 128 / 255, truncated, plus 3. */
    assert_true(fabs((double)bits_float(stage_pixel(&stage, 40, 40)) - (128 / 255.0 + 3)) < 1e-4);
    assert_int_equal(stage_pixel(&stage, 150, 120), 0);
    stage_free(&stage);
}

/* --- clipped against the same cut by hand --- */

/* Draws a triangle whose first corner is outside the near plane. The cuts are half-way along its
 * sides, at whole pixels. */
static struct stage clipped_or_cut(bool by_hand)
{
    static const double clip[5][4] = {
        /* clang-format off */
        {0,    0,    -3, 1},
        {0.5,  0,    1,  1},
        {0,    0.5,  1,  1},
        {0.25, 0,    -1, 1},
        {0,    0.25, -1, 1},
        /* clang-format on */
    };
    static const float value[5] = {1, 5, 9, 3, 5};
    struct corner corners[5];
    for (unsigned i = 0; i < 5; i++) {
        corners[i] = (struct corner){.x = clip[i][0] * WIDTH / 2,
                                     .y = clip[i][1] * HEIGHT / 2,
                                     .z = (float)(clip[i][2] / 2 + 0.5),
                                     .iw = 1,
                                     .v = {value[i]}};
        for (unsigned k = 0; k < 4; k++)
            corners[i].clip[k] = (float)clip[i][k];
    }
    struct stage stage = stage_new(WIDTH, HEIGHT);
    uint32_t flags = NV_HEADER | (by_hand ? 0 : NV_CLIP);
    uint32_t code = stage_shader(&stage, SHADER_VARYING);
    uint32_t vertices = stage_vertices(&stage, flags, 1, corners, 5);
    struct gl record = pass_through_record(&stage, flags, 1, vertices);
    static const uint16_t whole[] = {0, 1, 2}, parts[] = {3, 1, 2, 3, 2, 4};
    stage_begin(&stage);
    stage_viewport(&stage, WIDTH / 2, HEIGHT / 2);
    stage_float(&stage, 105, WIDTH / 2 * 16);
    rig_f32(stage.rig, HEIGHT / 2 * 16);
    gl_shading(&stage, &record, code, 0);
    stage_indexed(&stage, TRIANGLES, by_hand ? parts : whole, by_hand ? 6 : 3, 1);
    stage_pass(&stage, &black);
    return stage;
}

TEST(clipping_draws_what_a_cut_by_hand_draws)
{
    struct stage clipped = clipped_or_cut(false), cut = clipped_or_cut(true);
    unsigned drawn = 0;
    for (unsigned y = 0; y < HEIGHT; y++)
        for (unsigned x = 0; x < WIDTH; x++) {
            uint32_t one = stage_pixel(&clipped, x, y), other = stage_pixel(&cut, x, y);
            assert_int_equal(one == 0, other == 0);
            assert_true(fabs((double)bits_float(one) - (double)bits_float(other)) < 1e-5);
            drawn += one != 0;
        }
    assert_in_range(drawn, 50 * 34 / 2 * 3 / 4 - 40, 50 * 34 / 2 * 3 / 4 + 40);
    stage_free(&clipped);
    stage_free(&cut);
}

/* --- all modes --- */

static bool in_rectangle(unsigned x, unsigned y, const unsigned at[4])
{
    return x >= at[0] && x < at[2] && y >= at[1] && y < at[3];
}

static const unsigned nv_first[4] = {10, 10, 60, 60}, vg_middle[4] = {50, 20, 90, 50},
                      nv_last[4] = {80, 10, 100, 100};

/* Later draws are on top. The triangle's third side passes through pixel centres, which are
 * outside of the triangle by the fill rule. */
static uint32_t of_three_modes(const void *user, unsigned x, unsigned y)
{
    (void)user;
    if (in_rectangle(x, y, nv_last))
        return 4;
    if (in_rectangle(x, y, vg_middle))
        return 3;
    if (x >= 30 && y >= 30 && x - 30 + y - 30 + 1 < 100)
        return 2;
    return in_rectangle(x, y, nv_first);
}

static void draw_vg_rectangle(struct stage *stage, uint32_t code, uint32_t uniforms,
                              const unsigned at[4])
{
    const uint32_t left = at[0] << 4, right = at[2] << 4, low = at[1] << 20, high = at[3] << 20;
    const uint32_t strip[] = {left | low, left | high, right | low, right | high};
    uint32_t address = stage_words(stage, strip, 4);
    rig_u8(stage->rig, 67);
    rig_u32(stage->rig, code | 1);
    rig_u32(stage->rig, uniforms);
    rig_u8(stage->rig, 41);
    rig_u8(stage->rig, 5);
    rig_u32(stage->rig, 4);
    rig_u32(stage->rig, address);
}

/* Manual section 8: "The mode may be changed during a frame". A warning reports that the first
 * silicon does not support this (HW-2781). */
TEST(three_modes_in_one_frame)
{
    struct stage stage = stage_new(WIDTH, HEIGHT);
    const struct corner corners[3] = {
        /* clang-format off */
        {.x = 30,  .y = 30,  .iw = 1},
        {.x = 130, .y = 30,  .iw = 1},
        {.x = 30,  .y = 130, .iw = 1},
        /* clang-format on */
    };
    uint32_t vertices = stage_vertices(&stage, NV_HEADER, 0, corners, 3), colour[5];
    struct gl record = pass_through_record(&stage, 0, 0, vertices);
    uint32_t code = stage_shader(&stage, SHADER_UNIFORM);
    for (uint32_t i = 1; i < 5; i++)
        colour[i] = stage_word(&stage, i);
    stage_begin(&stage);
    stage_rectangle(&stage, code, colour[1], nv_first[0], nv_first[1], nv_first[2], nv_first[3], 0);
    gl_shading(&stage, &record, code, colour[2]);
    stage_array(&stage, TRIANGLES, 3, 0);
    draw_vg_rectangle(&stage, code, colour[3], vg_middle);
    stage_rectangle(&stage, code, colour[4], nv_last[0], nv_last[1], nv_last[2], nv_last[3], 0);
    assert_int_equal(stage_run(&stage, &black), TESS_VC4_IDLE);
    stage_compare(&stage, of_three_modes, NULL, "three modes");
    assert_int_equal(stage.rig->errors, 0);
    assert_true(stage.rig->kept > 0);
    for (unsigned i = 0; i < stage.rig->kept; i++)
        assert_string_equal(stage.rig->rules[i], "vg-interleaved");
    stage_free(&stage);
}

/* --- errors --- */

struct wrong {
    const char *rule;
    void (*spoil)(struct gl *);
};

static void overlap(struct gl *gl)
{
    gl->vertex_select = 3;
}

/* Shortens the arrays: the second array begins at the last word of the first. */
static void shortened(struct gl *gl)
{
    gl->vertex_select = 3;
    gl->array[1].vertex_offset = 12;
    gl->vertex_bytes = 40;
}

static void too_small(struct gl *gl)
{
    gl->vertex_bytes = 12;
}

static void not_there(struct gl *gl)
{
    gl->coordinate_select = 6;
}

static void odd_code(struct gl *gl)
{
    gl->vertex_code += 4;
}

static void odd_flags(struct gl *gl)
{
    gl->flags |= 8;
}

static void odd_offset(struct gl *gl)
{
    gl->array[0].vertex_offset = 2;
}

static void gap(struct gl *gl)
{
    gl->vertex_bytes = 32;
}

static void nothing(struct gl *gl)
{
    gl->coordinate_select = 0;
}

TEST(wrong_records)
{
    static const struct wrong cases[] = {
        /* clang-format off */
        /* clang-format off */
        {"shader-attributes",      overlap},
        {"shader-attributes-size", shortened},
        {"shader-attributes-size", too_small},
        {"shader-attributes",      not_there},
        {"shader-record",          odd_code},
        {"shader-record",          odd_flags},
        {"shader-attributes",      odd_offset},
        {"shader-attributes-gap",  gap},
        {"shader-attributes-gap",  nothing},
        /* clang-format on */
        /* clang-format on */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct stage stage = stage_new(WIDTH, HEIGHT);
        struct corner corners[3] = {{.x = 10, .y = 10, .iw = 1, .clip = {0, 0, 0, 1}},
                                    {.x = 90, .y = 10, .iw = 1, .clip = {0, 0, 0, 1}},
                                    {.x = 10, .y = 90, .iw = 1, .clip = {0, 0, 0, 1}}};
        uint32_t code = stage_shader(&stage, SHADER_UNIFORM);
        uint32_t vertices = stage_vertices(&stage, NV_HEADER, 1, corners, 3);
        struct gl record = pass_through_record(&stage, NV_HEADER, 1, vertices);
        cases[i].spoil(&record);
        stage_begin(&stage);
        gl_shading(&stage, &record, code, stage_word(&stage, 1));
        stage_array(&stage, TRIANGLES, 3, 0);
        stage_run(&stage, &black);
        bool found = false;
        for (unsigned k = 0; k < stage.rig->kept; k++)
            found |= strcmp(stage.rig->rules[k], cases[i].rule) == 0;
        if (!found)
            stage_show_findings(&stage);
        assert_true(found);
        stage_free(&stage);
    }
}

/* A coordinate shader that hangs stops the binner. After a reset of its thread, the binner works
 * again. */
TEST(a_hanging_coordinate_shader)
{
    struct stage stage = stage_new(WIDTH, HEIGHT);
    struct corner corners[3] = {
        /* clang-format off */
        {.x = 10, .y = 10, .iw = 1},
        {.x = 90, .y = 10, .iw = 1},
        {.x = 10, .y = 90, .iw = 1},
        /* clang-format on */
    };
    uint32_t vertices = stage_vertices(&stage, NV_HEADER, 0, corners, 3);
    struct gl record = pass_through_record(&stage, 0, 0, vertices);
    record.coordinate_code = stage_shader(&stage, "sacq -, 5\n" END_OF_VERTEX);
    uint32_t code = stage_shader(&stage, SHADER_UNIFORM);
    stage_begin(&stage);
    gl_shading(&stage, &record, code, stage_word(&stage, 1));
    stage_array(&stage, TRIANGLES, 3, 0);
    assert_int_equal(stage_run(&stage, &black), TESS_VC4_STUCK);
    assert_string_equal(stage.rig->rules[0], "qpu-hang");
    assert_int_equal(stage.rig->errors, 1);
    stage_free(&stage);
}
