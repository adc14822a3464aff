/* SPDX-License-Identifier: MIT */
/* stage.h - scenes for tests of the whole machine: vertices, assembled shaders, binning lists and
 * rendering passes, on the machine of tests/vc4/rig.h.
 *
 * A test writes data to memory, fills a binning list with stage_begin() and the draw functions, and
 * runs the list with stage_pass(). Findings make stage_pass() fail, unless a test expects them. */
#ifndef TESTS_PROGRAMS_STAGE_H
#define TESTS_PROGRAMS_STAGE_H

#include <math.h>

#include "../random.h"
#include "../vc4/rig.h"

#include <tessera/isa.h>

enum {
    STAGE_BIN = 0x1000,
    STAGE_RENDER = 0x8000,
    STAGE_DATA = 0x10000,
    STAGE_DATA_END = 0x90000,
    STAGE_STATE = 0x90000,
    STAGE_LISTS = 0xa0000,
    STAGE_LISTS_SIZE = 0x60000,
    STAGE_FRAME = 0x100000, /* frame buffers from here to the end of memory */
};

/* Flags of an NV shader record. */
enum { NV_SINGLE = 1, NV_POINT_SIZE = 2, NV_CLIP = 4, NV_HEADER = 8 };

/* Bits of record 96. */
enum {
    FORWARD = 1 << 0,
    REVERSE = 1 << 1,
    CLOCKWISE = 1 << 2,
    DEPTH_OFFSET = 1 << 3,
    DEPTH_SHIFT = 12,
    Z_UPDATES = 1 << 15,
    BOTH_FACES = FORWARD | REVERSE,
    DEPTH_ALWAYS = 7 << DEPTH_SHIFT,
};

enum { POINTS, LINES, LINE_LOOP, LINE_STRIP, TRIANGLES, TRIANGLE_STRIP, TRIANGLE_FAN };

/* Flags of record 113, and fields of records 28 and 29. */
enum {
    FRAME_565_DITHERED = 0 << 2,
    FRAME_8888 = 1 << 2,
    FRAME_565 = 2 << 2,
    FRAME_T = 1 << 6,
    FRAME_LT = 2 << 6,
    FRAME_MASK = 1 << 8,
    GENERAL_NONE = 0,
    GENERAL_COLOUR = 1,
    GENERAL_ZS = 2,
    GENERAL_Z = 3,
    GENERAL_MASK = 4,
    GENERAL_FULL = 5,
    GENERAL_T = 1 << 4,
    GENERAL_LT = 2 << 4,
    GENERAL_565_DITHERED = 1 << 8,
    GENERAL_565 = 2 << 8,
    GENERAL_KEEP_COLOUR = 1 << 13,
    GENERAL_KEEP_ZS = 1 << 14,
    GENERAL_KEEP_MASK = 1 << 15,
    GENERAL_KEEP = 7 << 13,
};

/* The end of every shader: unlocks the scoreboard and ends the program. */
#define SHADER_END "nop; nop; sbdone\nnop; nop; thrend\nnop\nnop\n"

/* A shader that writes a uniform as the colour. */
#define SHADER_UNIFORM "nop\nnop\nmov tlbc, unif\n" SHADER_END

/* A shader that adds a uniform to the stored colour, byte by byte. */
#define SHADER_ADD "mov r0, unif\nnop\nnop; nop; loadc\nv8adds tlbc, r0, r4\n" SHADER_END

/* A shader that tests the depth and then writes a uniform as the colour. */
#define SHADER_DEPTH "nop\nnop\nmov tlbz, rb15\nmov tlbc, unif\n" SHADER_END

/* A shader that writes one varying, as the bits of a float. */
#define SHADER_VARYING "nop\nfmul r0, vary, ra15\nfadd tlbc, r0, r5\n" SHADER_END

struct corner {
    double x, y; /* in pixels; multiples of 1/16 */
    float z, iw;
    float v[6];
    float size;
    float clip[4];
};

struct stage {
    struct rig *rig;
    unsigned width, height, columns, rows;
    uint32_t data; /* address of the next free byte for data */
    uint32_t lists_size;
    uint8_t bin_flags;
    bool findings_expected;
};

static inline uint32_t stage_u32(const struct stage *stage, uint32_t address)
{
    return load_le32(stage->rig->memory + address);
}

static inline struct stage stage_new(unsigned width, unsigned height)
{
    return (struct stage){
        .rig = rig_new(),
        .width = width,
        .height = height,
        .columns = (width + 63) / 64,
        .rows = (height + 63) / 64,
        .data = STAGE_DATA,
        .lists_size = STAGE_LISTS_SIZE,
        .bin_flags = 4,
    };
}

