/* SPDX-License-Identifier: MIT */
/* Tests of the QPU scheduler: user programs through V3D_SRQPC, and fragment shaders that never end.
 * Words are hand-assembled from manual section 3 unless a comment names another origin. */
#include "../../register.h"
#include "../rig.h"

static const uint64_t nop = UINT64_C(0x100009e7009e7000);
static const uint64_t end = UINT64_C(0x300009e7009e7000); /* the program end (thrend) */
static const uint64_t interrupt = UINT64_C(
    0xd00209a7159c1fc0); /* "ori host_int, 1, 1", as in the NV demo */

/* Returns a semaphore instruction: sig 14, unpack 4, both results to nop. Bit 4 selects acquire. */
static uint64_t semaphore(unsigned number, bool acquire)
{
    return UINT64_C(0xe80009e7) << 32 | (acquire ? 16u : 0u) | number;
}

static uint64_t branch_to_self(void)
{
    /* A branch to itself: sig 15, always taken, relative to pc + 32 bytes, offset -32. */
    return UINT64_C(0xf0f809e7) << 32 | 0xffffffe0u;
}

static void put_program(struct rig *rig, uint32_t address, const uint64_t *words, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        store_le64(rig->memory + address + 8 * i, words[i]);
}

#define PROGRAM(rig, address, ...)                             \
    put_program(rig, address, (const uint64_t[]){__VA_ARGS__}, \
                sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

static uint32_t status(struct rig *rig)
{
    return tess_vc4_read(rig->vc4, V3D_SRQCS);
}

static void request(struct rig *rig, uint32_t pc)
{
    tess_vc4_write(rig->vc4, V3D_SRQUA, 0);
    tess_vc4_write(rig->vc4, V3D_SRQPC, pc);
}

TEST(programs_run_and_are_counted)
{
    struct rig *rig = rig_new();
    PROGRAM(rig, 0x5000, nop, end, nop, nop);
    for (unsigned i = 0; i < 3; i++)
        request(rig, 0x5000);
    assert_int_equal(status(rig), 3 | 3 << 8);
    assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_IDLE);
    assert_int_equal(status(rig), 3 << 8 | 3 << 16);
    tess_vc4_write(rig->vc4, V3D_SRQCS, 1 << 8 | 1 << 16);
    assert_int_equal(status(rig), 0);
    assert_int_equal(rig->errors, 0);
    rig_free(rig);
}

TEST(the_queue_is_sixteen_deep)
{
    struct rig *rig = rig_new();
    PROGRAM(rig, 0x5000, end, nop, nop);
    for (unsigned i = 0; i < 17; i++)
        request(rig, 0x5000);
    assert_int_equal(status(rig), 16 | 1 << 7 | 17 << 8);
    tess_vc4_write(rig->vc4, V3D_SRQCS, 1 << 7);
    assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_IDLE);
    assert_int_equal(status(rig), 17 << 8 | 16 << 16);
    request(rig, 0x5000);
    tess_vc4_write(rig->vc4, V3D_SRQCS, 1); /* this write clears the queue */
    assert_int_equal(status(rig) & 0x3f, 0);
    rig_free(rig);
}

TEST(host_interrupts)
{
    struct rig *rig = rig_new();
    PROGRAM(rig, 0x5000, interrupt, end, nop, nop);
    request(rig, 0x5000);
    tess_vc4_run(rig->vc4);
    assert_int_equal(tess_vc4_read(rig->vc4, V3D_DBQITC), 0); /* interrupts are not enabled yet */
    tess_vc4_write(rig->vc4, V3D_DBCFG, 1);
    tess_vc4_write(rig->vc4, V3D_DBQITE, 0xffff);
    request(rig, 0x5000);
    request(rig, 0x5000);
    tess_vc4_run(rig->vc4);
    assert_int_equal(tess_vc4_read(rig->vc4, V3D_DBQITC), 3);
    assert_true(tess_vc4_interrupt_level(rig->vc4));
    tess_vc4_write(rig->vc4, V3D_DBQITC, 1);
    assert_true(tess_vc4_interrupt_level(rig->vc4));
    tess_vc4_write(rig->vc4, V3D_DBQITC, 2);
    assert_false(tess_vc4_interrupt_level(rig->vc4));
    rig_free(rig);
}

