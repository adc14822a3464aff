/* SPDX-License-Identifier: MIT */
/* Tests of the control list executor through its registers: control flow, semaphores, errors,
 * primitive lists. Expected values are worked out by hand from manual sections 8 and 9 and register
 * tables 49 to 57. */
#include "../../register.h"
#include "../rig.h"

enum { CS_RESET = 1 << 15, CS_RUN = 1 << 5, CS_SUB = 1 << 4, CS_ERROR = 1 << 3 };

static uint32_t reg(struct rig *rig, uint32_t offset)
{
    return tess_vc4_read(rig->vc4, offset);
}

/* Copies the bytes to RIG_BIN and runs them as a binning list (thread 0) or a rendering list
 * (thread 1). */
static enum tess_vc4_stop run_bytes(struct rig *rig, unsigned thread, const uint8_t *bytes,
                                    size_t size)
{
    memcpy(rig->memory + RIG_BIN, bytes, size);
    rig_start(rig, thread, RIG_BIN, RIG_BIN + (uint32_t)size);
    return tess_vc4_run(rig->vc4);
}

TEST(an_empty_list_does_not_start)
{
    struct rig *rig = rig_new();
    tess_vc4_write(rig->vc4, V3D_CT0CA, RIG_BIN);
    tess_vc4_write(rig->vc4, V3D_CT0EA, RIG_BIN);
    assert_int_equal(reg(rig, V3D_CT0CS), 0);
    tess_vc4_write(rig->vc4, V3D_CT0EA, RIG_BIN + 1);
    assert_int_equal(reg(rig, V3D_CT0CS) & CS_RUN, CS_RUN);
    assert_int_equal(reg(rig, 0x130) & 3, 3); /* the PCS register: binning is active and busy */
    rig->memory[RIG_BIN] = 1;
    assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_IDLE);
    assert_int_equal(reg(rig, V3D_CT0CS), 0);
    assert_int_equal(reg(rig, V3D_CT0CA), RIG_BIN + 1);
    /* A later write of the end address resumes a list that has reached its end. */
    rig->memory[RIG_BIN + 1] = 1;
    tess_vc4_write(rig->vc4, V3D_CT0EA, RIG_BIN + 2);
    assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_IDLE);
    assert_int_equal(reg(rig, V3D_CT0CA), RIG_BIN + 2);
    assert_int_equal(rig->errors, 0);
    rig_free(rig);
}

TEST(halt_and_go_on)
{
    struct rig *rig = rig_new();
    static const uint8_t list[] = {1, 0, 1};
    assert_int_equal(run_bytes(rig, 1, list, sizeof list), TESS_VC4_IDLE);
    assert_int_equal(reg(rig, V3D_CT1CS), CS_SUB); /* stopped at the halt record */
    assert_int_equal(reg(rig, V3D_CT1CA), RIG_BIN + 2);
    tess_vc4_write(rig->vc4, V3D_CT1EA, RIG_BIN + 3); /* a new end address does not start a
                                                         halted thread */
    assert_int_equal(reg(rig, V3D_CT1CS), CS_SUB);
    tess_vc4_write(rig->vc4, V3D_CT1CS, CS_SUB);
    assert_int_equal(reg(rig, V3D_CT1CS), CS_RUN);
    assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_IDLE);
    assert_int_equal(reg(rig, V3D_CT1CA), RIG_BIN + 3);
    /* The host halts the running thread. */
    tess_vc4_write(rig->vc4, V3D_CT1EA, RIG_BIN + 4);
    tess_vc4_write(rig->vc4, V3D_CT1CS, CS_RUN);
    assert_int_equal(reg(rig, V3D_CT1CS), CS_SUB);
    tess_vc4_write(rig->vc4, V3D_CT1CS, 1 << 15);
    assert_int_equal(reg(rig, V3D_CT1CS), 0);
    rig_free(rig);
}

TEST(sub_lists_nest_twice)
{
    struct rig *rig = rig_new();
    rig->at = 0x3000; /* the outer sub-list */
    rig_u8(rig, 17);
    rig_u32(rig, 0x3100);
    rig_u8(rig, 0); /* halts, so that the test can read the return address */
    rig_u8(rig, 18);
    rig->at = 0x3100;
    rig_u8(rig, 18);
    static const uint8_t list[] = {17, 0, 0x30, 0, 0, 18, 1};
    assert_int_equal(run_bytes(rig, 1, list, sizeof list), TESS_VC4_IDLE);
    assert_int_equal(reg(rig, V3D_CT1CS), CS_SUB | 1 << 8);
    assert_int_equal(reg(rig, V3D_CT01RA0), RIG_BIN + 5);
    tess_vc4_write(rig->vc4, V3D_CT1CS, CS_SUB);
    assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_IDLE);
    /* The return with an empty stack was ignored, but all three returns were counted. */
    assert_int_equal(reg(rig, V3D_CT1CA), RIG_BIN + 7);
    assert_int_equal(reg(rig, V3D_CT1LC), 3);
    tess_vc4_write(rig->vc4, V3D_CT1LC, 1);
    assert_int_equal(reg(rig, V3D_CT1LC), 0);
    assert_int_equal(rig->errors, 0);

    rig->at = 0x3100; /* calls a third level of sub-lists, which is too deep */
    rig_u8(rig, 17);
    rig_u32(rig, 0x3200);
    run_bytes(rig, 1, list, sizeof list);
    assert_string_equal(rig->rules[0], "cl-nesting");
    assert_int_equal(reg(rig, V3D_CT1CS) & CS_ERROR, CS_ERROR);
    rig_free(rig);
}