static inline void stage_free(struct stage *stage)
{
    rig_free(stage->rig);
}

/* --- data --- */

/* Allocates `size` bytes. */
static inline uint32_t stage_room(struct stage *stage, uint32_t size, uint32_t alignment)
{
    uint32_t address = (stage->data + alignment - 1) / alignment * alignment;
    stage->data = address + size;
    assert_true(stage->data <= STAGE_DATA_END);
    return address;
}

static inline uint32_t stage_bytes(struct stage *stage, const void *bytes, size_t size)
{
    uint32_t address = stage_room(stage, (uint32_t)size, 16);
    memcpy(stage->rig->memory + address, bytes, size);
    return address;
}

static inline uint32_t stage_words(struct stage *stage, const uint32_t *words, size_t count)
{
    uint32_t address = stage_room(stage, (uint32_t)count * 4, 16);
    for (size_t i = 0; i < count; i++)
        store_le32(stage->rig->memory + address + 4 * i, words[i]);
    return address;
}

static inline uint32_t stage_word(struct stage *stage, uint32_t word)
{
    return stage_words(stage, &word, 1);
}

static inline void stage_assembler_report(void *user, const struct tess_finding *diag)
{
    (void)user;
    print_message("shader: %s: %s\n", diag->id, diag->text);
}

static inline uint32_t stage_shader(struct stage *stage, const char *text)
{
    struct tess_asm_options options = {.machine = TESS_MACHINE_QPU, .format = TESS_ASM_BIN};
    struct tess_sink sink = {stage_assembler_report, NULL};
    uint8_t *code;
    size_t size;
    assert_int_equal(tess_assemble_text(text, strlen(text), "shader", &options, sink, &code, &size),
                     TESS_OK);
    uint32_t address = stage_bytes(stage, code, size);
    tess_free(code);
    return address;
}

static inline unsigned corner_size(uint32_t flags, unsigned varyings)
{
    return 12 + (flags & NV_HEADER ? 16u : 0u) + (flags & NV_POINT_SIZE ? 4u : 0u) + 4 * varyings;
}

/* Writes shaded vertices in one of the four layouts of manual figure 12. */
static inline uint32_t stage_vertices(struct stage *stage, uint32_t flags, unsigned varyings,
                                      const struct corner *corners, size_t count)
{
    struct rig *rig = stage->rig;
    uint32_t list = rig->at;
    uint32_t address = stage_room(stage, (uint32_t)count * corner_size(flags, varyings), 16);
    rig->at = address;
    for (const struct corner *c = corners; c < corners + count; c++) {
        for (unsigned i = 0; i < 4 && flags & NV_HEADER; i++)
            rig_f32(rig, c->clip[i]);
        rig_u16(rig, (uint32_t)lrint(c->x * 16));
        rig_u16(rig, (uint32_t)lrint(c->y * 16));
        rig_f32(rig, c->z);
        rig_f32(rig, c->iw);
        if (flags & NV_POINT_SIZE)
            rig_f32(rig, c->size);
        for (unsigned i = 0; i < varyings; i++)
            rig_f32(rig, c->v[i]);
    }
    rig->at = list;
    return address;
}

/* --- binning list --- */

static inline void stage_configuration(struct stage *stage, uint32_t bits)
{
    rig_u8(stage->rig, 96);
    rig_u8(stage->rig, bits);
    rig_u16(stage->rig, bits >> 8);
}

static inline void stage_clip_window(struct stage *stage, unsigned left, unsigned bottom,
                                     unsigned width, unsigned height)
{
    rig_u8(stage->rig, 102);
    rig_u16(stage->rig, left);
    rig_u16(stage->rig, bottom);
    rig_u16(stage->rig, width);
    rig_u16(stage->rig, height);
}

static inline void stage_viewport(struct stage *stage, double x, double y)
{
    rig_u8(stage->rig, 103);
    rig_u16(stage->rig, (uint32_t)lrint(x * 16));
    rig_u16(stage->rig, (uint32_t)lrint(y * 16));
}

static inline void stage_float(struct stage *stage, uint8_t record, float value)
{
    rig_u8(stage->rig, record);
    rig_f32(stage->rig, value);
}

static inline void stage_flat_flags(struct stage *stage, uint32_t flags)
{
    rig_u8(stage->rig, 97);
    rig_u32(stage->rig, flags);
}