TEST(reserved_qpus_are_left_alone)
{
    struct rig *rig = rig_new();
    PROGRAM(rig, 0x5000, interrupt, end, nop, nop);
    tess_vc4_write(rig->vc4, V3D_DBCFG, 1);
    tess_vc4_write(rig->vc4, V3D_DBQITE, 0xffff);
    tess_vc4_write(rig->vc4, 0x410, 0x00000111); /* reserves QPUs 0 to 2: no user programs run on
                                                    them */
    request(rig, 0x5000);
    assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_IDLE);
    assert_int_equal(tess_vc4_read(rig->vc4, V3D_DBQITC), 1 << 3);
    tess_vc4_write(rig->vc4, 0x410, 0x11111111);
    tess_vc4_write(rig->vc4, 0x414, 0x1111);
    request(rig, 0x5000);
    assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_STUCK);
    tess_vc4_report_stuck(rig->vc4);
    assert_string_equal(rig->rules[0], "qpu-hang");
    rig_free(rig);
}

TEST(programs_wait_for_each_other)
{
    struct rig *rig = rig_new();
    PROGRAM(rig, 0x5000, semaphore(3, true), semaphore(4, false), end, nop, nop);
    PROGRAM(rig, 0x5100, semaphore(3, false), semaphore(4, true), end, nop, nop);
    request(rig, 0x5000);
    request(rig, 0x5100);
    assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_IDLE);
    assert_int_equal(status(rig) >> 16, 2);
    assert_int_equal(rig->errors, 0);
    rig_free(rig);
}

TEST(a_deadlock_is_explained)
{
    struct rig *rig = rig_new();
    PROGRAM(rig, 0x5000, nop, semaphore(7, true), end, nop, nop);
    request(rig, 0x5000);
    request(rig, 0x5000);
    assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_STUCK);
    tess_vc4_report_stuck(rig->vc4);
    assert_int_equal(rig->errors, 1);
    assert_int_equal(rig->place.qpus, 3);
    assert_string_equal(rig->rules[0], "qpu-hang");
    assert_non_null(strstr(rig->texts[0], "semaphore 7"));
    assert_true(rig->place.known & TESS_PLACE_SHADER);
    assert_int_equal(rig->place.shader, 0x5000);
    assert_int_equal(rig->place.pc, 0x5008);
    rig_free(rig);
}

static bool says(struct rig *rig, const char *text)
{
    for (unsigned i = 0; i < rig->kept; i++)
        if (strstr(rig->texts[i], text))
            return true;
    return false;
}

/* QPU 0 waits for semaphore 3. QPU 1 would release semaphore 3 later, but waits for semaphore 4.
 * QPU 2 cannot release semaphore 5, because its counter is full. The findings name the QPUs that
 * could help. */
TEST(a_deadlock_names_who_could_help)
{
    struct rig *rig = rig_new();
    PROGRAM(rig, 0x5000, semaphore(3, true), semaphore(4, false), end, nop, nop);
    PROGRAM(rig, 0x5100, semaphore(4, true), semaphore(3, false), end, nop, nop);
    uint64_t releases[19] = {0};
    for (unsigned i = 0; i < 16; i++)
        releases[i] = semaphore(5, false);
    releases[16] = end;
    releases[17] = releases[18] = nop;
    put_program(rig, 0x5200, releases, 19);
    request(rig, 0x5000);
    request(rig, 0x5100);
    request(rig, 0x5200);
    assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_STUCK);
    tess_vc4_report_stuck(rig->vc4);
    assert_int_equal(rig->errors, 3);
    assert_true(says(rig, "QPU 1 could release it at 0x00005108 (that QPU also waits)"));
    assert_true(says(rig, "QPU 0 could release it at 0x00005008 (that QPU also waits)"));
    assert_true(says(rig, "no program on another QPU could acquire it"));
    rig_free(rig);
}

