/* SPDX-License-Identifier: MIT */
/* Tests of tile jobs: a frame of 64 tiles, some of which depend on earlier tiles. Memory, findings,
 * statistics and counters must be the same for any number of host threads, and the pixels must be
 * those of a run in which each tile is drawn after the tile before it. */
#include "../../register.h"
#include "../qpu/program.h"
#include "../rig.h"

#include "base/hash.h"

enum {
    WIDTH = 512, /* pixels of the frame, in x and in y */
    TILE = 64,   /* pixels of a tile, in x and in y */
    ROW = WIDTH / TILE,
    TILES = ROW * ROW,
    CODE = 0x6000,      /* a program of 256 bytes for each kind of tile */
    UNIFORMS = 0xa000,  /* 16 bytes for each tile */
    RECORDS = 0x14000,  /* 16 bytes for each tile */
    VERTICES = 0x20000, /* three vertices of 12 bytes for each tile */
    REPEATS = 4,
};

/* A tile draws one pixel group, whose colour is the first uniform or the word at this address. */
enum kind { FLAT, LOOKS_UP, RELEASES, ACQUIRES, INTERRUPTS, KINDS };

#define BEGIN "nop\nnop\n"
#define END              \
    "mov tlbc, r0\n"     \
    "nop; nop; sbdone\n" \
    "nop; nop; thrend\n" \
    "nop\n"              \
    "nop\n"

static const char *const sources[KINDS] = {
    [FLAT] = BEGIN "mov r0, unif\n" END,
    [LOOKS_UP] = BEGIN "mov tmu0_s, unif\nnop; nop; ldtmu0\nmov r0, r4\n" END,
    [RELEASES] = BEGIN "mov r0, unif\nsrel -, 3\n" END,
    [ACQUIRES] = BEGIN "mov r0, unif\nsacq -, 3\n" END,
    [INTERRUPTS] = BEGIN "mov r0, unif\nmov irq, 1\n" END,
};

struct frame {
    enum kind kind[TILES];
    uint32_t uniform[TILES];
};

static uint32_t colour_of(uint32_t tile)
{
    return 0xff000000 | tile * 0x10203;
}

static uint32_t pixel_address(uint32_t tile)
{
    return RIG_FRAME + (tile / ROW * TILE * WIDTH + tile % ROW * TILE) * 4;
}

static struct frame flat_frame(void)
{
    struct frame frame = {0};
    for (uint32_t tile = 0; tile < TILES; tile++)
        frame.uniform[tile] = colour_of(tile);
    return frame;
}

/* Makes a tile draw the pixel that an earlier tile has stored. */
static void look_up(struct frame *frame, uint32_t tile, uint32_t earlier)
{
    frame->kind[tile] = LOOKS_UP;
    frame->uniform[tile] = pixel_address(earlier);
}

static void put_tile(struct rig *rig, const struct frame *frame, uint32_t tile)
{
    const double x = tile % ROW * TILE, y = tile / ROW * TILE;
    store_le32(rig->memory + UNIFORMS + 16 * tile, frame->uniform[tile]);
    rig->at = RECORDS + 16 * tile;
    rig_u8(rig, 1);
    rig_u8(rig, 12);
    rig_u16(rig, 1);
    rig_u32(rig, CODE + 256 * (uint32_t)frame->kind[tile]);
    rig_u32(rig, UNIFORMS + 16 * tile);
    rig_u32(rig, VERTICES + 36 * tile);
    rig->at = VERTICES + 36 * tile;
    rig_vertex(rig, x, y);
    rig_vertex(rig, x + 4, y);
    rig_vertex(rig, x, y + 4);
}

static void list_tile(struct rig *rig, uint32_t tile)
{
    rig_u8(rig, 115);
    rig_u8(rig, tile % ROW);
    rig_u8(rig, tile / ROW);
    rig_u8(rig, 65);
    rig_u32(rig, RECORDS + 16 * tile);
    rig_array(rig, 4, 3, 0);
    rig_u8(rig, tile == TILES - 1 ? 25 : 24);
}

/* Writes the rendering list, and returns the address of its end. */
static uint32_t list_frame(struct rig *rig)
{
    rig->at = RIG_RENDER;
    rig_u8(rig, 114);
    rig_u32(rig, RIG_CLEAR);
    rig_u32(rig, RIG_CLEAR);
    rig_u32(rig, 0xffffff);
    rig_u8(rig, 0);
    rig_u8(rig, 113);
    rig_u32(rig, RIG_FRAME);
    rig_u16(rig, WIDTH);
    rig_u16(rig, WIDTH);
    rig_u16(rig, 4);
    rig_u8(rig, 115);
    rig_u16(rig, 0);
    rig_u8(rig, 28);
    rig_u16(rig, 0);
    rig_u32(rig, 0);
    rig_u8(rig, 102);
    rig_u32(rig, 0);
    rig_u16(rig, WIDTH);
    rig_u16(rig, WIDTH);
    rig_u8(rig, 96);
    rig_u8(rig, 3);
    rig_u16(rig, 0);
    rig_u8(rig, 103);
    rig_u32(rig, 0);
    for (uint32_t tile = 0; tile < TILES; tile++)
        list_tile(rig, tile);
    return rig->at;
}

struct outcome {
    enum tess_vc4_stop stop;
    uint32_t at; /* V3D_CT1CA */
    unsigned errors, warnings, interrupts;
    uint64_t memory, findings, counters;
    struct tess_vc4_stats stats;
};

