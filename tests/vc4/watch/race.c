/* SPDX-License-Identifier: MIT */
/* Tests of the race detector, and of the sanitizer's findings on the VPM, with whole programs on
 * a whole device. The VPM's own tests are in vpm.c. Unless a comment names another origin,
 * instructions are those of asurati/x03 demo/d3.c and of article 000's user program, with other
 * immediates. */
#include "../../register.h"
#include "../rig.h"

enum { OUT = 0x9000, OTHER = 0x9100 };

/* Words of "li register, -, value". Register 48 is the VPM, 49 the setup (of reads in file A, of
 * writes in file B), and 50 the DMA address. */
#define LOAD(high, value)  (UINT64_C(high) << 32 | (uint32_t)(value))
#define WRITE_SETUP(value) LOAD(0xe0021c67, value)
#define READ_SETUP(value)  LOAD(0xe0020c67, value)
#define VPM(value)         LOAD(0xe0020c27, value)
#define STORE(address)     LOAD(0xe0021ca7, address)
#define FETCH(address)     LOAD(0xe0020ca7, address)

/* VPM setups of 32-bit rows, by manual tables 32 to 36. */
#define WRITE_ROW(row)        WRITE_SETUP(0x1a00 | (row))
#define READ_ROWS(row, count) READ_SETUP((count) << 20 | 0x1a00 | (row))
#define STORE_ROW(row)        WRITE_SETUP(0x80904000 | (row) << 7)
#define LOAD_ROW(row)         READ_SETUP(0x81010000 | (row) << 4)

static const uint64_t nop = UINT64_C(0x100009e7009e7000);
static const uint64_t end = UINT64_C(0x300009e7009e7000);
static const uint64_t take = UINT64_C(0xd002002715c00dc0);       /* ori a0, vpr, 0 */
static const uint64_t wait_store = UINT64_C(0x100209e7159f2e00); /* or -, vdw_wait, r0 */
static const uint64_t wait_load = UINT64_C(0x100209e715ca7c00);  /* or -, vdr_wait, r0 */
static const uint64_t take_mutex = UINT64_C(0x100209e715ce7c00); /* or -, mutex, r0 (register 51) */
static const uint64_t give_mutex = UINT64_C(0xe0020ce700000000); /* li mutex, -, 0 */
static const uint64_t release = UINT64_C(0xe80009e700000003);    /* semaphore 3: sig 14, unpack 4 */
static const uint64_t acquire = UINT64_C(0xe80009e700000013);

/* Instructions of two programs, each list ending with 0, and the expected rule. The rule is NULL
 * if no finding is expected. */
struct scene {
    uint64_t program[2][16];
    const char *rule;
};

static void run_scene(const struct scene *scene, bool sanitize)
{
    struct rig *rig = rig_new();
    struct tess_vc4_options options = {.machine.sink = {rig_report, rig},
                                       .machine.sanitize = sanitize};
    tess_vc4_destroy(rig->vc4);
    assert_int_equal(tess_vc4_create(&rig->vc4, &options), TESS_OK);
    assert_int_equal(tess_vc4_map(rig->vc4, 0, RIG_MEMORY, NULL), TESS_OK);
    rig->memory = tess_vc4_memory(rig->vc4, 0, RIG_MEMORY);
    for (uint32_t n = 0; n < 2 && scene->program[n][0]; n++) {
        uint32_t address = 0x5000 + 0x200 * n;
        const uint64_t *word = scene->program[n];
        for (; *word; word++, address += 8)
            store_le64(rig->memory + address, *word);
        store_le64(rig->memory + address, end);
        store_le64(rig->memory + address + 8, nop);
        store_le64(rig->memory + address + 16, nop);
        tess_vc4_write(rig->vc4, V3D_SRQPC, 0x5000 + 0x200 * n);
    }
    assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_IDLE);
    if (scene->rule && sanitize) {
        assert_int_equal(rig->kept, 1);
        assert_string_equal(rig->rules[0], scene->rule);
    } else if (rig->kept) {
        fail_msg("%s: %s", rig->rules[0], rig->texts[0]);
    }
    rig_free(rig);
}

static void run_scenes(const struct scene *scenes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        run_scene(&scenes[i], true);
        run_scene(&scenes[i], false);
    }
}

#define RUN(scenes) run_scenes(scenes, sizeof(scenes) / sizeof *(scenes))