/* Manual tables 80 (NSLC, QUPS) and 74: they give the number of QPUs, which is 12 or 16. */
TEST(a_chip_may_have_sixteen_qpus)
{
    static const struct {
        uint32_t qpus, ident, interrupts;
    } cases[] = {
        {0, 0xc1102431, 0x0fff},
        {12, 0xc1102431, 0x0fff},
        {16, 0xc1102441, 0xffff},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tess_vc4_options options = {.qpus = cases[i].qpus};
        struct rig rig = {0};
        assert_int_equal(tess_vc4_create(&rig.vc4, &options), TESS_OK);
        assert_int_equal(tess_vc4_map(rig.vc4, 0, RIG_MEMORY, NULL), TESS_OK);
        rig.memory = tess_vc4_memory(rig.vc4, 0, RIG_MEMORY);
        assert_int_equal(tess_vc4_read(rig.vc4, 4), cases[i].ident);
        PROGRAM(&rig, 0x5000, interrupt, semaphore(0, true), end, nop, nop);
        tess_vc4_write(rig.vc4, V3D_DBCFG, 1);
        tess_vc4_write(rig.vc4, V3D_DBQITE, 0xffff);
        for (unsigned n = 0; n < 16; n++)
            request(&rig, 0x5000);
        assert_int_equal(tess_vc4_run(rig.vc4), TESS_VC4_STUCK);
        assert_int_equal(tess_vc4_read(rig.vc4, V3D_DBQITC), cases[i].interrupts);
        tess_vc4_destroy(rig.vc4);
    }
}

/* Returns a device with this number of QPUs, whose programs may interrupt the host. The caller
 * frees the rig with rig_free(). */
static struct rig *rig_of(uint32_t qpus)
{
    struct rig *rig = rig_new();
    struct tess_vc4_options options = {.qpus = qpus, .machine.sink = {rig_report, rig}};
    tess_vc4_destroy(rig->vc4);
    assert_int_equal(tess_vc4_create(&rig->vc4, &options), TESS_OK);
    assert_int_equal(tess_vc4_map(rig->vc4, 0, RIG_MEMORY, NULL), TESS_OK);
    rig->memory = tess_vc4_memory(rig->vc4, 0, RIG_MEMORY);
    tess_vc4_write(rig->vc4, V3D_DBCFG, 1);
    tess_vc4_write(rig->vc4, V3D_DBQITE, 0xffff);
    return rig;
}

/* Program n waits for semaphore n, and releases semaphore n + 1. The last program starts the
 * chain. Every program interrupts the host after its wait. The hardware has 16 semaphores
 * (manual section 3). */
TEST(semaphores_chain_all_qpus)
{
    for (uint32_t qpus = 12; qpus <= 16; qpus += 4) {
        struct rig *rig = rig_of(qpus);
        for (uint32_t n = 0; n < qpus; n++) {
            bool last = n == qpus - 1;
            PROGRAM(rig, 0x5000 + 0x100 * n, last ? semaphore(0, false) : nop, semaphore(n, true),
                    interrupt, last ? nop : semaphore(n + 1, false), end, nop, nop);
            request(rig, 0x5000 + 0x100 * n);
        }
        assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_IDLE);
        assert_int_equal(tess_vc4_read(rig->vc4, V3D_DBQITC), (1u << qpus) - 1);
        assert_int_equal(status(rig), qpus << 8 | qpus << 16);
        assert_int_equal(rig->errors, 0);
        rig_free(rig);
    }
}

/* A semaphore's counter has four bits. The sixteenth release waits until another QPU acquires
 * the semaphore. */
TEST(semaphores_count_to_fifteen)
{
    for (unsigned number = 0; number < 16; number++) {
        struct rig *rig = rig_of(12);
        uint64_t words[19];
        for (unsigned i = 0; i < 16; i++)
            words[i] = semaphore(number, false);
        words[16] = end;
        words[17] = words[18] = nop;
        put_program(rig, 0x5000, words + 1, 18); /* 15 releases */
        put_program(rig, 0x5200, words + 15, 4); /* one more release */
        PROGRAM(rig, 0x5400, semaphore(number, true), end, nop, nop);
        request(rig, 0x5000);
        assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_IDLE);
        request(rig, 0x5200);
        assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_STUCK);
        request(rig, 0x5400);
        assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_IDLE);
        for (unsigned i = 0; i < 15; i++)
            request(rig, 0x5400);
        assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_IDLE);
        request(rig, 0x5400);
        assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_STUCK);
        rig_free(rig);
    }
}