static void collect(struct outcome *outcome, struct rig *rig)
{
    outcome->at = tess_vc4_read(rig->vc4, V3D_CT1CA);
    outcome->errors = rig->errors;
    outcome->warnings = rig->warnings;
    outcome->interrupts = rig->interrupts;
    outcome->memory = hash_bytes(HASH_START, rig->memory, RIG_MEMORY);
    outcome->findings = hash_bytes(HASH_START, (const uint8_t *)rig->texts, sizeof rig->texts);
    outcome->counters = HASH_START;
    for (uint32_t id = 0; id < TESS_VC4_COUNTERS; id++) {
        uint64_t counter = tess_vc4_counter(rig->vc4, id);
        outcome->counters = hash_bytes(outcome->counters, (const uint8_t *)&counter,
                                       sizeof counter);
    }
    tess_vc4_get_stats(rig->vc4, &outcome->stats);
}

/* Draws the frame. If pixel is not NULL, also returns the first pixel of each tile. */
static struct outcome draw(const struct frame *frame, uint32_t threads, uint32_t *pixel)
{
    struct outcome outcome;
    memset(&outcome, 0, sizeof outcome);
    struct rig *rig = rig_new_threads(0, threads);
    rig->acknowledge = true;
    for (unsigned kind = 0; kind < KINDS; kind++)
        program_assemble(rig->memory + CODE + 256 * kind, sources[kind]);
    for (uint32_t tile = 0; tile < TILES; tile++)
        put_tile(rig, frame, tile);
    tess_vc4_write(rig->vc4, V3D_DBCFG, 1);
    tess_vc4_write(rig->vc4, V3D_DBQITE, 0xffff);
    rig_start(rig, 1, RIG_RENDER, list_frame(rig));
    outcome.stop = tess_vc4_run(rig->vc4);
    collect(&outcome, rig);
    for (uint32_t tile = 0; tile < TILES && pixel; tile++)
        pixel[tile] = load_le32(rig->memory + pixel_address(tile));
    rig_free(rig);
    return outcome;
}

/* Draws the frame with one thread, and checks that other numbers of threads give the same
 * results. */
static struct outcome draw_all(const struct frame *frame, uint32_t pixel[TILES])
{
    static const uint32_t threads[] = {2, 3, 8};
    const struct outcome one = draw(frame, 1, pixel);
    for (unsigned repeat = 0; repeat < REPEATS; repeat++)
        for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
            const struct outcome other = draw(frame, threads[i], NULL);
            assert_memory_equal(&one, &other, sizeof one);
        }
    return one;
}

TEST(independent_tiles)
{
    uint32_t pixel[TILES];
    const struct frame frame = flat_frame();
    const struct outcome outcome = draw_all(&frame, pixel);
    assert_int_equal(outcome.stop, TESS_VC4_IDLE);
    assert_int_equal(outcome.errors, 0);
    assert_int_equal(outcome.stats.tiles, TILES + 1); /* the first store only clears */
    for (uint32_t tile = 0; tile < TILES; tile++)
        assert_int_equal(pixel[tile], colour_of(tile));
}

/* Every third tile draws the pixel of the tile before it; tile 50 draws a pixel of tile 2, which
 * was stored long before. */
TEST(tiles_that_read_earlier_tiles)
{
    uint32_t pixel[TILES];
    struct frame frame = flat_frame();
    for (uint32_t tile = 1; tile < TILES; tile += 3)
        look_up(&frame, tile, tile - 1);
    look_up(&frame, 41, 40);
    look_up(&frame, 50, 2);
    assert_int_equal(draw_all(&frame, pixel).errors, 0);
    for (uint32_t tile = 1; tile < TILES; tile += 3)
        assert_int_equal(pixel[tile], colour_of(tile - 1));
    assert_int_equal(pixel[41], colour_of(39)); /* by way of tile 40 */
    assert_int_equal(pixel[50], colour_of(2));
}

/* Tile 30 waits for the semaphore that tile 9 releases. */
TEST(tiles_that_share_a_semaphore)
{
    uint32_t pixel[TILES];
    struct frame frame = flat_frame();
    frame.kind[9] = RELEASES;
    frame.kind[30] = ACQUIRES;
    const struct outcome outcome = draw_all(&frame, pixel);
    assert_int_equal(outcome.stop, TESS_VC4_IDLE);
    assert_int_equal(outcome.errors, 0);
    assert_int_equal(pixel[30], colour_of(30));
}

/* A tile waits for a semaphore forever. The tiles before it are stored, the others are not. */
TEST(a_tile_that_hangs)
{
    static const uint32_t places[] = {0, 1, 20, TILES - 1};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        uint32_t pixel[TILES];
        struct frame frame = flat_frame();
        frame.kind[places[i]] = ACQUIRES;
        const struct outcome outcome = draw_all(&frame, pixel);
        assert_int_equal(outcome.stop, TESS_VC4_STUCK);
        assert_int_equal(outcome.errors, 1);
        for (uint32_t tile = 0; tile < TILES; tile++)
            assert_int_equal(pixel[tile], tile < places[i] ? colour_of(tile) : 0);
    }
}

/* The host handles an interrupt while other tiles are drawn. */
TEST(a_tile_that_interrupts_the_host)
{
    struct frame frame = flat_frame();
    frame.kind[11] = INTERRUPTS;
    look_up(&frame, 13, 12);
    assert_int_equal(draw_all(&frame, (uint32_t[TILES]){0}).interrupts, 1);
}