TEST(two_write_a_row)
{
    static const struct scene scenes[] = {
        /* clang-format off */
        /* clang-format off */
        {{{WRITE_ROW(4), VPM(1)},          {WRITE_ROW(4), VPM(2)}},          "vpm-race"},
        {{{WRITE_ROW(4), VPM(1)},          {WRITE_ROW(5), VPM(2)}},          NULL},
        {{{WRITE_ROW(4), VPM(1), release}, {acquire, WRITE_ROW(4), VPM(2)}}, NULL},
        {{{WRITE_ROW(4), release, VPM(1)}, {acquire, WRITE_ROW(4), VPM(2)}}, "vpm-race"},
        {{{take_mutex, WRITE_ROW(4), VPM(1), give_mutex},
          {take_mutex, WRITE_ROW(4), VPM(2), give_mutex}},
         NULL},
        /* clang-format on */
        /* clang-format on */
    };
    RUN(scenes);
}

TEST(one_reads_what_the_other_writes)
{
    static const struct scene scenes[] = {
        {{{WRITE_ROW(4), VPM(1), release, VPM(1)}, {acquire, READ_ROWS(4, 1), nop, nop, nop, take}},
         NULL},
        {{{WRITE_ROW(4), VPM(1), release, WRITE_ROW(4), VPM(1)},
          {acquire, READ_ROWS(4, 1), nop, nop, nop, take}},
         "vpm-race"},
        /* In these scenes a store is the reader of the row. */
        {{{WRITE_ROW(4), VPM(1), release, VPM(1)}, {acquire, STORE_ROW(4), STORE(OUT), wait_store}},
         NULL},
        {{{WRITE_ROW(4), VPM(1), release, STORE_ROW(4), STORE(OUT), wait_store},
          {acquire, WRITE_ROW(4), VPM(2)}},
         "vpm-race"},
    };
    RUN(scenes);
}

TEST(two_store_to_a_place)
{
    static const struct scene scenes[] = {
        {{{WRITE_ROW(4), VPM(1), STORE_ROW(4), STORE(OUT), wait_store},
          {WRITE_ROW(5), VPM(2), STORE_ROW(5), STORE(OUT + 60), wait_store}},
         "memory-race"},
        {{{WRITE_ROW(4), VPM(1), STORE_ROW(4), STORE(OUT), wait_store},
          {WRITE_ROW(5), VPM(2), STORE_ROW(5), STORE(OUT + 64), wait_store}},
         NULL},
        {{{WRITE_ROW(4), VPM(1), STORE_ROW(4), STORE(OUT), wait_store, release},
          {WRITE_ROW(5), VPM(2), acquire, STORE_ROW(5), STORE(OUT), wait_store}},
         NULL},
        /* The semaphore is released while the store is still running. */
        {{{WRITE_ROW(4), VPM(1), STORE_ROW(4), STORE(OUT), release, wait_store},
          {acquire, LOAD_ROW(8), FETCH(OUT), wait_load}},
         "memory-race"},
    };
    RUN(scenes);
}

/* Tests the findings that a single program can cause. */
TEST(a_program_alone)
{
    static const struct scene scenes[] = {
        {{{READ_ROWS(4, 1), nop, nop, nop, take}}, "vpm-uninitialised"},
        {{{WRITE_ROW(4), VPM(1), READ_ROWS(4, 1), nop, nop, nop, take}}, NULL},
        {{{WRITE_ROW(4), VPM(1), READ_ROWS(4, 1), nop, nop, take}}, "vpm-read-latency"},
        {{{WRITE_ROW(4), VPM(1), STORE_ROW(4), STORE(OUT), WRITE_ROW(4), VPM(2), wait_store}},
         "vpm-dma-unfinished"},
        {{{WRITE_ROW(4), VPM(1), STORE_ROW(4), STORE(OUT), WRITE_ROW(5), VPM(2), wait_store}},
         NULL},
        {{{LOAD_ROW(4), FETCH(OUT), READ_ROWS(4, 1), nop, nop, nop, take, wait_load}},
         "vpm-dma-unfinished"},
        {{{LOAD_ROW(4), FETCH(OUT), wait_load, READ_ROWS(4, 1), nop, nop, nop, take}}, NULL},
        {{{WRITE_ROW(4), VPM(1), VPM(1), READ_ROWS(4, 2), WRITE_ROW(5), nop, nop, take, VPM(2),
           take}},
         "vpm-write-before-read"},
        {{{WRITE_ROW(4), VPM(1), VPM(1), READ_ROWS(4, 2), WRITE_ROW(4), nop, nop, take, VPM(2),
           take}},
         NULL},
    };
    RUN(scenes);
}

/* The program ends without waiting for its store. */
TEST(a_store_that_nobody_waits_for)
{
    static const struct scene scene = {
        {{WRITE_ROW(4), VPM(1), STORE_ROW(4), STORE(OTHER), nop, nop, nop}}, "vpm-dma-left"};
    run_scene(&scene, true);
}