/* "or -, mutex_acq, r0" and "li mutex_rel, -, 0", in the encodings that asurati/x03 uses for reads
 * and loads (raddr and waddr 51). */
static const uint64_t acquire_mutex = UINT64_C(0x100209e715ce7c00);
static const uint64_t release_mutex = UINT64_C(0xe0020ce700000000);

/* Two programs acquire the mutex three times. Each holds it for 40 clocks, and leaves it free
 * for 160 clocks after the release. The second program waits 40 clocks at first, and later
 * neither waits. If a program could acquire the mutex three times in a row, the other program
 * would wait for 400 clocks. */
TEST(the_mutex_goes_to_who_comes_first)
{
    enum { HELD = 10, FREE = 40, TIMES = 3 }; /* in instructions of four clocks */
    struct rig *rig = rig_of(12);
    uint64_t words[TIMES * (HELD + FREE) + 3];
    unsigned count = 0;
    for (unsigned time = 0; time < TIMES; time++)
        for (unsigned i = 0; i < HELD + FREE; i++)
            words[count++] = i == 0 ? acquire_mutex : i == HELD ? release_mutex : nop;
    words[count++] = end;
    words[count++] = nop;
    words[count++] = nop;
    put_program(rig, 0x5000, words, count);
    uint64_t before = 0;
    for (unsigned run = 0; run < 2; run++) { /* in the second run, all code is in the caches */
        request(rig, 0x5000);
        request(rig, 0x5000);
        assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_IDLE);
        struct tess_vc4_shader_stats stats;
        assert_true(tess_vc4_get_shader_stats(rig->vc4, 0, &stats));
        if (run == 1)
            assert_int_equal(stats.stalls[TESS_VC4_STALL_WAIT] - before, 4 * HELD);
        before = stats.stalls[TESS_VC4_STALL_WAIT];
    }
    assert_int_equal(rig->errors + rig->warnings, 0);
    rig_free(rig);
}

TEST(the_mutex_lets_one_in)
{
    struct rig *rig = rig_of(16);
    /* Each program increments and decrements semaphore 1 while it holds the mutex. The semaphore
     * is at most 1, so no program waits for it. */
    PROGRAM(rig, 0x5000, acquire_mutex, semaphore(1, false), nop, semaphore(1, true), release_mutex,
            interrupt, end, nop, nop);
    for (unsigned i = 0; i < 16; i++)
        request(rig, 0x5000);
    assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_IDLE);
    assert_int_equal(tess_vc4_read(rig->vc4, V3D_DBQITC), 0xffff);
    assert_int_equal(rig->errors + rig->warnings, 0);

    PROGRAM(rig, 0x5000, acquire_mutex, end, nop, nop);
    PROGRAM(rig, 0x5100, nop, nop, acquire_mutex, release_mutex, end, nop, nop);
    PROGRAM(rig, 0x5200, release_mutex, end, nop, nop);
    request(rig, 0x5000);
    request(rig, 0x5100);
    assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_STUCK);
    assert_true(says(rig, "ends while it holds the mutex"));
    tess_vc4_report_stuck(rig->vc4);
    assert_true(says(rig, "QPU 1 waits for the mutex"));
    assert_true(says(rig, "which QPU 0 holds; the program that acquired it has ended"));
    request(rig, 0x5200); /* this program releases a mutex that another program holds */
    assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_IDLE);
    rig_free(rig);
}

/* A program that reads the VPM without a setup waits forever. Other programs continue. A finding
 * is reported for a program that waits for the hung program. */