TEST(broken_lists)
{
    static const struct {
        unsigned thread;
        uint8_t bytes[16];
        size_t size;
        const char *rule;
    } cases[] = {
        /* clang-format off */
        {0, {255},                                          1,  "cl-unknown-record"},
        {1, {1, 9},                                         2,  "cl-unknown-record"},
        {0, {102, 0, 0, 0},                                 4,  "cl-truncated"},
        {0, {112},                                          1,  "cl-truncated"},
        {0, {24},                                           1,  "cl-wrong-list"},
        {1, {4},                                            1,  "cl-wrong-list"},
        /* primitives before Start Tile Binning */
        {0, {33, 4, 3, 0, 0, 0, 0, 0, 0, 0},                10, "cl-order"},
        /* primitives before Tile Rendering Mode */
        {1, {33, 4, 3, 0, 0, 0, 0, 0, 0, 0},                10, "tlb-order"},
        /* invalid primitive mode 9 */
        {0, {33, 9, 3, 0, 0, 0, 0, 0, 0, 0},                10, "cl-field"},
        /* invalid index type 2 */
        {0, {32, 0x24, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, 14, "cl-field"},
        /* branch to unmapped memory */
        {0, {16, 0, 0, 0x80, 0},                            5,  "bus-unmapped"},
        {1, {19},                                           1,  "not-modelled"},
        /* invalid VG primitive type 2 */
        {0, {41, 2, 0, 0, 0, 0, 0, 0, 0, 0},                10, "cl-field"},
        {0, {41, 4, 0, 0, 0, 0, 0, 0, 0, 0},                10, "cl-order"},
        /* a store before Tile Rendering Mode */
        {1, {115, 0, 0, 24},                                4,  "tlb-order"},
        {1, {48},                                           1,  "tlb-order"},
        /* clang-format on */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct rig *rig = rig_new();
        run_bytes(rig, cases[i].thread, cases[i].bytes, cases[i].size);
        assert_true(rig->kept > 0);
        assert_string_equal(rig->rules[0], cases[i].rule);
        rig_free(rig);
    }
}

TEST(an_error_names_the_place)
{
    struct rig *rig = rig_new();
    static const uint8_t list[] = {1, 1, 0xfa, 0xde};
    assert_int_equal(run_bytes(rig, 0, list, sizeof list), TESS_VC4_IDLE);
    assert_int_equal(reg(rig, V3D_CT0CS), CS_ERROR);
    assert_int_equal(reg(rig, V3D_CT0CA), RIG_BIN + 2);
    assert_true(rig->place.known & TESS_PLACE_LIST);
    assert_int_equal(rig->place.list_address, RIG_BIN + 2);
    assert_int_equal(rig->place.record, 0xfa);
    assert_non_null(strstr(rig->texts[0], "fa de"));
    assert_int_equal(tess_vc4_error_count(rig->vc4), 1);
    rig_free(rig);
}

/* Table 49, CTERR: "Set when stopped with an error, Cleared on restarting". */
TEST(errors_are_cleared_by_restarting)
{
    for (unsigned way = 0; way < 3; way++) {
        struct rig *rig = rig_new();
        static const uint8_t list[] = {1, 0xfa, 1, 1};
        run_bytes(rig, 1, list, sizeof list);
        assert_int_equal(reg(rig, V3D_CT1CS), CS_ERROR);
        if (way == 0) {
            tess_vc4_write(rig->vc4, V3D_CT1CS, 1u << 15);
            assert_int_equal(reg(rig, V3D_CT1CS), 0);
        } else {
            if (way == 1)
                rig->memory[RIG_BIN + 1] = 1; /* a valid record at the address of the error */
            else
                tess_vc4_write(rig->vc4, V3D_CT1CA, RIG_BIN + 2);
            tess_vc4_write(rig->vc4, V3D_CT1EA, RIG_BIN + 4);
            assert_int_equal(reg(rig, V3D_CT1CS), CS_RUN);
            assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_IDLE);
            assert_int_equal(reg(rig, V3D_CT1CA), RIG_BIN + 4);
            assert_int_equal(reg(rig, V3D_CT1CS), 0);
        }
        assert_int_equal(rig->errors, 1);
        rig_free(rig);
    }
}

/* Record 112 enables multisampling, so tiles of the binning list have 32 x 32 pixels. Record 113
 * does not enable it. */
TEST(tiles_of_two_sizes)
{
    struct rig *rig = rig_new();
    rig_flat_shader(rig, RIG_WHITE);
    rig_shader_record(rig, 1, 12, 0);
    rig_begin_bin(rig, RIG_LISTS_SIZE, 1 | 4);
    rig_u8(rig, 4);
    rig_frame(rig, rig->at, 32);
    assert_true(rig->errors > 0);
    assert_string_equal(rig->rules[0], "tlb-tile-size");
    rig_free(rig);
}

