/* SPDX-License-Identifier: MIT */
/* Tests of the performance counters of manual table 82, through their registers, in scenes whose
 * events can be counted by hand. Durations are those of src/vc4/time/timing.h. Each scene is drawn
 * with one and with four host threads. QPU words are hand-assembled from manual section 3. */
#include "../../register.h"
#include "../rig.h"

enum { PROGRAM = 0x5000, DATA = 0x6000, QPUS = 12 };

/* Addresses in the register files, and signals. */
enum {
    UNIFORM = 32,
    VARYING = 35,
    R0 = 32,
    R1 = 33,
    TLB_Z = 44,
    RECIP = 52,
    EXP = 54,
    TMU0_S = 56
};
enum { THREAD_END = 3, UNLOCK = 5, LOAD_TMU0 = 10 };

static const uint64_t nop = UINT64_C(0x100009e7009e7000);

static uint64_t signal(unsigned number)
{
    return (nop & ~(UINT64_C(15) << 60)) | (uint64_t)number << 60;
}

/* Returns the instruction "ldi waddr, value" (in the add ALU). */
static uint64_t ldi(unsigned waddr, uint32_t value)
{
    return (UINT64_C(0xe0020027) | waddr << 6) << 32 | value;
}

/* Returns the instruction "or waddr, ra, ra", which moves from register file A. */
static uint64_t move(unsigned waddr, unsigned raddr)
{
    return (UINT64_C(0x10020027) | waddr << 6) << 32 | (UINT32_C(0x15027d80) | raddr << 18);
}

static void put(struct rig *rig, uint32_t address, const uint64_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        store_le64(rig->memory + address + 8 * i, words[i]);
}

#define PUT(rig, address, ...)                         \
    put(rig, address, (const uint64_t[]){__VA_ARGS__}, \
        sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

/* --- counters --- */

/* Maps counters 0 to 15 to sources first to first + 15, clears the counters, and enables them. */
static void watch(struct rig *rig, uint32_t first)
{
    tess_vc4_write(rig->vc4, V3D_PCTRC, 0xffff);
    for (uint32_t n = 0; n < 16; n++)
        tess_vc4_write(rig->vc4, V3D_PCTRS0 + 8 * n, (first + n) % TESS_VC4_COUNTERS);
    tess_vc4_write(rig->vc4, V3D_PCTRE, 0x8000ffff);
}

struct expected {
    uint32_t source;
    uint64_t count;
};

static void check(const struct rig *rig, const struct expected *expected, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t counted = tess_vc4_counter(rig->vc4, expected[i].source);
        if (counted != expected[i].count)
            print_error("source %u: %llu\n", expected[i].source, (unsigned long long)counted);
        assert_int_equal(counted, expected[i].count);
    }
}

#define CHECK(rig, ...)                                \
    check(rig, (const struct expected[]){__VA_ARGS__}, \
          sizeof((const struct expected[]){__VA_ARGS__}) / sizeof(struct expected))

/* --- frames --- */

/* Creates a frame with one triangle that covers the whole frame. All primitives have the same
 * shader. */
static struct rig *new_frame(uint32_t threads)
{
    struct rig *rig = rig_new_threads(0, threads);
    rig_flat_shader(rig, RIG_WHITE);
    rig_shader_record(rig, 1, 12, 0);
    rig->at = RIG_VERTICES;
    rig_vertex(rig, 0, 0);
    rig_vertex(rig, 256, 0);
    rig_vertex(rig, 0, 256);
    rig_begin_bin(rig, RIG_LISTS_SIZE, 4);
    return rig;
}

static void clip_window(struct rig *rig, uint32_t width, uint32_t height)
{
    rig_u8(rig, 102);
    rig_u16(rig, 0);
    rig_u16(rig, 0);
    rig_u16(rig, width);
    rig_u16(rig, height);
}

static void configure(struct rig *rig, uint32_t bits)
{
    rig_u8(rig, 96);
    rig_u16(rig, bits);
    rig_u8(rig, bits >> 16);
}

static void triangle(struct rig *rig, uint32_t first)
{
    rig_array(rig, 4, 3, first);
}

static void draw(struct rig *rig)
{
    rig_u8(rig, 4);
    assert_int_equal(rig_frame(rig, rig->at, 32), TESS_VC4_IDLE);
    assert_int_equal(rig->errors, 0);
}

