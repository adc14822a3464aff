/* SPDX-License-Identifier: MIT */
/* Tests of the device as an embedder uses it: registers (manual section 10), creation and
 * destruction, independent devices, the caller's floating-point environment, many frames. */
#include <dirent.h>
#include <fenv.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../register.h"
#include "../rig.h"

static uint32_t reg(struct rig *rig, uint32_t offset)
{
    return tess_vc4_read(rig->vc4, offset);
}

enum { R = 1, W = 2, RW = 3 };

static const struct {
    uint32_t offset;
    const char *name;
    unsigned access;
    uint32_t reset;
} table[] = {
#define REGISTER(offset, name, access, reset, synopsis) {offset, "V3D_" #name, access, reset},
#include "vc4/device/registers.def"
#undef REGISTER
};

TEST(registers_after_reset)
{
    struct rig *rig = rig_new();
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        assert_string_equal(tess_vc4_register_name(table[i].offset), table[i].name);
        rig->warnings = 0;
        uint32_t value = reg(rig, table[i].offset);
        assert_int_equal(rig->warnings, table[i].access == W);
        assert_int_equal(value, table[i].access == W ? 0 : table[i].reset);
    }
    /* Values of the identity registers that the manual gives (tables 79 to 81). */
    assert_int_equal(reg(rig, V3D_IDENT0), 0x02443356);
    assert_int_equal(reg(rig, V3D_IDENT1) >> 28, 12);
    assert_int_equal(reg(rig, V3D_IDENT1) >> 4 & 15, 3);
    assert_int_equal(reg(rig, V3D_IDENT2), 0x121);
    assert_int_equal(rig->errors, 0);
    rig_free(rig);
}

TEST(wrong_accesses)
{
    struct rig *rig = rig_new();
    tess_vc4_write(rig->vc4, V3D_IDENT0, 0);
    assert_string_equal(rig->rules[0], "v3d-register-access");
    assert_int_equal(reg(rig, V3D_IDENT0), 0x02443356);
    assert_int_equal(reg(rig, 0x014), 0);
    assert_string_equal(rig->rules[1], "v3d-unknown-register");
    assert_int_equal(reg(rig, 0x002), 0);
    tess_vc4_write(rig->vc4, 0xfffffffc, 1);
    assert_int_equal(rig->errors, 3);
    assert_null(tess_vc4_register_name(0x014));
    rig_free(rig);
}

TEST(plain_registers_keep_their_bits)
{
    static const struct {
        uint32_t offset, mask;
    } cases[] = {
        /* clang-format off */
        /* clang-format off */
        {V3D_SCRATCH, 0xffffffff},
        {V3D_BPOA,    0xffffffff},
        {V3D_BPOS,    0xffffffff},
        {0x310,       3},
        {0x410,       0xffffffff},
        {0x414,       0xffffffff},
        {0x418,       0xf},
        {V3D_SRQUA,   0xffffffff},
        {V3D_SRQUL,   0xfff},
        {0x500,       0x3fff},
        {V3D_VPMBASE, 0x1f},
        {0x680,       0xffffffff},
        {0x684,       0x1f},
        {0x6f8,       0xffffffff},
        {0x6fc,       0x1f},
        {V3D_DBCFG,   1},
        {V3D_DBQITE,  0xfff},
        {V3D_CT0EA,   0xffffffff},
        /* clang-format on */
        /* clang-format on */
    };
    struct rig *rig = rig_new();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tess_vc4_write(rig->vc4, cases[i].offset, 0xffffffff);
        assert_int_equal(reg(rig, cases[i].offset), cases[i].mask);
        tess_vc4_write(rig->vc4, cases[i].offset, 0);
        assert_int_equal(reg(rig, cases[i].offset), 0);
    }
    assert_int_equal(rig->errors, 0);
    rig_free(rig);
}