TEST(endless_branch_hits_the_budget)
{
    struct rig *rig = rig_new();
    static const uint8_t list[] = {16, 0, 0x10, 0, 0, 1};
    assert_int_equal(run_bytes(rig, 0, list, sizeof list), TESS_VC4_BUDGET);
    assert_string_equal(rig->rules[0], "budget");
    rig_free(rig);
}

TEST(waiting_for_nobody)
{
    struct rig *rig = rig_new();
    static const uint8_t list[] = {8, 1};
    assert_int_equal(run_bytes(rig, 1, list, sizeof list), TESS_VC4_STUCK);
    assert_int_equal(reg(rig, V3D_CT1CS), CS_RUN | CS_SUB);
    assert_int_equal(rig->errors, 0); /* not an error yet: the host may still start the other
                                         thread */
    tess_vc4_report_stuck(rig->vc4);
    assert_string_equal(rig->rules[0], "cl-semaphore-wait");
    assert_int_equal(rig->place.list_address, RIG_BIN);
    /* Broadcom's driver (khrn_prod_4.c) finds that V3D_CT1CA points after the record, stops the
     * thread, and starts the thread with another list. */
    assert_int_equal(reg(rig, V3D_CT1CA), RIG_BIN + 1);
    tess_vc4_write(rig->vc4, V3D_CT1CS, CS_RUN);
    assert_int_equal(reg(rig, V3D_CT1CS), CS_SUB);
    tess_vc4_write(rig->vc4, V3D_CT1CS, CS_SUB); /* the thread continues to wait */
    assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_STUCK);
    tess_vc4_write(rig->vc4, V3D_CT1CS, CS_RUN);
    rig->memory[RIG_BIN + 16] = 1;
    tess_vc4_write(rig->vc4, V3D_CT1CA, RIG_BIN + 16);
    tess_vc4_write(rig->vc4, V3D_CT1EA, RIG_BIN + 17);
    tess_vc4_write(rig->vc4, V3D_CT1CS, CS_SUB);
    assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_IDLE);
    assert_int_equal(reg(rig, V3D_CT1CS), 0);
    rig_free(rig);
}

/* The semaphore's count belongs to the thread that increments it (Broadcom's driver,
 * khrn_prod_4.c: "not going to hit the semaphore limit" reads CT0CS). A reset of that thread
 * clears the count. A reset of the other thread does not. */
TEST(semaphore_belongs_to_the_giver)
{
    struct rig *rig = rig_new();
    for (unsigned i = 1; i <= 7; i++) {
        rig_begin_bin(rig, RIG_LISTS_SIZE, 4);
        rig_u8(rig, 4);
        tess_vc4_write(rig->vc4, V3D_CT0CA, RIG_BIN);
        tess_vc4_write(rig->vc4, V3D_CT0EA, rig->at);
        assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_IDLE);
        assert_int_equal(reg(rig, V3D_CT0CS), i << 12);
    }
    tess_vc4_write(rig->vc4, V3D_CT1CS, 1 << 15);
    assert_int_equal(reg(rig, V3D_CT0CS), 7 << 12);
    static const uint8_t waits[] = {8, 8, 1};
    assert_int_equal(run_bytes(rig, 1, waits, sizeof waits), TESS_VC4_IDLE);
    assert_int_equal(reg(rig, V3D_CT0CS), 5 << 12);
    tess_vc4_write(rig->vc4, V3D_CT0CS, 1 << 15);
    assert_int_equal(reg(rig, V3D_CT0CS) >> 12, 0);
    assert_int_equal(run_bytes(rig, 1, waits, sizeof waits), TESS_VC4_STUCK);
    assert_int_equal(rig->errors, 0);
    rig_free(rig);
}

TEST(branches_go_on)
{
    struct rig *rig = rig_new();
    const uint32_t target = 0x3000;
    rig->at = RIG_BIN;
    rig_u8(rig, 16);
    rig_u32(rig, target);
    rig->memory[target] = 1;
    rig_start(rig, 1, RIG_BIN, target + 1); /* the list's end address is just after the branch
                                               target */
    assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_IDLE);
    assert_int_equal(reg(rig, V3D_CT1CA), target + 1);
    assert_int_equal(reg(rig, V3D_CT1CS), 0);
    assert_int_equal(rig->errors, 0);
    rig_free(rig);
}

/* Broadcom's khrn_prod_4.h names records 2 and 3. No source shows what they count. */
TEST(markers_do_nothing)
{
    struct rig *rig = rig_new();
    static const uint8_t list[] = {2, 2, 3, 2, 1};
    assert_int_equal(run_bytes(rig, 0, list, sizeof list), TESS_VC4_IDLE);
    assert_int_equal(reg(rig, V3D_CT0CA), RIG_BIN + sizeof list);
    assert_int_equal(reg(rig, V3D_CT0LC), 0);
    assert_int_equal(rig->errors + rig->warnings, 0);
    rig_free(rig);
}

/* Table 49, CTMODE: the bit is 1 from the configuration record to Start Tile Binning, and only
 * in the binning thread. */