/* One tile of 64 x 64 pixels: 1024 quads in 256 batches, each of which runs 7 instructions (28
 * clocks) from one cache line. The first slice that needs the line fetches it from memory (44
 * clocks). The other two slices fetch the line from the level 2 cache (12 clocks). The FEP sends
 * a batch every 4 clocks, starting at 4. QPU 0 ends its first batch at 4 + 28 + 44 = 76, but its
 * next batch is ready at 52 and delays all later batches by 24. The last batch starts at 1024 +
 * 24. */
enum {
    RUNS = 256,
    ISSUED = RUNS * 7 * 4,
    SHADING = ISSUED + 44 + 12 + 12,
    TILE_CLOCKS = 1024 + 24 + 28,
};

TEST(a_covered_tile)
{
    for (uint32_t tiles = 1; tiles <= 4; tiles += 3)
        for (uint32_t threads = 1; threads <= 4; threads += 3) {
            struct rig *rig = new_frame(threads);
            clip_window(rig, tiles == 1 ? 64 : 128, tiles == 1 ? 64 : 128);
            triangle(rig, 0);
            draw(rig);
            CHECK(rig, {0, 0}, {1, tiles}, {2, 0}, {3, 1024 * tiles}, {9, 1024 * tiles});
            CHECK(rig, {10, 0}, {11, 0}, {12, 0}, {14, 0}, {15, SHADING * tiles},
                  {16, ISSUED * tiles}, {13, (TILE_CLOCKS * QPUS - SHADING) * tiles});
            CHECK(rig, {17, 0}, {18, 0}, {19, 0}, {20, (RUNS * 7 - 3) * tiles}, {21, 3 * tiles},
                  {22, 0}, {23, 0}, {24, 0}, {25, 0}, {28, 2 * tiles}, {29, tiles});
            struct tess_vc4_stats stats;
            tess_vc4_get_stats(rig->vc4, &stats);
            assert_int_equal(stats.clocks, TILE_CLOCKS * tiles);
            rig_free(rig);
        }
}

/* Two triangles cover the same 4 x 4 pixels, and each is one batch. The first batch starts at 4,
 * fetches its line (44 clocks), and writes colour in its third instruction. It unlocks the
 * scoreboard in its fourth instruction, at 4 + 44 + 4 * 4. The second batch starts at 8 in the
 * same slice, and its colour write would be at 16. */
TEST(shaders_wait_for_the_scoreboard)
{
    enum { STALL = 64 - 16, SUM = 28 + 44 + 28 + STALL };
    struct rig *rig = new_frame(1);
    clip_window(rig, 4, 4);
    triangle(rig, 0);
    triangle(rig, 0);
    draw(rig);
    CHECK(rig, {1, 2}, {3, 8}, {9, 8}, {18, STALL}, {15, SUM}, {13, (8 + 28 + STALL) * QPUS - SUM});
    rig_free(rig);
}

/* Batches of triangles on different pixels do not wait for each other, in any order of their tile
 * buffer accesses. */
TEST(shaders_on_other_pixels_do_not_wait)
{
    struct rig *rig = new_frame(1);
    clip_window(rig, 8, 4);
    triangle(rig, 0);
    draw(rig);
    CHECK(rig, {3, 8}, {18, 0});
    rig_free(rig);
}

/* The first varying is ready 8 clocks after a shader's start. The first instruction needs the
 * varying at once, so it stalls. Only if the instruction's line has to be fetched, the varying
 * is ready in time. The fetch happens for one batch in each slice. */
TEST(shaders_wait_for_varyings)
{
    struct rig *rig = new_frame(1);
    PUT(rig, RIG_SHADER, move(R0, VARYING), nop, nop, ldi(46, RIG_WHITE), signal(THREAD_END), nop,
        nop);
    rig_shader_record(rig, 1, 16, 1);
    rig->at = RIG_VERTICES;
    for (unsigned i = 0; i < 3; i++) {
        rig_vertex(rig, i == 1 ? 256 : 0, i == 2 ? 256 : 0);
        rig_f32(rig, 1);
    }
    rig_begin_bin(rig, RIG_LISTS_SIZE, 4);
    clip_window(rig, 64, 64);
    triangle(rig, 0);
    draw(rig);
    CHECK(rig, {19, (RUNS - 3) * 8}, {15, ISSUED + 44 + 12 + 12 + (RUNS - 3) * 8});
    rig_free(rig);
}