TEST(a_hung_program_does_not_stop_others)
{
    struct rig *rig = rig_of(12);
    const uint64_t read_vpm = UINT64_C(0x100209e715c27c00); /* or -, vpm, r0: raddr 48 */
    PROGRAM(rig, 0x5000, read_vpm, semaphore(6, false), end, nop, nop);
    uint64_t words[200];
    for (unsigned i = 0; i < 200; i++)
        words[i] = i == 195 ? interrupt : i == 196 ? semaphore(6, true) : i == 197 ? end : nop;
    put_program(rig, 0x5100, words, 200); /* runs longer than the first time slice */
    request(rig, 0x5000);
    request(rig, 0x5100);
    assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_STUCK);
    assert_string_equal(rig->rules[0], "vpm-empty");
    assert_int_equal(tess_vc4_read(rig->vc4, V3D_DBQITC), 2);
    tess_vc4_report_stuck(rig->vc4);
    assert_true(says(rig, "QPU 0 could release it at 0x00005008 (that QPU hangs)"));
    rig_free(rig);
}

/* If several QPUs wait for the same thing at the same instruction, a single finding names all of
 * them. */
TEST(qpus_that_wait_for_the_same)
{
    struct rig *rig = rig_of(16);
    const uint64_t read_vpm = UINT64_C(0x100209e715c27c00);
    PROGRAM(rig, 0x5000, semaphore(9, true), end, nop, nop);
    for (unsigned i = 0; i < 16; i++)
        request(rig, 0x5000);
    assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_STUCK);
    tess_vc4_report_stuck(rig->vc4);
    assert_int_equal(rig->errors, 1);
    assert_true(says(rig, "16 QPUs wait for semaphore 9"));
    assert_int_equal(rig->place.qpus, 0xffff);
    rig_free(rig);

    rig = rig_of(16);
    PROGRAM(rig, 0x5000, read_vpm, end, nop, nop);
    for (unsigned i = 0; i < 16; i++)
        request(rig, 0x5000);
    assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_STUCK);
    assert_int_equal(rig->errors, 1);
    assert_int_equal(rig->place.qpu, 0);
    assert_int_equal(rig->place.qpus, 0xffff);
    rig_free(rig);
}

/* Manual table 68: the counts of requests and of completed programs wrap modulo 256. Requests
 * are counted even when they are dropped. The queue drops requests from an overflow until the
 * error is cleared (table 65). */
TEST(counts_wrap_and_errors_stay)
{
    struct rig *rig = rig_of(12);
    PROGRAM(rig, 0x5000, end, nop, nop);
    for (unsigned i = 0; i < 300; i++) {
        request(rig, 0x5000);
        if (i % 10 == 9)
            assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_IDLE);
    }
    assert_int_equal(status(rig), 44 << 8 | 44 << 16);
    for (unsigned i = 0; i < 18; i++)
        request(rig, 0x5000);
    assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_IDLE);
    request(rig, 0x5000); /* the queue has room, but the error is still set */
    assert_int_equal(status(rig), 63 << 8 | 60 << 16 | 1 << 7);
    tess_vc4_write(rig->vc4, V3D_SRQCS, 1 << 7);
    request(rig, 0x5000);
    assert_int_equal(status(rig), 1 | 64 << 8 | 60 << 16);
    rig_free(rig);
}

/* Manual tables 62 and 63: four bits per QPU. Bit 0 excludes user programs. Bits 1 to 3 do not. */
TEST(each_qpu_can_be_reserved)
{
    for (uint32_t number = 0; number < 16; number++) {
        struct rig *rig = rig_of(16);
        PROGRAM(rig, 0x5000, interrupt, semaphore(0, true), end, nop, nop);
        uint32_t bit = UINT32_C(1) << number % 8 * 4;
        tess_vc4_write(rig->vc4, 0x410, number < 8 ? 0xffffffff & ~bit : 0xffffffff);
        tess_vc4_write(rig->vc4, 0x414, number < 8 ? 0xffffffff : 0xffffffff & ~bit);
        request(rig, 0x5000);
        request(rig, 0x5000);
        assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_STUCK);
        assert_int_equal(tess_vc4_read(rig->vc4, V3D_DBQITC), 1u << number);
        assert_int_equal(status(rig) & 0x3f, 1);
        rig_free(rig);
    }
}