TEST(mode_shows_the_prefix)
{
    struct rig *rig = rig_new();
    rig_begin_bin(rig, RIG_LISTS_SIZE, 4);
    rig->memory[RIG_BIN + 16] = 0; /* replaces Start Tile Binning by a halt */
    rig->memory[RIG_BIN + 17] = 6;
    rig_start(rig, 0, RIG_BIN, RIG_BIN + 18);
    assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_IDLE);
    assert_int_equal(reg(rig, V3D_CT0CS), CS_SUB | 1);
    assert_int_equal(reg(rig, V3D_CT1CS), 0);
    tess_vc4_write(rig->vc4, V3D_CT0CS, CS_SUB);
    assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_IDLE);
    assert_int_equal(reg(rig, V3D_CT0CS), 0);
    assert_int_equal(rig->errors, 0);
    rig_free(rig);
}

/* Table 51: the list's current address can be written only while the thread is stopped. After
 * the write the thread is "Stopped at end". */
TEST(current_address_is_written_at_rest)
{
    struct rig *rig = rig_new();
    static const uint8_t list[] = {0, 8, 1};
    run_bytes(rig, 1, list, sizeof list);
    assert_int_equal(reg(rig, V3D_CT1CS), CS_SUB); /* the thread is halted */
    tess_vc4_write(rig->vc4, V3D_CT1CA, RIG_BIN + 1);
    assert_int_equal(reg(rig, V3D_CT1CS), 0);
    tess_vc4_write(rig->vc4, V3D_CT1EA, RIG_BIN + 3); /* a new address restarts a halted thread */
    assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_STUCK);
    assert_int_equal(rig->warnings, 0);
    tess_vc4_write(rig->vc4, V3D_CT1CA, RIG_BIN);
    assert_string_equal(rig->rules[0], "v3d-register-access");
    assert_int_equal(reg(rig, V3D_CT1CA), RIG_BIN + 2);
    assert_int_equal(reg(rig, V3D_CT1CS), CS_RUN | CS_SUB);
    rig_free(rig);
}

/* Section 8: "counting semaphores ... to stop the tile binning getting more than one frame
 * ahead". Each flush lets the binner increment the semaphore once. Its count has three bits
 * (table 49). */
TEST(semaphores_count_frames)
{
    struct rig *rig = rig_new();
    rig_begin_bin(rig, RIG_LISTS_SIZE, 4); /* starts the first frame */
    rig_u8(rig, 4);
    for (unsigned i = 1; i < 7; i++) {
        rig_u8(rig, 6);
        rig_u8(rig, 7);
        rig_u8(rig, 5);
    }
    rig_start(rig, 0, RIG_BIN, rig->at);
    assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_IDLE);
    assert_int_equal(reg(rig, V3D_CT0CS), 7 << 12);
    assert_int_equal(reg(rig, V3D_CT1CS), 0);
    assert_int_equal(reg(rig, V3D_BFC), 7);
    assert_int_equal(rig->errors, 0);
    const uint32_t end = rig->at;
    rig_u8(rig, 6);
    rig_u8(rig, 7);
    rig_u8(rig, 4);
    tess_vc4_write(rig->vc4, V3D_CT0EA, rig->at);
    assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_IDLE);
    assert_int_equal(reg(rig, V3D_CT0CA), end + 3);
    assert_int_equal(reg(rig, V3D_CT0CS), 7 << 12);
    assert_string_equal(rig->rules[0], "cl-order");
    rig_free(rig);
}

/* Tests tables 53 and 54. The binning thread runs out of memory, and the rendering thread runs
 * out of its budget. Both stop in the middle of a list of primitives. */
TEST(list_counters)
{
    struct rig *rig = rig_new();
    rig_flat_shader(rig, RIG_WHITE);
    rig_shader_record(rig, 1, 12, 0);
    rig->at = RIG_VERTICES;
    rig_vertex(rig, 0, 0);
    rig_vertex(rig, 100, 0);
    rig_vertex(rig, 0, 100);
    rig_begin_bin(rig, 4 * 32, 4);
    /* A fan of five triangles. The first triangle and its state records do not fit into 32
     * bytes. */
    rig_array(rig, 6, 7, 0);
    rig_u8(rig, 4);
    rig_u8(rig, 6);
    rig_u8(rig, 5);
    rig_start(rig, 0, RIG_BIN, rig->at);
    assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_STUCK);
    assert_int_equal(reg(rig, V3D_CT0PC), 5);
    assert_int_equal(reg(rig, V3D_CT0LC), 0);
    tess_vc4_write(rig->vc4, V3D_BPOA, RIG_OVERSPILL);
    tess_vc4_write(rig->vc4, V3D_BPOS, 0x10000);
    assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_IDLE);
    assert_int_equal(reg(rig, V3D_CT0PC), 0);
    assert_int_equal(reg(rig, V3D_CT0LC), 2 << 16);
    tess_vc4_write(rig->vc4, V3D_CT0LC, 1); /* clears the other half of the register */
    assert_int_equal(reg(rig, V3D_CT0LC), 2 << 16);
    tess_vc4_write(rig->vc4, V3D_CT0LC, 1 << 16);
    assert_int_equal(reg(rig, V3D_CT0LC), 0);

    rig->at = RIG_RENDER;
    rig_u8(rig, 113);
    rig_u32(rig, RIG_FRAME);
    rig_u16(rig, RIG_WIDTH);
    rig_u16(rig, RIG_HEIGHT);
    rig_u16(rig, 4);
    rig_u8(rig, 115);
    rig_u16(rig, 0);
    rig_u8(rig, 96);
    rig_u8(rig, 3);
    rig_u16(rig, 0);
    rig_u8(rig, 65);
    rig_u32(rig, RIG_RECORD);
    rig_u8(rig, 32);
    rig_u8(rig, 4);
    rig_u32(rig, 3 * 150000); /* 8-bit indices, all 0, so the triangles have no area */
    rig_u32(rig, 0x200000);
    rig_u32(rig, 0);
    rig_start(rig, 1, RIG_RENDER, rig->at);
    assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_BUDGET);
    assert_in_range(reg(rig, V3D_CT1PC), 150000 - 100000, 150000 - 99990);
    assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_IDLE);
    assert_int_equal(reg(rig, V3D_CT1PC), 0);
    rig_free(rig);
}