/* Begins a binning list without any state. */
static inline void stage_begin_bare(struct stage *stage)
{
    struct rig *rig = stage->rig;
    rig->at = STAGE_BIN;
    rig_u8(rig, 112);
    rig_u32(rig, STAGE_LISTS);
    rig_u32(rig, stage->lists_size);
    rig_u32(rig, STAGE_STATE);
    rig_u8(rig, stage->columns);
    rig_u8(rig, stage->rows);
    rig_u8(rig, stage->bin_flags);
    rig_u8(rig, 6);
    rig_u8(rig, 7);
}

static inline void stage_begin(struct stage *stage)
{
    stage_begin_bare(stage);
    stage_clip_window(stage, 0, 0, stage->width, stage->height);
    stage_configuration(stage, BOTH_FACES | DEPTH_ALWAYS);
    stage_viewport(stage, 0, 0);
}

static inline void stage_shading(struct stage *stage, uint32_t flags, unsigned varyings,
                                 uint32_t code, uint32_t uniforms, uint32_t vertices)
{
    struct rig *rig = stage->rig;
    uint32_t list = rig->at;
    uint32_t record = stage_room(stage, 16, 16);
    rig->at = record;
    rig_u8(rig, flags | NV_SINGLE);
    rig_u8(rig, corner_size(flags, varyings));
    rig_u8(rig, 0);
    rig_u8(rig, varyings);
    rig_u32(rig, code);
    rig_u32(rig, uniforms);
    rig_u32(rig, vertices);
    rig->at = list;
    rig_u8(rig, 65);
    rig_u32(rig, record);
}

static inline void stage_array(struct stage *stage, unsigned mode, uint32_t count, uint32_t first)
{
    rig_array(stage->rig, mode, count, first);
}

static inline void stage_indexed(struct stage *stage, unsigned mode, const uint16_t *indices,
                                 uint32_t count, unsigned bytes)
{
    struct rig *rig = stage->rig;
    uint32_t address = stage_room(stage, count * bytes, 16), maximum = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (indices[i] > maximum)
            maximum = indices[i];
        memcpy(rig->memory + address + i * bytes,
               (uint8_t[]){(uint8_t)indices[i], (uint8_t)(indices[i] >> 8)}, bytes);
    }
    rig_u8(rig, 32);
    rig_u8(rig, mode | (bytes - 1) << 4);
    rig_u32(rig, count);
    rig_u32(rig, address);
    rig_u32(rig, maximum);
}

/* Writes vertices and record, and draws them. */
static inline void stage_draw(struct stage *stage, unsigned mode, uint32_t code, uint32_t uniforms,
                              unsigned varyings, const struct corner *corners, size_t count)
{
    stage_shading(stage, 0, varyings, code, uniforms,
                  stage_vertices(stage, 0, varyings, corners, count));
    stage_array(stage, mode, (uint32_t)count, 0);
}

/* Computes the corners of a rectangle, for a strip. Varyings 0 and 1 increase from 0 to 1 with x
 * and y. */
static inline void rectangle_corners(struct corner corners[4], double x0, double y0, double x1,
                                     double y1, float z)
{
    for (unsigned i = 0; i < 4; i++)
        corners[i] = (struct corner){.x = i & 1 ? x1 : x0,
                                     .y = i & 2 ? y1 : y0,
                                     .z = z,
                                     .iw = 1,
                                     .v = {(float)(i & 1), (float)(i >> 1)}};
}

static inline void stage_rectangle(struct stage *stage, uint32_t code, uint32_t uniforms, double x0,
                                   double y0, double x1, double y1, float z)
{
    struct corner corners[4];
    rectangle_corners(corners, x0, y0, x1, y1, z);
    stage_draw(stage, TRIANGLE_STRIP, code, uniforms, 0, corners, 4);
}

/* --- rendering list --- */

/* A load or a store of each tile. For the full-resolution records 26 and 27, the address is that
 * of the first tile's dump. */
struct transfer {
    uint8_t record; /* id of the record: 24, or 26 to 29 */
    uint16_t bits;
    uint32_t address;
};

/* Parameters for drawing a frame from tile lists. A pass without stores uses record 24. */
struct pass {
    uint32_t address;
    uint16_t flags; /* flags of record 113 */
    bool keep;      /* true: does not clear before the first tile */
    bool no_lists;  /* true: only loads and stores tiles */
    uint32_t clear[2], clear_z;
    uint8_t clear_mask, clear_stencil;
    struct transfer load[2], store[3];
    unsigned loads, stores;
};