/* Draws four triangles: one outside of the clip window, one that faces away while only front
 * faces are drawn, one between pixel centres, and one with 6 pixels in 3 quads. */
TEST(primitives_that_are_not_drawn)
{
    struct rig *rig = new_frame(1);
    uint32_t at = rig->at;
    static const double corner[12][2] = {
        /* clang-format off */
        {200,  10},
        {300,  10},
        {200,  60},
        {20,   20},
        {20,   24},
        {24,   20},
        {20.6, 20.6},
        {20.9, 20.6},
        {20.6, 20.9},
        {20,   20},
        {24,   20},
        {20,   24},
        /* clang-format on */
    };
    rig->at = RIG_VERTICES;
    for (unsigned i = 0; i < 12; i++)
        rig_vertex(rig, corner[i][0], corner[i][1]);
    rig->at = at;
    watch(rig, 0);
    configure(rig, 1); /* draws forward facing triangles only */
    for (uint32_t i = 0; i < 4; i++)
        triangle(rig, 3 * i);
    draw(rig);
    CHECK(rig, {0, 1}, {1, 2}, {3, 3}, {10, 1}, {11, 0}, {12, 1});
    assert_int_equal(tess_vc4_read(rig->vc4, V3D_PCTR0 + 8 * 10), 1);
    assert_int_equal(tess_vc4_read(rig->vc4, V3D_PCTR0 + 8 * 12), 1);
    rig_free(rig);
}

/* Three triangles on 4 quads, at Z 0.5, 0.75 and 0.25, with "less" and Z updates: the second
 * fails the test. Early Z drops the second triangle before shading. */
TEST(depth_tests)
{
    static const float depth[3] = {0.5f, 0.75f, 0.25f};
    enum { FACES = 3, LESS = 1 << 12, UPDATE = 1 << 15, EARLY = 3 << 16 };
    for (unsigned early = 0; early < 2; early++) {
        struct rig *rig = new_frame(1);
        uint32_t list = rig->at;
        const uint64_t z = UINT64_C(0x10020b27) << 32 | 0x159cffc0; /* the instruction "or tlb_z,
                                                                       rb15, rb15" */
        PUT(rig, RIG_SHADER, nop, nop, z, ldi(46, RIG_WHITE), signal(THREAD_END), nop, nop);
        rig->at = RIG_VERTICES;
        for (unsigned i = 0; i < 9; i++) {
            rig_vertex(rig, i % 3 == 1 ? 256 : 0, i % 3 == 2 ? 256 : 0);
            rig->at -= 8;
            rig_f32(rig, depth[i / 3]);
            rig_f32(rig, 1);
        }
        rig->at = list;
        clip_window(rig, 4, 4);
        configure(rig, FACES | LESS | UPDATE | (early ? EARLY : 0));
        for (uint32_t i = 0; i < 3; i++)
            triangle(rig, 3 * i);
        draw(rig);
        CHECK(rig, {1, 3}, {3, 12}, {4, 0}, {6, 8}, {9, 8});
        CHECK(rig, {2, early ? 4 : 0}, {5, early ? 0 : 4});
        rig_free(rig);
    }
}

/* --- user programs --- */

static void request(struct rig *rig, uint32_t pc, uint32_t uniforms)
{
    tess_vc4_write(rig->vc4, V3D_SRQUA, uniforms);
    tess_vc4_write(rig->vc4, V3D_SRQPC, pc);
}

static void run(struct rig *rig)
{
    assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_IDLE);
    assert_int_equal(rig->errors, 0);
}

/* 17 uniforms lie in two cache lines, and 20 instructions in three. One QPU works for 80 clocks
 * of instructions and 5 fetches of 44 clocks. */