static void one_triangle(struct rig *rig)
{
    rig_flat_shader(rig, RIG_WHITE);
    rig_shader_record(rig, 1, 12, 0);
    rig->at = RIG_VERTICES;
    rig_vertex(rig, 0, 0);
    rig_vertex(rig, 100, 0);
    rig_vertex(rig, 0, 100);
    rig_vertex(rig, 100, 100);
}

static uint32_t bin_array(struct rig *rig, uint32_t mode, uint32_t count, uint32_t first)
{
    rig_begin_bin(rig, RIG_LISTS_SIZE, 4);
    rig_array(rig, mode, count, first);
    rig_u8(rig, 4);
    return rig->at;
}

TEST(both_start_orders)
{
    for (unsigned first = 0; first < 2; first++) {
        struct rig *rig = rig_new();
        one_triangle(rig);
        uint32_t bin_end = bin_array(rig, 4, 3, 0);
        uint32_t render_end = rig_render_list(rig, 32);
        tess_vc4_write(rig->vc4, V3D_INTENA, V3D_INT_FRDONE | V3D_INT_FLDONE);
        if (first == 0) {
            rig_start(rig, 0, RIG_BIN, bin_end);
            assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_IDLE);
            assert_int_equal(reg(rig, V3D_BFC), 1);
            assert_int_equal(reg(rig, V3D_RFC), 0);
            assert_int_equal(reg(rig, V3D_INTCTL), V3D_INT_FLDONE);
            /* Thread 0 has incremented its semaphore to 1. rig_start() resets thread 1, as
             * asurati/x03 does here (demo/d53.c, dev/v3d.c). The reset keeps the count of thread
             * 0, so thread 1 does not have to wait. */
            assert_int_equal(reg(rig, V3D_CT0CS), 1 << 12);
            assert_int_equal(reg(rig, V3D_CT1CS), 0);
            rig_start(rig, 1, RIG_RENDER, render_end);
            assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_IDLE);
        } else {
            rig_start(rig, 1, RIG_RENDER, render_end);
            assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_STUCK);
            rig_start(rig, 0, RIG_BIN, bin_end);
            assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_IDLE);
        }
        assert_int_equal(reg(rig, V3D_RFC), 1);
        assert_int_equal(reg(rig, V3D_INTCTL), V3D_INT_FRDONE | V3D_INT_FLDONE);
        assert_true(rig->interrupts >= 1);
        tess_vc4_write(rig->vc4, V3D_INTCTL, 3);
        assert_false(tess_vc4_interrupt_level(rig->vc4));
        tess_vc4_write(rig->vc4, V3D_RFC, 1);
        assert_int_equal(reg(rig, V3D_RFC), 0);
        /* Right isosceles triangle with legs of 100 pixels along rows and columns. Pixel (x, y)
         * is inside if x + y + 1 < 100. If x + y + 1 == 100, the pixel's centre is on the
         * hypotenuse, which is a right edge, so the pixel is outside. */
        assert_int_equal(rig_count_pixels(rig, RIG_WHITE), 99 * 100 / 2);
        assert_int_equal(rig_count_pixels(rig, RIG_CLEAR), 128 * 128 - 99 * 100 / 2);
        assert_int_equal(rig->errors, 0);
        rig_free(rig);
    }
}

/* asurati/x03 (dev/v3d.c) waits for thread 0 to stop, resets thread 1, and starts thread 1 with a
 * list that waits for the semaphore. Its demos draw on silicon. The semaphore belongs to thread 0,
 * and the reset of thread 1 keeps its count. */
TEST(reset_between_flush_and_start)
{
    struct rig *rig = rig_new();
    one_triangle(rig);
    uint32_t bin_end = bin_array(rig, 4, 3, 0);
    uint32_t render_end = rig_render_list(rig, 32);
    for (unsigned frame = 1; frame < 10; frame++) {
        rig_start(rig, 0, RIG_BIN, bin_end);
        assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_IDLE);
        tess_vc4_write(rig->vc4, V3D_CT1CS, CS_RESET);
        assert_int_equal(reg(rig, V3D_CT1CS), 0);
        rig_start(rig, 1, RIG_RENDER, render_end);
        assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_IDLE);
        assert_int_equal(reg(rig, V3D_RFC), frame);
    }
    rig_start(rig, 1, RIG_RENDER, render_end); /* each increment starts one frame only */
    assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_STUCK);
    rig_free(rig);
}