TEST(set_and_clear_registers)
{
    struct rig *rig = rig_new();
    tess_vc4_write(rig->vc4, V3D_INTENA, 0xff);
    assert_int_equal(reg(rig, V3D_INTENA), 0xf);
    tess_vc4_write(rig->vc4, V3D_INTDIS, 5);
    assert_int_equal(reg(rig, V3D_INTENA), 0xa);
    assert_int_equal(reg(rig, V3D_INTDIS), 0xa);
    tess_vc4_write(rig->vc4, V3D_L2CACTL, 1);
    assert_int_equal(reg(rig, V3D_L2CACTL), 1);
    tess_vc4_write(rig->vc4, V3D_L2CACTL, 4);
    assert_int_equal(reg(rig, V3D_L2CACTL), 1);
    tess_vc4_write(rig->vc4, V3D_L2CACTL, 2);
    assert_int_equal(reg(rig, V3D_L2CACTL), 0);
    tess_vc4_write(rig->vc4, 0x680, 99);
    tess_vc4_write(rig->vc4, 0x670, 1); /* the PCTRC register clears counters */
    assert_int_equal(reg(rig, 0x680), 0);
    tess_vc4_write(rig->vc4, 0x674, 0x80000001);
    assert_int_equal(rig->errors + rig->warnings, 0);
    tess_vc4_write(rig->vc4, 0x674, 0x7fff0002); /* all enables except bit 31, the master enable */
    assert_int_equal(reg(rig, 0x688), 0);
    assert_string_equal(rig->rules[0], "v3d-counter");
    assert_int_equal(reg(rig, 0x674), 2);
    tess_vc4_write(rig->vc4, 0x684, 30); /* the highest source is 29 */
    assert_string_equal(rig->rules[1], "v3d-counter");
    rig_free(rig);
}

TEST(misuse_of_the_api)
{
    assert_int_equal(tess_vc4_create(NULL, NULL), TESS_INVALID);
    struct tess_vc4 *vc4;
    assert_int_equal(tess_vc4_create(&vc4, NULL), TESS_OK);
    assert_int_equal(tess_vc4_map(vc4, 0, 0, NULL), TESS_INVALID);
    assert_int_equal(tess_vc4_map(NULL, 0, 1, NULL), TESS_INVALID);
    assert_int_equal(tess_vc4_unmap(vc4, 0), TESS_INVALID);
    assert_int_equal(tess_vc4_run(vc4), TESS_VC4_IDLE);
    tess_vc4_write(vc4, 0x4, 1); /* causes a finding, and the device has no callback */
    tess_vc4_destroy(vc4);
    tess_vc4_destroy(NULL);
}

/* Builds a strip of coloured triangles without depth. The strip depends on the seed. */
static uint32_t build_frame(struct rig *rig, uint32_t seed)
{
    rig_flat_shader(rig, RIG_WHITE - seed);
    rig_shader_record(rig, 1, 12, 0);
    rig->at = RIG_VERTICES;
    for (uint32_t i = 0; i < 30; i++) {
        seed = seed * 1664525 + 1013904223;
        rig_vertex(rig, (double)(seed >> 25), (double)(seed >> 18 & 127));
    }
    rig_begin_bin(rig, RIG_LISTS_SIZE, 4);
    rig_array(rig, 5, 30, 0);
    rig_u8(rig, 4);
    return rig->at;
}

TEST(a_thousand_frames)
{
    struct rig *rig = rig_new(), *other = rig_new();
    for (uint32_t frame = 0; frame < 1000; frame++) {
        assert_int_equal(rig_frame(rig, build_frame(rig, frame), 32), TESS_VC4_IDLE);
        assert_int_equal(reg(rig, V3D_RFC), (frame + 1) & 0xff);
        if (frame % 100 == 99) { /* a new device must draw the same bytes */
            assert_int_equal(rig_frame(other, build_frame(other, frame), 32), TESS_VC4_IDLE);
            assert_memory_equal(rig->memory + RIG_FRAME, other->memory + RIG_FRAME,
                                RIG_WIDTH * RIG_HEIGHT * 4);
        }
    }
    assert_int_equal(rig->errors + other->errors, 0);
    rig_free(rig);
    rig_free(other);
}

static int mode_in_callback;

static void look_at_mode(void *user, const struct tess_finding *diag)
{
    (void)user;
    (void)diag;
    mode_in_callback = fegetround();
}

TEST(the_callers_rounding_mode)
{
    static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    struct rig *reference = rig_new();
    rig_frame(reference, build_frame(reference, 7), 32);
    for (unsigned i = 0; i < 4; i++) {
        struct rig *rig = rig_new();
        uint32_t bin_end = build_frame(rig, 7);
        fesetround(modes[i]);
        rig_frame(rig, bin_end, 32);
        int after = fegetround();
        fesetround(FE_TONEAREST);
        assert_int_equal(after, modes[i]);
        assert_memory_equal(rig->memory + RIG_FRAME, reference->memory + RIG_FRAME,
                            RIG_WIDTH * RIG_HEIGHT * 4);
        rig_free(rig);

        struct tess_vc4 *vc4;
        struct tess_vc4_options options = {.machine.sink = {look_at_mode, NULL}};
        assert_int_equal(tess_vc4_create(&vc4, &options), TESS_OK);
        tess_vc4_write(vc4, V3D_SRQPC, 0x1000); /* starts a program in unmapped memory */
        mode_in_callback = -1;
        fesetround(modes[i]);
        tess_vc4_run(vc4);
        after = fegetround();
        fesetround(FE_TONEAREST);
        assert_int_equal(after, modes[i]);
        assert_int_equal(mode_in_callback, modes[i]);
        tess_vc4_destroy(vc4);
    }
    rig_free(reference);
}