/* Manual table 74: DBQITE has an enable bit for each QPU, and DBCFG enables all QPUs. */
TEST(interrupts_are_enabled_one_by_one)
{
    struct rig *rig = rig_of(12);
    PROGRAM(rig, 0x5000, interrupt, end, nop, nop);
    tess_vc4_write(rig->vc4, V3D_DBQITE, 0xa5a5);
    assert_int_equal(tess_vc4_read(rig->vc4, V3D_DBQITE), 0x5a5); /* the device has 12 QPUs, so
                                                                     12 bits */
    for (unsigned i = 0; i < 12; i++)
        request(rig, 0x5000);
    assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_IDLE);
    assert_int_equal(tess_vc4_read(rig->vc4, V3D_DBQITC), 0x5a5);
    tess_vc4_write(rig->vc4, V3D_DBQITC, 0x0a4);
    assert_int_equal(tess_vc4_read(rig->vc4, V3D_DBQITC), 0x501);
    assert_true(tess_vc4_interrupt_level(rig->vc4));
    tess_vc4_write(rig->vc4, V3D_DBQITC, 0xffff);
    assert_false(tess_vc4_interrupt_level(rig->vc4));
    rig_free(rig);
}

/* VPM space reserved for user programs: manual table 69 and erratum HW-2253. */
TEST(vpm_reservation)
{
    struct rig *rig = rig_new();
    tess_vc4_write(rig->vc4, V3D_VPMBASE, 16);
    assert_int_equal(rig->warnings, 0);
    tess_vc4_write(rig->vc4, V3D_VPMBASE, 0x3f); /* the value that mandelpi writes; it is too
                                                    large */
    assert_int_equal(tess_vc4_read(rig->vc4, V3D_VPMBASE), 31);
    assert_string_equal(rig->rules[0], "vpm-reservation");
    rig_free(rig);
}

/* Manual table 67: a length up to 1023 limits the number of uniforms. The program executes "mov
 * r0, unif", in both encodings of unif. */
TEST(uniforms_may_be_limited)
{
    static const uint64_t read_uniform = UINT64_C(0x1002082715827d80);
    for (uint32_t length = 0; length < 4; length++) {
        struct rig *rig = rig_new();
        PROGRAM(rig, 0x5000, read_uniform, read_uniform, end, nop, nop);
        tess_vc4_write(rig->vc4, V3D_SRQUA, 0x6000);
        tess_vc4_write(rig->vc4, V3D_SRQUL, length);
        tess_vc4_write(rig->vc4, V3D_SRQPC, 0x5000);
        assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_IDLE);
        assert_int_equal(rig->errors, length == 1);
        if (length == 1)
            assert_string_equal(rig->rules[0], "qpu-uniform-overrun");
        rig_free(rig);
    }
}

TEST(an_endless_program_hits_the_budget)
{
    struct rig *rig = rig_new();
    PROGRAM(rig, 0x5000, branch_to_self(), nop, nop, nop);
    request(rig, 0x5000);
    assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_BUDGET);
    assert_string_equal(rig->rules[0], "budget");
    assert_int_equal(rig->place.shader, 0x5000);
    rig_free(rig);
}