/* Tests the primitive modes of triangles and points. Expected numbers of pixels are worked out
 * by hand. */
TEST(primitive_modes)
{
    static const struct {
        uint32_t mode, count, pixels;
    } cases[] = {
        {4, 3, 4950},  /* one triangle */
        {5, 4, 10000}, /* strip of two triangles: the square */
        {6, 3, 4950},
        {0, 4, 4}, /* points of size 1, moved to pixel centres below */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct rig *rig = rig_new();
        one_triangle(rig);
        if (cases[i].mode == 0) { /* each point is at a pixel centre, so that it covers one pixel */
            rig->at = RIG_VERTICES;
            for (unsigned k = 0; k < 4; k++)
                rig_vertex(rig, 10.5 + 30 * k, 20.5);
        }
        assert_int_equal(rig_frame(rig, bin_array(rig, cases[i].mode, cases[i].count, 0), 32),
                         TESS_VC4_IDLE);
        assert_int_equal(rig_count_pixels(rig, RIG_WHITE), cases[i].pixels);
        assert_int_equal(rig->errors, 0);
        rig_free(rig);
    }
}

/* Draws lines of width 1 along rows and columns through pixel centres. The number of pixels is
 * the line's length. */
TEST(line_modes)
{
    static const struct {
        uint32_t mode, count, low, high;
    } cases[] = {
        {1, 2, 50, 50},   /* one line of 50 pixels */
        {3, 3, 99, 101},  /* strip of two lines */
        {2, 3, 148, 152}, /* loop of two legs and the hypotenuse */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct rig *rig = rig_new();
        one_triangle(rig);
        rig->at = RIG_VERTICES;
        rig_vertex(rig, 10.5, 10.5);
        rig_vertex(rig, 60.5, 10.5);
        rig_vertex(rig, 60.5, 60.5);
        assert_int_equal(rig_frame(rig, bin_array(rig, cases[i].mode, cases[i].count, 0), 32),
                         TESS_VC4_IDLE);
        assert_in_range(rig_count_pixels(rig, RIG_WHITE), cases[i].low, cases[i].high);
        assert_int_equal(rig->errors, 0);
        rig_free(rig);
    }
}

/* The binner does not copy state from before Start Tile Binning into the tile lists (manual
 * section 8). A rendering list that does not repeat this state draws nothing, and the model
 * reports a finding. */
TEST(prefix_state_must_be_repeated)
{
    for (unsigned repeated = 0; repeated < 2; repeated++) {
        struct rig *rig = rig_new();
        one_triangle(rig);
        rig_begin_bin(rig, RIG_LISTS_SIZE, 4);
        uint32_t length = rig->at - (RIG_BIN + 18);
        uint8_t prefix[64];
        memcpy(prefix, rig->memory + RIG_BIN + 18, length); /* copies the records from clip
                                                               window to shader state */
        memcpy(rig->memory + RIG_BIN + 16, prefix, length);
        rig->at = RIG_BIN + 16 + length;
        rig_u8(rig, 6);
        rig_u8(rig, 7);
        rig_array(rig, 4, 3, 0);
        rig_u8(rig, 4);
        uint32_t bin_end = rig->at, render_end = rig_render_list(rig, 32), from = RIG_RENDER;
        if (repeated) {
            from -= length;
            memcpy(rig->memory + from, prefix, length);
        }
        rig_start(rig, 0, RIG_BIN, bin_end);
        rig_start(rig, 1, from, render_end);
        assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_IDLE);
        assert_int_equal(rig_count_pixels(rig, RIG_WHITE), repeated ? 4950 : 0);
        assert_int_equal(rig->errors > 0, !repeated);
        if (!repeated)
            assert_string_equal(rig->rules[0], "cl-state-missing");
        rig_free(rig);
    }
}

TEST(indexed_lists)
{
    for (unsigned bytes = 1; bytes <= 2; bytes++) {
        struct rig *rig = rig_new();
        one_triangle(rig);
        static const uint8_t order[] = {3, 0, 1, 0, 3, 2};
        rig->at = RIG_INDICES;
        for (unsigned i = 0; i < 6; i++)
            bytes == 1 ? rig_u8(rig, order[i]) : rig_u16(rig, order[i]);
        rig_begin_bin(rig, RIG_LISTS_SIZE, 4);
        rig_u8(rig, 32);
        rig_u8(rig, 4 | (bytes - 1) << 4);
        rig_u32(rig, 6);
        rig_u32(rig, RIG_INDICES);
        rig_u32(rig, 3);
        rig_u8(rig, 4);
        assert_int_equal(rig_frame(rig, rig->at, 32), TESS_VC4_IDLE);
        assert_int_equal(rig_count_pixels(rig, RIG_WHITE), 10000);
        assert_int_equal(rig->errors, 0);

        rig->memory[RIG_INDICES] = 9; /* above the maximum index, which is 3: an error on silicon */
        rig_frame(rig, rig->at = RIG_BIN + 51 + 4, 32);
        assert_string_equal(rig->rules[0], "cl-index");
        assert_int_equal(reg(rig, V3D_ERRSTAT), 0x5000);
        rig_free(rig);
    }
}