TEST(uniforms_and_instructions)
{
    struct rig *rig = rig_new();
    uint64_t words[20];
    for (unsigned i = 0; i < 20; i++)
        words[i] = i < 17 ? move(R0, UNIFORM) : i == 17 ? signal(THREAD_END) : nop;
    put(rig, PROGRAM, words, 20);
    request(rig, PROGRAM, DATA);
    run(rig);
    CHECK(rig, {13, (QPUS - 1) * 300}, {14, 0}, {15, 0}, {16, 80}, {20, 17}, {21, 3}, {22, 15},
          {23, 2}, {28, 0}, {29, 5});
    /* The next program finds all lines in the caches of its slice. Later programs fetch lines
     * again after software has invalidated caches. */
    request(rig, PROGRAM, DATA);
    run(rig);
    CHECK(rig, {16, 160}, {20, 37}, {21, 3}, {22, 32}, {23, 2}, {28, 0}, {29, 5});
    tess_vc4_write(rig->vc4, V3D_SLCACTL, 0x00000101); /* invalidates instructions and uniforms
                                                          of slice 0 */
    request(rig, PROGRAM, DATA);
    run(rig);
    CHECK(rig, {21, 6}, {23, 4}, {28, 5}, {29, 5});
    tess_vc4_write(rig->vc4, V3D_SLCACTL, 0x00000e0e); /* invalidates those of the other slices */
    tess_vc4_write(rig->vc4, V3D_L2CACTL, 4);
    request(rig, PROGRAM, DATA);
    run(rig);
    CHECK(rig, {21, 6}, {23, 4}, {28, 5}, {29, 5});
    tess_vc4_write(rig->vc4, V3D_SLCACTL, 0x00000100);
    request(rig, PROGRAM, DATA);
    run(rig);
    CHECK(rig, {21, 6}, {23, 6}, {28, 5}, {29, 7}); /* software has invalidated the level 2 cache */
    tess_vc4_write(rig->vc4, V3D_L2CACTL, 2);
    tess_vc4_write(rig->vc4, V3D_SLCACTL, 0x00000100);
    request(rig, PROGRAM, DATA);
    run(rig);
    CHECK(rig, {23, 8}, {28, 5}, {29, 7}); /* software has disabled the level 2 cache */
    rig_free(rig);
}

/* All elements look up one word. The fetch of instructions takes 44 clocks. The request takes 36
 * clocks, and 44 more for its line. The next instruction reads the result. The second run finds
 * both lines in the caches. */
TEST(texture_units)
{
    struct rig *rig = rig_new();
    PUT(rig, PROGRAM, ldi(TMU0_S, DATA), signal(LOAD_TMU0), signal(THREAD_END), nop, nop);
    request(rig, PROGRAM, 0);
    run(rig);
    CHECK(rig, {13, (QPUS - 1) * (44 + 20 + 76)}, {16, 20}, {17, 80 - 4}, {21, 1}, {24, 4}, {25, 1},
          {28, 0}, {29, 2});
    request(rig, PROGRAM, 0);
    run(rig);
    CHECK(rig, {17, 76 + 36 - 4}, {24, 8}, {25, 1}, {29, 2});
    /* Three programs run on QPUs 0 to 2. QPU 1 sends its request to TMU0 at the same time as QPU
     * 0, and is served second. QPU 2 has TMU0 and TMU1 swapped, so it uses TMU1, and finds its
     * line in the level 2 cache. */
    for (unsigned i = 0; i < 3; i++)
        request(rig, PROGRAM, 0);
    run(rig);
    CHECK(rig, {17, 76 + 32 + 32 + (32 + 16) + 44}, {24, 20}, {25, 2}, {28, 1}, {29, 2});
    tess_vc4_write(rig->vc4, V3D_SLCACTL, 1 << 16); /* invalidates TMU0's cache in slice 0 */
    request(rig, PROGRAM, 0);
    run(rig);
    CHECK(rig, {25, 3}, {28, 2}, {29, 2});
    struct tess_vc4_stats stats;
    tess_vc4_get_stats(rig->vc4, &stats);
    assert_int_equal(stats.texture_lookups, 6);
    assert_int_equal(stats.texture_words, 6 * 16);
    rig_free(rig);
}

static uint64_t stalls(const struct rig *rig, enum tess_vc4_stall stall)
{
    struct tess_vc4_shader_stats shader;
    assert_true(tess_vc4_get_shader_stats(rig->vc4, 0, &shader));
    return shader.stalls[stall];
}

/* The QPUs of slice 0 write to the SFU in the same four clocks, so the SFU serves them one after
 * the other. The QPU of slice 1 uses the SFU of its own slice. Before the test, one program
 * fetches the line of instructions. */