#define RASTER_PASS                                                      \
    {                                                                    \
        .address = STAGE_FRAME, .flags = FRAME_8888, .clear_z = 0xffffff \
    }

enum { FULL_BLOCK = 0x8000, FULL_FLAGS = 0xf };

static inline void stage_transfer(struct stage *stage, const struct transfer *transfer,
                                  unsigned tile, bool last)
{
    struct rig *rig = stage->rig;
    if (transfer->record == 24) {
        rig_u8(rig, last ? 25 : 24);
        return;
    }
    uint32_t last_bit = last ? 8 : 0;
    rig_u8(rig, transfer->record);
    if (transfer->record == 26 || transfer->record == 27) {
        rig_u32(rig, (transfer->address + tile * FULL_BLOCK) | transfer->bits | last_bit);
        return;
    }
    rig_u16(rig, transfer->bits);
    rig_u32(rig, transfer->address | last_bit);
}

static inline void stage_coordinates(struct stage *stage, unsigned column, unsigned row)
{
    rig_u8(stage->rig, 115);
    rig_u8(stage->rig, column);
    rig_u8(stage->rig, row);
}

static inline void stage_store_none(struct stage *stage, uint32_t bits)
{
    rig_u8(stage->rig, 28);
    rig_u16(stage->rig, bits);
    rig_u32(stage->rig, 0);
}

static inline void stage_tile(struct stage *stage, const struct pass *pass, unsigned column,
                              unsigned row)
{
    static const struct transfer resolved = {24, 0, 0};
    unsigned tile = row * stage->columns + column;
    bool last = tile == stage->columns * stage->rows - 1;
    unsigned stores = pass->stores ? pass->stores : 1;
    for (unsigned i = 0; i < pass->loads; i++) {
        if (i) {
            stage_coordinates(stage, column, row);
            stage_store_none(stage, GENERAL_KEEP);
        }
        stage_transfer(stage, &pass->load[i], tile, false);
    }
    stage_coordinates(stage, column, row);
    if (!pass->no_lists) {
        rig_u8(stage->rig, 17);
        rig_u32(stage->rig, STAGE_LISTS + tile * (32u << (stage->bin_flags >> 3 & 3)));
    }
    for (unsigned i = 0; i < stores; i++) {
        if (i)
            stage_coordinates(stage, column, row);
        stage_transfer(stage, pass->stores ? &pass->store[i] : &resolved, tile,
                       last && i == stores - 1);
    }
}

/* Writes the rendering list and returns its end. */
static inline uint32_t stage_rendering_list(struct stage *stage, const struct pass *pass)
{
    struct rig *rig = stage->rig;
    rig->at = STAGE_RENDER;
    if (!pass->no_lists)
        rig_u8(rig, 8);
    rig_u8(rig, 114);
    rig_u32(rig, pass->clear[0]);
    rig_u32(rig, pass->clear[1]);
    rig_u32(rig, pass->clear_z | (uint32_t)pass->clear_mask << 24);
    rig_u8(rig, pass->clear_stencil);
    rig_u8(rig, 113);
    rig_u32(rig, pass->address);
    rig_u16(rig, stage->width);
    rig_u16(rig, stage->height);
    rig_u16(rig, pass->flags);
    if (!pass->keep) {
        stage_coordinates(stage, 0, 0);
        stage_store_none(stage, 0);
    }
    for (unsigned row = 0; row < stage->rows; row++)
        for (unsigned column = 0; column < stage->columns; column++)
            stage_tile(stage, pass, column, row);
    return rig->at;
}

static inline void stage_show_findings(const struct stage *stage)
{
    for (unsigned i = 0; i < stage->rig->kept; i++)
        print_message("%s: %s\n", stage->rig->rules[i], stage->rig->texts[i]);
}

/* Ends the binning list and runs both lists. */
static inline enum tess_vc4_stop stage_run(struct stage *stage, const struct pass *pass)
{
    struct rig *rig = stage->rig;
    if (!pass->no_lists) {
        rig_u8(rig, 4);
        assert_true(rig->at < STAGE_RENDER);
        rig_start(rig, 0, STAGE_BIN, rig->at);
    }
    uint32_t end = stage_rendering_list(stage, pass);
    assert_true(end < STAGE_DATA);
    rig_start(rig, 1, STAGE_RENDER, end);
    return tess_vc4_run(rig->vc4);
}