/* SW-5891 (Broadcom's driver): vertex numbers have 16 bits, so 65536 is vertex 0. */
TEST(vertex_numbers_wrap)
{
    struct rig *rig = rig_new();
    one_triangle(rig);
    rig->at = RIG_VERTICES;
    rig_vertex(rig, 0, 100);
    rig->at = RIG_VERTICES + 12 * 65534;
    rig_vertex(rig, 0, 0);
    rig_vertex(rig, 100, 0);
    assert_int_equal(rig_frame(rig, bin_array(rig, 4, 3, 65534), 32), TESS_VC4_IDLE);
    assert_int_equal(rig->kept, 1);
    assert_string_equal(rig->rules[0], "cl-index-wrap");
    assert_int_equal(rig_count_pixels(rig, RIG_WHITE), 4950);
    rig_free(rig);
}

/* Draws the same frame with every initial and further block size. The frame has more primitives
 * than fit into a block. */
TEST(block_sizes)
{
    for (unsigned initial = 0; initial < 4; initial++)
        for (unsigned further = 0; further < 4; further++) {
            struct rig *rig = rig_new();
            one_triangle(rig);
            rig->at = RIG_VERTICES;
            for (unsigned i = 0; i < 300; i++) { /* thin triangles, whose indices are far apart */
                rig_vertex(rig, 1 + i % 100, 1 + i / 100 * 40);
                rig_vertex(rig, 2 + i % 100, 1 + i / 100 * 40);
                rig_vertex(rig, 1 + i % 100, 40 + i / 100 * 40);
            }
            rig_begin_bin(rig, RIG_LISTS_SIZE, 4 | initial << 3 | further << 5);
            rig_array(rig, 4, 900, 0);
            rig_u8(rig, 4);
            assert_int_equal(rig_frame(rig, rig->at, 32u << initial), TESS_VC4_IDLE);
            assert_int_equal(rig->errors, 0);
            /* Each triangle is (x, y) (x+1, y) (x, y+39). The pixel in row r of the triangle is
             * covered if its centre is left of the hypotenuse: 0.5 < 1 - (r + 0.5) / 39, that
             * is, r + 0.5 < 19.5. So rows 0 to 18 are covered. */
            assert_int_equal(rig_count_pixels(rig, RIG_WHITE), 300 * 19);
            rig_free(rig);
        }
}

/* Tables 58 and 59. The first blocks of four tiles need 128 bytes. The pool begins at the next
 * 256-byte boundaryand is used in pieces of 4096 bytes (docs/vc4/ptb.md). */
TEST(pool_registers)
{
    struct rig *rig = rig_new();
    one_triangle(rig);
    for (uint32_t granules = 0; granules < 2; granules++) {
        rig_begin_bin(rig, RIG_LISTS_SIZE, 4);
        for (uint32_t i = 0; i < 10 * granules; i++)
            rig_array(rig, 4, 3, i % 2);
        rig_u8(rig, 4);
        rig_start(rig, 0, RIG_BIN, rig->at);
        assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_IDLE);
        assert_int_equal(reg(rig, V3D_BPCA), RIG_LISTS + 256 + 4096 * granules);
        assert_int_equal(reg(rig, V3D_BPCS), RIG_LISTS_SIZE - 256 - 4096 * granules);
    }
    assert_int_equal(rig->errors + rig->warnings, 0);
    tess_vc4_write(rig->vc4, V3D_BPCA, 0);
    tess_vc4_write(rig->vc4, V3D_BPCS, 0);
    assert_int_equal(rig->warnings, 2);
    assert_int_equal(reg(rig, V3D_BPCS), RIG_LISTS_SIZE - 256 - 4096);
    rig_free(rig);
}

/* Draws a triangle from a rendering list that contains a tile list's encoding of it (manual
 * table 39). */
static void draw_compressed(struct rig *rig, const uint8_t *state_records, size_t size)
{
    rig->at = RIG_RENDER;
    rig_u8(rig, 113);
    rig_u32(rig, RIG_FRAME);
    rig_u16(rig, RIG_WIDTH);
    rig_u16(rig, RIG_HEIGHT);
    rig_u16(rig, 4);
    rig_u8(rig, 115);
    rig_u16(rig, 0);
    rig_u8(rig, 28);
    rig_u16(rig, 0);
    rig_u32(rig, 0);
    rig_u8(rig, 115);
    rig_u16(rig, 0);
    rig_u8(rig, 96);
    rig_u8(rig, 3);
    rig_u16(rig, 0);
    for (size_t i = 0; i < size; i++)
        rig_u8(rig, state_records[i]);
    rig_u8(rig, 48);
    rig_u8(rig, 129);
    for (uint32_t i = 0; i < 3; i++)
        rig_u16(rig, i);
    rig_u8(rig, 128);
    rig_u8(rig, 25);
    rig_start(rig, 1, RIG_RENDER, rig->at);
    assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_IDLE);
}