TEST(an_endless_program_hits_the_clock_limit)
{
    enum { LIMIT = 80 * 1000, CLOCKS = 4 }; /* in clocks; CLOCKS per instruction */
    struct rig *rig = rig_new();
    PROGRAM(rig, 0x5000, branch_to_self(), nop, nop, nop);
    PROGRAM(rig, 0x5100, end, nop, nop);
    request(rig, 0x5000);
    request(rig, 0x5100);
    tess_vc4_set_clock_limit(rig->vc4, LIMIT);
    assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_BUDGET);
    assert_int_equal(rig->kept, 0); /* the limit is set by the host, so no finding is reported */
    assert_int_equal(tess_vc4_error_count(rig->vc4), 0);
    tess_vc4_report_late(rig->vc4);
    assert_string_equal(rig->rules[0], "budget");
    assert_int_equal(rig->place.shader, 0x5000);
    struct tess_vc4_stats stats;
    tess_vc4_get_stats(rig->vc4, &stats);
    assert_in_range(stats.clocks, LIMIT, LIMIT + 1000 * CLOCKS);
    assert_in_range(stats.instructions, LIMIT / CLOCKS * 9 / 10, LIMIT / CLOCKS + 1000);
    assert_int_equal(status(rig) >> 16, 1);

    /* The program continues in the next run, unless a power cycle removes it. */
    tess_vc4_set_clock_limit(rig->vc4, 1000);
    assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_BUDGET);
    tess_vc4_stop_programs(rig->vc4);
    assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_IDLE);
    assert_int_equal(tess_vc4_shader_count(rig->vc4), 2);
    request(rig, 0x5100);
    assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_IDLE);
    assert_int_equal(status(rig) >> 16, 2);
    rig_free(rig);
}

/* An emulator runs the device in time slices. Each run continues where the previous run stopped,
 * and so does the clock. */
TEST(time_advances_run_by_run)
{
    enum { LIMIT = 10000, RUNS = 20, INSTRUCTIONS = 2000 };
    struct rig *rig = rig_new();
    PROGRAM(rig, 0x5000, branch_to_self(), nop, nop, nop);
    PROGRAM(rig, 0x5100, end, nop, nop);
    tess_vc4_set_clock_limit(rig->vc4, LIMIT);
    request(rig, 0x5000);
    struct tess_vc4_stats stats, before = {0};
    for (unsigned i = 0; i < RUNS; i++) {
        assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_BUDGET);
        tess_vc4_get_stats(rig->vc4, &stats);
        assert_true(stats.clocks >= before.clocks + LIMIT);
        before = stats;
    }
    assert_in_range(stats.clocks, RUNS * LIMIT, RUNS * (LIMIT + 4 * INSTRUCTIONS));
    assert_in_range(stats.instructions, RUNS * LIMIT / 4 * 9 / 10, stats.clocks / 4);
    assert_int_equal(rig->kept, 0);

    /* Stopping the program must not count the clocks of the previous run again. */
    tess_vc4_stop_programs(rig->vc4);
    tess_vc4_get_stats(rig->vc4, &stats);
    assert_int_equal(stats.clocks, before.clocks);
    tess_vc4_report_late(rig->vc4);
    assert_int_equal(rig->kept, 0);
    rig_free(rig);
}

/* After a stop, the semaphores and the mutex are free, and the queue is empty. */
TEST(stopped_programs_leave_nothing_behind)
{
    struct rig *rig = rig_new();
    PROGRAM(rig, 0x5000, semaphore(3, false), semaphore(2, true), end, nop, nop);
    PROGRAM(rig, 0x5100, semaphore(3, true), end, nop, nop);
    for (unsigned i = 0; i < 15; i++)
        request(rig, 0x5000);
    assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_STUCK);
    tess_vc4_stop_programs(rig->vc4);
    assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_IDLE);
    assert_int_equal(status(rig) & 0x3f, 0);
    request(rig, 0x5100);
    assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_STUCK); /* semaphore 3 was reset to 0 */
    rig_free(rig);
}

/* A budget that the host has set also applies when a clock limit is set. */
TEST(a_budget_that_was_asked_for_stays)
{
    struct rig *rig = rig_new_limited(10);
    PROGRAM(rig, 0x5000, branch_to_self(), nop, nop, nop);
    request(rig, 0x5000);
    tess_vc4_set_clock_limit(rig->vc4, 1000000);
    assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_BUDGET);
    struct tess_vc4_stats stats;
    tess_vc4_get_stats(rig->vc4, &stats);
    assert_int_equal(stats.instructions, 10);
    rig_free(rig);
}

/* The third budget limits what all programs of a run execute together. The test runs three
 * programs of four instructions. */