TEST(statistics)
{
    struct rig *rig = rig_new();
    rig_flat_shader(rig, RIG_WHITE);
    rig_shader_record(rig, 1, 12, 0);
    rig->at = RIG_VERTICES;
    rig_vertex(rig, 0, 0);
    rig_vertex(rig, 8, 0);
    rig_vertex(rig, 0, 8);
    rig_vertex(rig, 8, 8);
    rig_begin_bin(rig, RIG_LISTS_SIZE, 4);
    rig_array(rig, 5, 4, 0);
    rig_u8(rig, 4);
    rig_frame(rig, rig->at, 32);
    struct tess_vc4_stats stats;
    tess_vc4_get_stats(rig->vc4, &stats);
    assert_int_equal(stats.primitives_binned, 2);
    assert_int_equal(stats.primitives_drawn, 2);
    assert_int_equal(stats.tiles, 5); /* four tiles with triangles, and one that is only cleared */
    /* An 8 x 8 square covers 16 quads. The four quads on its diagonal are drawn by both
     * triangles. */
    assert_int_equal(stats.quads, 20);
    assert_int_equal(stats.instructions, stats.shader_runs * 7);
    rig_free(rig);
}

TEST(warnings_are_errors_when_strict)
{
    const struct tess_vc4_options options = {.machine.strict = true};
    struct tess_vc4 *plain, *strict;
    assert_int_equal(tess_vc4_create(&plain, NULL), TESS_OK);
    assert_int_equal(tess_vc4_create(&strict, &options), TESS_OK);
    tess_vc4_write(plain, V3D_IDENT0, 0); /* a write to a read-only register causes a warning */
    tess_vc4_write(strict, V3D_IDENT0, 0);
    assert_int_equal(tess_vc4_error_count(plain), 0);
    assert_int_equal(tess_vc4_error_count(strict), 1);
    tess_vc4_destroy(plain);
    tess_vc4_destroy(strict);
}

TEST(options_have_ranges)
{
    static const struct {
        uint32_t threads, qpus;
        enum tess_status status;
    } cases[] = {
        /* clang-format off */
        {0,  0,  TESS_OK},
        {1,  12, TESS_OK},
        {64, 16, TESS_OK},
        {65, 0,  TESS_INVALID},
        {0,  11, TESS_INVALID},
        {0,  17, TESS_INVALID},
        /* clang-format on */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tess_vc4_options options = {.machine.threads = cases[i].threads,
                                           .qpus = cases[i].qpus};
        struct tess_vc4 *vc4;
        assert_int_equal(tess_vc4_create(&vc4, &options), cases[i].status);
        assert_int_equal(vc4 != NULL, cases[i].status == TESS_OK);
        tess_vc4_destroy(vc4);
    }
}

static unsigned threads_of_process(void)
{
    unsigned count = 0;
    DIR *folder = opendir("/proc/self/task");
    assert_non_null(folder);
    while (readdir(folder))
        count++;
    closedir(folder);
    return count;
}

/* Waits until the process has `count` threads. The system may list a thread for a moment after
 * its end. */
static void wait_for_threads(unsigned count)
{
    for (int i = 0; i < 5000 && threads_of_process() != count; i++)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    assert_int_equal(threads_of_process(), count);
}

TEST(host_threads_rest_and_return)
{
    unsigned before = threads_of_process();
    struct rig *rig = rig_new_threads(0, 4);
    wait_for_threads(before + 3); /* the caller's thread is the fourth thread of the pool */
    tess_vc4_rest(rig->vc4);
    wait_for_threads(before);
    tess_vc4_rest(rig->vc4);
    assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_IDLE);
    wait_for_threads(before + 3);
    rig_free(rig);
    wait_for_threads(before);
}

/* A child process has a single thread after fork(). It starts other threads when it runs the
 * device. */
TEST(host_threads_of_a_child)
{
    int status;
    struct rig *rig = rig_new_threads(0, 4);
    pid_t child = fork();
    if (child == 0) {
        const bool good = tess_vc4_run(rig->vc4) == TESS_VC4_IDLE;
        const unsigned threads = threads_of_process();
        rig_free(rig);
        _exit(!good || threads != 4 + 2); /* /proc/self/task also lists "." and ".." */
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_IDLE);
    rig_free(rig);
}