/* Manual section 9: "A Primitive List Format item must be followed by a Shader State item to be
 * recognized." */
TEST(format_needs_a_shader_record)
{
    enum { LOW = RIG_RECORD & 0xff, HIGH = RIG_RECORD >> 8 };
    static const struct {
        uint8_t records[9];
        bool wrong;
    } cases[] = {
        {{56, 0x10, 56, 0x12, 65, LOW, HIGH, 0, 0}, false},
        {{65, LOW, HIGH, 0, 0, 56, 0x12, 1, 1}, false}, /* the value of the format after a reset */
        {{56, 0x11, 65, LOW, HIGH, 0, 0, 56, 0x12}, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct rig *rig = rig_new();
        one_triangle(rig);
        draw_compressed(rig, cases[i].records, sizeof cases[i].records);
        assert_int_equal(rig->warnings, cases[i].wrong);
        if (cases[i].wrong)
            assert_string_equal(rig->rules[0], "cl-list-format");
        assert_int_equal(rig->errors, 0);
        assert_int_equal(rig_pixel(rig, 10, 10), RIG_WHITE);
        rig_free(rig);
    }
}

/* Table 38, record 96: bit 4 is "not actually supported", and oversample mode 3 is reserved. */
TEST(configuration_in_vain)
{
    static const struct {
        uint8_t bits;
        const char *rule;
    } cases[] = {
        {0x83, NULL},
        {0xc3, "cl-field"},
        {0x13, "cl-antialiased"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct rig *rig = rig_new();
        one_triangle(rig);
        rig_begin_bin(rig, RIG_LISTS_SIZE, 4);
        rig_u8(rig, 96);
        rig_u8(rig, cases[i].bits);
        rig_u16(rig, 0);
        rig_array(rig, 4, 3, 0);
        rig_u8(rig, 4);
        assert_int_equal(rig_frame(rig, rig->at, 32), TESS_VC4_IDLE);
        /* The finding is reported once, although the lists of several tiles repeat the record. */
        assert_int_equal(rig->kept, cases[i].rule != NULL);
        if (cases[i].rule)
            assert_string_equal(rig->rules[0], cases[i].rule);
        assert_int_equal(rig_pixel(rig, 10, 10), RIG_WHITE);
        rig_free(rig);
    }
}

TEST(out_of_memory_protocol)
{
    struct rig *rig = rig_new();
    one_triangle(rig);
    rig_begin_bin(rig, 4 * 32, 4); /* has no memory except the initial blocks */
    rig_array(rig, 4, 3, 0);
    rig_u8(rig, 4);
    uint32_t bin_end = rig->at;
    uint32_t render_end = rig_render_list(rig, 32);

    rig_start(rig, 0, RIG_BIN, bin_end);
    assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_STUCK);
    assert_int_equal(reg(rig, V3D_PCS) & 0x100, 0x100);
    assert_int_equal(reg(rig, V3D_INTCTL), V3D_INT_OUTOMEM);
    tess_vc4_write(rig->vc4, V3D_INTCTL, V3D_INT_OUTOMEM);
    /* the interrupt is level-triggered and stays set while the binner needs memory */
    assert_int_equal(reg(rig, V3D_INTCTL), V3D_INT_OUTOMEM);
    tess_vc4_write(rig->vc4, V3D_BPOA, RIG_OVERSPILL);
    tess_vc4_write(rig->vc4, V3D_BPOS, 0x10000);
    assert_int_equal(reg(rig, V3D_PCS) & 0x100, 0);
    assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_IDLE);
    assert_int_equal(reg(rig, V3D_BPOS), 0); /* the binner accepted the memory */
    assert_int_equal(reg(rig, V3D_INTCTL) & V3D_INT_SPILLUSE, V3D_INT_SPILLUSE);
    tess_vc4_write(rig->vc4, V3D_CT1CA, RIG_RENDER);
    tess_vc4_write(rig->vc4, V3D_CT1EA, render_end);
    assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_IDLE);
    assert_int_equal(rig_count_pixels(rig, RIG_WHITE), 4950);
    assert_int_equal(rig->errors, 0);

    /* The interrupt handler adds memory during the run. */
    rig->give_memory = 0x10000;
    tess_vc4_write(rig->vc4, V3D_INTCTL, 0xf);
    tess_vc4_write(rig->vc4, V3D_INTENA, V3D_INT_OUTOMEM);
    memset(rig->memory + RIG_FRAME, 0, RIG_WIDTH * RIG_HEIGHT * 4);
    assert_int_equal(rig_frame(rig, bin_end, 32), TESS_VC4_IDLE);
    assert_int_equal(rig_count_pixels(rig, RIG_WHITE), 4950);
    assert_int_equal(rig->give_memory, 0);

    /* The interrupt handler adds no memory, so the binner remains stalled. */
    tess_vc4_write(rig->vc4, V3D_INTDIS, 0xf);
    assert_int_equal(rig_frame(rig, bin_end, 32), TESS_VC4_STUCK);
    tess_vc4_report_stuck(rig->vc4);
    assert_string_equal(rig->rules[0], "ptb-out-of-memory");
    rig_free(rig);
}