TEST(programs_share_a_budget)
{
    for (uint64_t budget = 10; budget <= 12; budget++) {
        struct rig *rig = rig_new_limited(budget);
        PROGRAM(rig, 0x5000, nop, end, nop, nop);
        for (unsigned i = 0; i < 3; i++)
            request(rig, 0x5000);
        bool enough = budget == 12;
        assert_int_equal(tess_vc4_run(rig->vc4), enough ? TESS_VC4_IDLE : TESS_VC4_BUDGET);
        assert_int_equal(rig->errors, enough ? 0 : 1);
        if (!enough) {
            assert_string_equal(rig->rules[0], "budget");
            assert_non_null(strstr(rig->texts[0], budget == 10 ? "10 instructions in this run"
                                                               : "11 instructions in this run"));
            assert_true(rig->place.known & TESS_PLACE_SHADER);
            assert_int_equal(rig->place.shader, 0x5000);
            assert_int_equal(rig->place.pc, 0x5000 + 8 * (budget - 8));
            assert_int_equal(rig->place.qpu, 2);
            /* Each run has a separate budget. */
            assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_IDLE);
        }
        assert_int_equal(status(rig) >> 16, 3);
        rig_free(rig);
    }
}

/* Draws a triangle over the corner of four tiles. One run of its shader fits the budget of a
 * program, but all runs together exceed the budget of a run. */
TEST(fragments_share_a_budget)
{
    struct rig *rig = rig_new_limited(100);
    rig_flat_shader(rig, RIG_WHITE);
    rig_shader_record(rig, 1, 12, 0);
    rig->at = RIG_VERTICES;
    rig_vertex(rig, 10, 10);
    rig_vertex(rig, 120, 10);
    rig_vertex(rig, 10, 120);
    rig_begin_bin(rig, RIG_LISTS_SIZE, 4);
    rig_array(rig, 4, 3, 0);
    rig_u8(rig, 4);
    uint32_t bin_end = rig->at;
    assert_int_equal(rig_frame(rig, bin_end, 32), TESS_VC4_BUDGET);
    assert_string_equal(rig->rules[0], "budget");
    assert_int_equal(rig->errors, 1);
    assert_int_equal(rig->place.shader, RIG_SHADER);
    assert_true(rig->place.known & TESS_PLACE_TILE);
    struct tess_vc4_stats stats;
    tess_vc4_get_stats(rig->vc4, &stats);
    assert_int_equal(stats.instructions, 100);
    rig_free(rig);
}

/* A fragment shader that waits for a semaphorehangs. The rendering thread stops, a finding names
 * the reason, and the thread works again after a reset. */
TEST(a_hung_fragment_shader)
{
    struct rig *rig = rig_new();
    rig_flat_shader(rig, RIG_WHITE);
    PROGRAM(rig, RIG_SHADER, nop, nop, semaphore(2, true), end, nop, nop);
    rig_shader_record(rig, 1, 12, 0);
    rig->at = RIG_VERTICES;
    rig_vertex(rig, 70, 70);
    rig_vertex(rig, 90, 70);
    rig_vertex(rig, 70, 90);
    rig_begin_bin(rig, RIG_LISTS_SIZE, 4);
    rig_array(rig, 4, 3, 0);
    rig_u8(rig, 4);
    uint32_t bin_end = rig->at;
    assert_int_equal(rig_frame(rig, bin_end, 32), TESS_VC4_STUCK);
    assert_string_equal(rig->rules[0], "qpu-hang");
    assert_int_equal(rig->place.tile_column, 1);
    assert_int_equal(rig->place.tile_row, 1);
    assert_int_equal(rig->place.pc, RIG_SHADER + 16);
    /* The three earlier tiles were stored, and the fourth was not. */
    assert_int_equal(rig_count_pixels(rig, RIG_CLEAR), 3 * 64 * 64);
    assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_STUCK);

    rig_flat_shader(rig, RIG_WHITE);
    assert_int_equal(rig_frame(rig, bin_end, 32), TESS_VC4_IDLE);
    assert_int_equal(rig_count_pixels(rig, RIG_WHITE), 19 * 20 / 2);
    rig_free(rig);
}