TEST(special_functions)
{
    struct rig *rig = rig_new();
    PUT(rig, PROGRAM, nop, ldi(RECIP, 0x40000000), nop, nop, ldi(EXP, 0), signal(THREAD_END), nop,
        nop);
    request(rig, PROGRAM, 0);
    run(rig);
    assert_int_equal(stalls(rig, TESS_VC4_STALL_SFU), 0);
    for (unsigned i = 0; i < 5; i++)
        request(rig, PROGRAM, 0);
    run(rig);
    /* Times are in instructions of 4 clocks. QPU 0 uses the SFU at 1 and 4. QPU 1 uses it at 2
     * instead of 1, and at 5. QPU 2 uses it at 3 and 6. For QPU 3, the first free time is 7. */
    assert_int_equal(stalls(rig, TESS_VC4_STALL_SFU), 4 + 8 + 24);
    rig_free(rig);
}

/* QPU 1 waits for a semaphore that QPU 0 releases in its 21st instruction, after three lines
 * have been fetched. QPU 1 then executes its acquire and three more instructions. Only QPUs
 * without a program count idle clocks. */
TEST(idle_clocks)
{
    struct rig *rig = rig_new();
    uint64_t words[24];
    for (unsigned i = 0; i < 24; i++)
        words[i] = i == 20 ? UINT64_C(0xe80009e7) << 32 | 3 : i == 21 ? signal(THREAD_END) : nop;
    put(rig, PROGRAM, words, 24);
    PUT(rig, PROGRAM + 0x100, UINT64_C(0xe80009e7) << 32 | 16 | 3, signal(THREAD_END), nop, nop);
    request(rig, PROGRAM, 0);
    request(rig, PROGRAM + 0x100, 0);
    run(rig);
    enum { RELEASED = 20 * 4 + 3 * 44, FIRST = RELEASED + 4 * 4, SECOND = RELEASED + 4 * 4 };
    struct tess_vc4_shader_stats shader;
    assert_true(tess_vc4_get_shader_stats(rig->vc4, 1, &shader));
    assert_int_equal(shader.cycles, SECOND);
    /* The line of this program arrives after the line of the other program. The SDRAM is busy
     * for 16 clocks with the other line, and for 19 with a line that is written back. This
     * program's line then needs 16 clocks of the SDRAM, 8 for the bus, and 10 to the cache. */
    assert_int_equal(shader.stalls[TESS_VC4_STALL_WAIT], RELEASED - (16 + 19 + 16 + 8 + 10));
    CHECK(rig, {13, FIRST * (QPUS - 2)}, {16, 28 * 4});
    rig_free(rig);
}

/* --- registers --- */

static uint32_t counter(const struct rig *rig, uint32_t n)
{
    return tess_vc4_read(rig->vc4, V3D_PCTR0 + 8 * n);
}

/* Runs five instructions, 4 clocks each. */
static void run_five(struct rig *rig)
{
    request(rig, PROGRAM, 0);
    run(rig);
}

TEST(counters_are_views)
{
    struct rig *rig = rig_new();
    PUT(rig, PROGRAM, nop, nop, signal(THREAD_END), nop, nop);
    tess_vc4_write(rig->vc4, V3D_PCTRS0, 16);
    tess_vc4_write(rig->vc4, V3D_PCTRS0 + 8 * 15, 16);
    run_five(rig);
    assert_int_equal(counter(rig, 0), 0); /* counters are not enabled */
    tess_vc4_write(rig->vc4, V3D_PCTRE, 0x80008001);
    assert_int_equal(tess_vc4_read(rig->vc4, V3D_PCTRE), 0x80008001);
    run_five(rig);
    assert_int_equal(counter(rig, 0), 20);
    assert_int_equal(counter(rig, 15), 20);
    tess_vc4_write(rig->vc4, V3D_PCTRE, 0x80008000); /* counter 0 stops, counter 15 continues */
    run_five(rig);
    assert_int_equal(counter(rig, 0), 20);
    assert_int_equal(counter(rig, 15), 40);
    tess_vc4_write(rig->vc4, V3D_PCTRE, 0x00008001);
    run_five(rig);
    assert_int_equal(counter(rig, 15), 40); /* without bit 31 no counter counts, not even counter
                                               15 */
    assert_int_equal(rig->kept, 0);
    assert_int_equal(counter(rig, 0), 20);
    assert_string_equal(rig->rules[0], "v3d-counter");
    assert_int_equal(counter(rig, 15), 40);
    tess_vc4_write(rig->vc4, V3D_PCTRE, 0x80008001);
    tess_vc4_write(rig->vc4, V3D_PCTR0, 0xfffffff0);
    tess_vc4_write(rig->vc4, V3D_PCTRC, 1 << 15);
    run_five(rig);
    assert_int_equal(counter(rig, 0), 4); /* counters wrap at 32 bits */
    assert_int_equal(counter(rig, 15), 20);
    tess_vc4_write(rig->vc4, V3D_PCTRS0 + 8 * 15,
                   20); /* with a new source, the counter continues from its value */
    assert_int_equal(tess_vc4_read(rig->vc4, V3D_PCTRS0 + 8 * 15), 20);
    run_five(rig);
    assert_int_equal(counter(rig, 15), 20 + 5);
    tess_vc4_write(rig->vc4, V3D_PCTRS0 + 8 * 15, 0xffffffff); /* selects source 31, which does
                                                                  not exist */
    assert_int_equal(tess_vc4_read(rig->vc4, V3D_PCTRS0 + 8 * 15), 31);
    run_five(rig);
    assert_int_equal(counter(rig, 15), 25);
    assert_int_equal(tess_vc4_counter(rig->vc4, 16),
                     7 * 20); /* the device's statistics are not cleared */
    rig_free(rig);
}