/* Like stage_run(), but expects the normal end of the run and no findings. */
static inline void stage_pass(struct stage *stage, const struct pass *pass)
{
    enum tess_vc4_stop stop = stage_run(stage, pass);
    if (stop != TESS_VC4_IDLE)
        tess_vc4_report_stuck(stage->rig->vc4);
    if (stage->rig->errors || stage->rig->warnings)
        stage_show_findings(stage);
    assert_int_equal(stop, TESS_VC4_IDLE);
    assert_int_equal(stage->rig->errors, 0);
    assert_int_equal(stage->rig->warnings, 0);
}

/* --- checking a frame --- */

/* Returns the address of a pixel. Raster rows are padded to 16 bytes. */
static inline uint32_t stage_pixel_at(const struct stage *stage, uint32_t frame, unsigned x,
                                      unsigned y)
{
    return stage_u32(stage, frame + (y * ((stage->width + 3) / 4 * 4) + x) * 4);
}

static inline uint32_t stage_pixel(const struct stage *stage, unsigned x, unsigned y)
{
    return stage_pixel_at(stage, STAGE_FRAME, x, y);
}

static inline unsigned stage_count(const struct stage *stage, uint32_t colour)
{
    unsigned count = 0;
    for (unsigned y = 0; y < stage->height; y++)
        for (unsigned x = 0; x < stage->width; x++)
            count += stage_pixel(stage, x, y) == colour;
    return count;
}

/* Returns the expected pixel. user is the test's data. */
typedef uint32_t stage_rule(const void *user, unsigned x, unsigned y);

static inline void stage_compare_at(const struct stage *stage, uint32_t frame, stage_rule *rule,
                                    const void *user, const char *what)
{
    unsigned wrong = 0;
    for (unsigned y = 0; y < stage->height; y++)
        for (unsigned x = 0; x < stage->width; x++) {
            uint32_t got = stage_pixel_at(stage, frame, x, y), want = rule(user, x, y);
            if (got != want && wrong++ < 6)
                print_message("%s (%u,%u): %08x, expected %08x\n", what, x, y, got, want);
        }
    if (wrong)
        print_message("%s: %u pixels\n", what, wrong);
    assert_int_equal(wrong, 0);
}

static inline void stage_compare(const struct stage *stage, stage_rule *rule, const void *user,
                                 const char *what)
{
    stage_compare_at(stage, STAGE_FRAME, rule, user, what);
}

/* --- reference: the pixels of a triangle --- */

/* A point in 1/16 pixel. */
struct grid_point {
    int64_t x, y;
};

/* Returns twice the signed area of a, b and a pixel centre given in 1/16 pixel. */
static inline int64_t edge_side(struct grid_point a, struct grid_point b, struct grid_point p)
{
    return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

/* Returns true if the triangle covers the pixel, whose centre must be inside. A centre on an
 * edge belongs to the triangle to its right or, if the edge is horizontal, to the triangle at
 * larger rows. */
static inline bool triangle_covers(const struct grid_point corner[3], unsigned x, unsigned y)
{
    struct grid_point p = {16 * (int64_t)x + 8, 16 * (int64_t)y + 8};
    int64_t area = edge_side(corner[0], corner[1], corner[2]);
    if (area == 0)
        return false;
    for (unsigned i = 0; i < 3; i++) {
        struct grid_point a = corner[i], b = corner[(i + 1) % 3];
        if (area < 0) {
            struct grid_point other = a;
            a = b;
            b = other;
        }
        /* The value of edge_side() is positive inside. The inside is right of an edge towards
         * smaller rows, and at larger rows of an edge towards the right. */
        int64_t side = edge_side(a, b, p);
        bool owns = b.y < a.y || (b.y == a.y && b.x > a.x);
        if (side < 0 || (side == 0 && !owns))
            return false;
    }
    return true;
}

/* Computes barycentric weights at a pixel centre. */
static inline void triangle_weights(const struct grid_point corner[3], unsigned x, unsigned y,
                                    double weight[3])
{
    struct grid_point p = {16 * (int64_t)x + 8, 16 * (int64_t)y + 8};
    double area = (double)edge_side(corner[0], corner[1], corner[2]);
    for (unsigned i = 0; i < 3; i++)
        weight[i] = (double)edge_side(corner[(i + 1) % 3], corner[(i + 2) % 3], p) / area;
}

static inline struct grid_point grid_point(const struct corner *corner)
{
    return (struct grid_point){lrint(corner->x * 16), lrint(corner->y * 16)};
}

static inline double random_grid(uint32_t *state, int low, int high)
{
    return low + (double)(next_random(state) % (uint32_t)((high - low) * 16 + 1)) / 16;
}

#endif