/* --- the same counts with any number of host threads --- */

struct counts {
    uint64_t of[TESS_VC4_COUNTERS];
    struct tess_vc4_stats stats;
    struct tess_vc4_shader_stats shader;
};

static struct counts count_mixed(uint32_t threads, bool sanitize)
{
    struct tess_vc4_options options = {.machine.threads = threads, .machine.sanitize = sanitize};
    struct rig *rig = new_frame(1);
    PUT(rig, RIG_SHADER, nop, ldi(RECIP, 0x40000000), move(R0, UNIFORM), ldi(TMU0_S, DATA),
        move(R1, VARYING), ldi(EXP, 0), nop, nop, nop, nop, ldi(RECIP, 0), nop, move(R0, UNIFORM),
        signal(LOAD_TMU0), ldi(46, RIG_WHITE), signal(UNLOCK), signal(THREAD_END), nop, nop);
    rig_shader_record(rig, 1, 16, 1);
    rig->at = RIG_VERTICES;
    for (unsigned i = 0; i < 3; i++) {
        rig_vertex(rig, i == 1 ? 256 : 0, i == 2 ? 256 : 0);
        rig_f32(rig, 1);
    }
    struct tess_vc4 *before = rig->vc4;
    assert_int_equal(tess_vc4_create(&rig->vc4, &options), TESS_OK);
    assert_int_equal(tess_vc4_map(rig->vc4, 0, RIG_MEMORY, rig->memory), TESS_OK);
    rig_begin_bin(rig, RIG_LISTS_SIZE, 4);
    triangle(rig, 0);
    clip_window(rig, 4, 4);
    triangle(rig, 0);
    triangle(rig, 0);
    for (unsigned frames = 0; frames < 2; frames++) {
        uint32_t end = rig->at;
        if (frames == 0)
            rig_u8(rig, 4);
        else
            end--;
        assert_int_equal(rig_frame(rig, end + 1, 32), TESS_VC4_IDLE);
        rig->at = end + 1;
        request(rig, PROGRAM, 0);
        PUT(rig, PROGRAM, nop, nop, signal(THREAD_END), nop, nop);
        assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_IDLE);
    }
    struct counts counts;
    memset(&counts, 0, sizeof counts);
    for (uint32_t i = 0; i < TESS_VC4_COUNTERS; i++)
        counts.of[i] = tess_vc4_counter(rig->vc4, i);
    tess_vc4_get_stats(rig->vc4, &counts.stats);
    assert_true(tess_vc4_get_shader_stats(rig->vc4, 0, &counts.shader));
    tess_vc4_destroy(rig->vc4);
    rig->vc4 = before;
    rig_free(rig);
    return counts;
}

TEST(counts_do_not_depend_on_who_draws)
{
    struct counts one = count_mixed(1, false);
    assert_int_equal(one.of[3], 2 * (4 * 1024 + 2 * 4));
    assert_true(one.of[18] > 0);
    assert_true(one.shader.stalls[TESS_VC4_STALL_SFU] > 0);
    for (unsigned i = 0; i < 4; i++) {
        struct counts other = count_mixed(i & 1 ? 4 : 1, i & 2);
        assert_memory_equal(&one, &other, sizeof one);
    }
}
