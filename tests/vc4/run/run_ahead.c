/* SPDX-License-Identifier: MIT */
/* Tests of user programs that run in parallel. Memory, findings and counts must be the same for
 * any number of host threads, and the programs' results must equal those of C code. */
#include "../../register.h"
#include "../qpu/program.h"
#include "../rig.h"

#include "vc4/device/device.h"
#include "vc4/run/run_ahead.h"

enum {
    CODE = 0x5000,
    TABLE = 0x10000, /* 256 words of input */
    UNIFORMS = 0x11000,
    OUT = 0x20000, /* results, 16 words per program */
    PROGRAMS = 16,
    MOST_FINDINGS = 64,
};

/* Code of each program. Program n computes `loops` times x = 3 * x + table[16 * (loops left &
 * 15) + element], starting with x = n, and an unused reciprocal of x. Then x goes to row n of
 * the VPM, and from there to memory. The %s is replaced by breaks_rules, hands_over, or nothing. */
static const char source[] = ".include <vc4.qinc>\n"
                             ".org 0x5000\n"
                             "    mov ra0, unif\n" /* number of the program */
                             "    mov rb0, unif\n" /* address of its results */
                             "    mov ra1, unif\n" /* address of the table */
                             "    mov ra2, unif\n" /* number of loops */
                             "    mov ra3, unif\n" /* selects the special case of the program */
                             "    mov r1, ra0\n"
                             ":loop\n"
                             "    mov r0, ra2\n"
                             "    and r0, r0, 15\n"
                             "    shl r0, r0, 6\n"
                             "    add r0, r0, ra1\n"
                             "    mov r2, elem_num\n"
                             "    shl r2, r2, 2\n"
                             "    add tmu0_s, r0, r2\n"
                             "    itof sfu_recip, r1\n"
                             "    shl r3, r1, 1\n"
                             "    add r1, r1, r3\n"
                             "    mov rb1, r4\n"
                             "    nop\n"
                             "    nop; ldtmu0\n"
                             "    add r1, r1, r4\n"
                             "%s"
                             "    sub.setf ra2, ra2, 1\n"
                             "    brr.anynz -, :loop\n"
                             "    nop\n"
                             "    nop\n"
                             "    nop\n"
                             "    ldi r0, vpm_setup(0, 1, h32(0))\n"
                             "    mov r2, ra0\n"
                             "    add vw_setup, r0, r2\n"
                             "    mov vpm, r1\n"
                             "    ldi r0, vdw_setup_0(1, 16, dma_h32(0, 0))\n"
                             "    shl r2, r2, 7\n"
                             "    mov -, mutex_acq\n"
                             "    add vw_setup, r0, r2\n"
                             "    ldi vw_setup, vdw_setup_1(0)\n"
                             "    mov vw_addr, rb0\n"
                             "    mov -, vw_wait\n"
                             "    mov mutex_rel, 0\n"
                             "    mov irq, 1\n"
                             "    nop; nop; thrend\n"
                             "    nop\n"
                             "    nop\n";

/* Inserted code: with 40 loops left, a program breaks the rule that its uniform selects. 1:
 * reads r4 right after a write to the SFU. 2: looks up unmapped memory. 3: stops at a breakpoint
 * forever. 4: writes to memory that other programs write. */
static const char breaks_rules[] = "    ldi r2, 40\n"
                                   "    sub.setf -, ra2, r2\n"
                                   "    brr.anynz -, :sound\n"
                                   "    nop\n"
                                   "    nop\n"
                                   "    nop\n"
                                   "    mov r2, ra3\n"
                                   "    sub.setf -, r2, 1\n"
                                   "    brr.anynz -, :no_sfu\n"
                                   "    nop\n"
                                   "    nop\n"
                                   "    nop\n"
                                   "    mov sfu_recip, r1\n"
                                   "    mov r3, r4\n"
                                   "    nop\n"
                                   "    nop\n"
                                   ":no_sfu\n"
                                   "    sub.setf -, r2, 2\n"
                                   "    brr.anynz -, :no_lookup\n"
                                   "    nop\n"
                                   "    nop\n"
                                   "    nop\n"
                                   "    ldi tmu0_s, 0x30000000\n"
                                   "    nop; ldtmu0\n"
                                   ":no_lookup\n"
                                   "    sub.setf -, r2, 3\n"
                                   "    brr.anynz -, :no_breakpoint\n"
                                   "    nop\n"
                                   "    nop\n"
                                   "    nop\n"
                                   "    nop; bkpt\n"
                                   ":no_breakpoint\n"
                                   "    sub.setf -, r2, 4\n"
                                   "    brr.anynz -, :sound\n"
                                   "    nop\n"
                                   "    nop\n"
                                   "    nop\n"
                                   "    ldi tmu0_s, 0x20000\n"
                                   "    nop; ldtmu0\n"
                                   ":sound\n";

/* Inserted code: with 100 loops left, each program acquires a semaphore that the previous
 * program releases, and then releases it once for the next program. ra3 marks the first program,
 * which does not acquire. The assembler has no semaphore instruction with the number in a
 * register, so all programs share one semaphore. */
static const char hands_over[] = "    ldi r2, 100\n"
                                 "    sub.setf -, ra2, r2\n"
                                 "    brr.anynz -, :on\n"
                                 "    nop\n"
                                 "    nop\n"
                                 "    nop\n"
                                 "    mov.setf -, ra3\n"
                                 "    brr.anynz -, :first\n"
                                 "    nop\n"
                                 "    nop\n"
                                 "    nop\n"
                                 "    sacq -, 5\n"
                                 ":first\n"
                                 "    srel -, 5\n"
                                 ":on\n";

struct finding {
    char text[200];
    struct tess_place place;
};

/* All observable results of a run. */
struct outcome {
    uint8_t memory[RIG_MEMORY];
    enum tess_vc4_stop stop;
    struct tess_vc4_stats stats;
    uint64_t counter[TESS_VC4_COUNTERS];
    struct tess_vc4_shader_stats shader;
    uint64_t errors;
    uint32_t interrupts, window;
    uint32_t findings;
    struct finding finding[MOST_FINDINGS];
};

/* Copies a place without its padding, whose bytes are undefined, so that places can be compared as
 * bytes. */
static void copy_place(struct tess_place *to, const struct tess_place *from)
{
    const size_t second = offsetof(struct tess_place, instruction);
    memcpy(to, from, offsetof(struct tess_place, pc) + sizeof from->pc);
    memcpy((char *)to + second, (const char *)from + second, sizeof *from - second);
}

static void keep(void *user, const struct tess_finding *diag)
{
    struct outcome *outcome = user;
    if (outcome->findings == MOST_FINDINGS)
        return;
    struct finding *finding = &outcome->finding[outcome->findings++];
    snprintf(finding->text, sizeof finding->text, "%s: %s", diag->id, diag->text);
    copy_place(&finding->place, &diag->place);
}

/* --- scenes --- */

struct scene {
    const char *extra;
    uint32_t programs, qpus;
    uint32_t special[PROGRAMS]; /* the last uniform of each program */
};

static uint32_t loops_of(uint32_t program)
{
    return 400 + 37 * (program * 7 % 16);
}

static uint32_t table_word(uint32_t index)
{
    return index * UINT32_C(2654435761) >> 3;
}

static void assemble(uint8_t *memory, const char *extra)
{
    static char text[8192];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(text, sizeof text, source, extra);
#pragma GCC diagnostic pop
    program_assemble(memory + CODE, text);
}

static void fill(uint8_t *memory, const struct scene *scene)
{
    assemble(memory, scene->extra);
    for (uint32_t i = 0; i < 256; i++)
        store_le32(memory + TABLE + 4 * i, table_word(i));
    for (uint32_t n = 0; n < scene->programs; n++) {
        const uint32_t uniforms[] = {n, OUT + 64 * n, TABLE, loops_of(n), scene->special[n]};
        for (uint32_t i = 0; i < 5; i++)
            store_le32(memory + UNIFORMS + 20 * n + 4 * i, uniforms[i]);
    }
}

static void observe(struct tess_vc4 *vc4, struct outcome *outcome)
{
    memcpy(outcome->memory, tess_vc4_memory(vc4, 0, RIG_MEMORY), RIG_MEMORY);
    tess_vc4_get_stats(vc4, &outcome->stats);
    for (uint32_t i = 0; i < TESS_VC4_COUNTERS; i++)
        outcome->counter[i] = tess_vc4_counter(vc4, i);
    tess_vc4_get_shader_stats(vc4, 0, &outcome->shader); /* statistics of programs that have
                                                            ended */
    outcome->errors = tess_vc4_error_count(vc4);
    outcome->interrupts = tess_vc4_read(vc4, V3D_DBQITC);
    outcome->window = (uint32_t)vc4->run_ahead.window;
}

/* The caller frees the result with free(). */
static struct outcome *run_scene(const struct scene *scene, uint32_t threads, bool sanitize)
{
    struct outcome *outcome = calloc(1, sizeof *outcome);
    const struct tess_vc4_options options = {
        .machine.sink = {keep, outcome},
        .machine.threads = threads,
        .machine.sanitize = sanitize,
        .qpus = scene->qpus,
    };
    struct tess_vc4 *vc4;
    assert_non_null(outcome);
    assert_int_equal(tess_vc4_create(&vc4, &options), TESS_OK);
    assert_int_equal(tess_vc4_map(vc4, 0, RIG_MEMORY, NULL), TESS_OK);
    fill(tess_vc4_memory(vc4, 0, RIG_MEMORY), scene);
    tess_vc4_write(vc4, V3D_DBCFG, 1);
    tess_vc4_write(vc4, V3D_DBQITE, 0xffff);
    for (uint32_t n = 0; n < scene->programs; n++) {
        tess_vc4_write(vc4, V3D_SRQUA, UNIFORMS + 20 * n);
        tess_vc4_write(vc4, V3D_SRQPC, CODE);
    }
    outcome->stop = tess_vc4_run(vc4);
    if (outcome->stop != TESS_VC4_IDLE)
        tess_vc4_report_stuck(vc4);
    observe(vc4, outcome);
    tess_vc4_destroy(vc4);
    return outcome;
}

static uint32_t result_of(uint32_t program, uint32_t element)
{
    uint32_t x = program;
    for (uint32_t left = loops_of(program); left; left--)
        x = 3 * x + table_word(16 * (left & 15) + element);
    return x;
}

/* Returns a mask with a bit for each program whose results are correct. */
static uint32_t right_ones(const struct outcome *outcome, uint32_t programs)
{
    uint32_t right = 0;
    for (uint32_t n = 0; n < programs; n++) {
        bool good = true;
        for (uint32_t i = 0; i < 16; i++)
            good &= load_le32(outcome->memory + OUT + 64 * n + 4 * i) == result_of(n, i);
        right |= (uint32_t)good << n;
    }
    return right;
}

static void compare(const struct outcome *one, const struct outcome *other)
{
    for (uint32_t i = 0; i < one->findings && i < other->findings; i++)
        assert_string_equal(one->finding[i].text, other->finding[i].text);
    assert_memory_equal(one->counter, other->counter, sizeof one->counter);
    assert_memory_equal(one, other, sizeof *one);
}

/* Compares the counts of two runs, which are the same with and without the sanitizer. Findings
 * may differ. */
static void compare_counts(const struct outcome *one, const struct outcome *other)
{
    assert_memory_equal(one->memory, other->memory, sizeof one->memory);
    assert_memory_equal(one->counter, other->counter, sizeof one->counter);
    assert_memory_equal(&one->stats, &other->stats, sizeof one->stats);
    assert_memory_equal(&one->shader, &other->shader, sizeof one->shader);
    assert_int_equal(one->window, other->window);
}

/* Runs the scene with several numbers of host threads, with and without the sanitizer, and checks
 * that all outcomes agree. Returns the outcome of one host thread, with the sanitizer if `sanitize`
 * is true. */
static struct outcome *run_all_ways(const struct scene *scene, bool sanitize)
{
    static const uint32_t threads[] = {2, 3, 4, 8, 4};
    struct outcome *one = run_scene(scene, 1, sanitize);
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        struct outcome *other = run_scene(scene, threads[i], sanitize);
        compare(one, other);
        free(other);
    }
    struct outcome *watched = run_scene(scene, 2, !sanitize);
    compare_counts(one, watched);
    free(watched);
    return one;
}

static bool finds(const struct outcome *outcome, const char *rule, uint32_t qpu)
{
    for (uint32_t i = 0; i < outcome->findings; i++)
        if (strncmp(outcome->finding[i].text, rule, strlen(rule)) == 0 &&
            (outcome->finding[i].place.qpu == qpu || outcome->finding[i].place.qpus >> qpu & 1))
            return true;
    return false;
}

/* --- tests --- */

TEST(independent_programs)
{
    static const struct scene scenes[] = {
        {.extra = "", .programs = 2, .qpus = 12},
        {.extra = "", .programs = 12, .qpus = 12},
        {.extra = "", .programs = 16, .qpus = 12}, /* four of the programs have to wait for a QPU */
        {.extra = "", .programs = 16, .qpus = 16},
    };
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++)
        for (unsigned sanitize = 0; sanitize < 2; sanitize++) {
            uint32_t programs = scenes[i].programs;
            struct outcome *outcome = run_all_ways(&scenes[i], sanitize);
            assert_int_equal(outcome->stop, TESS_VC4_IDLE);
            assert_int_equal(outcome->errors, 0);
            assert_int_equal(right_ones(outcome, programs), (1u << programs) - 1);
            assert_int_equal(outcome->shader.runs, programs);
            assert_int_equal(outcome->interrupts, programs < 12          ? 3
                                                  : scenes[i].qpus == 16 ? 0xffff
                                                                         : 0xfff);
            assert_true(outcome->window > 1024); /* the programs ran in parallel */
            free(outcome);
        }
}

TEST(a_program_that_breaks_a_rule)
{
    static const struct scene scene = {
        .extra = breaks_rules,
        .programs = 12,
        .qpus = 12,
        .special = {[3] = 1, [6] = 2, [9] = 3, [11] = 4},
    };
    for (unsigned sanitize = 0; sanitize < 2; sanitize++) {
        struct outcome *outcome = run_all_ways(&scene, sanitize);
        assert_int_equal(outcome->stop, TESS_VC4_STUCK);
        assert_int_equal(right_ones(outcome, 12), 0xfff & ~(1u << 9));
        assert_true(finds(outcome, "qpu-sfu-latency", 3));
        assert_true(finds(outcome, "bus-unmapped", 6));
        assert_true(finds(outcome, "qpu-breakpoint", 9));
        assert_int_equal(finds(outcome, "memory-race", 0) || finds(outcome, "memory-race", 11),
                         sanitize);
        free(outcome);
    }
}

TEST(programs_that_wait_for_each_other)
{
    struct scene scene = {.extra = hands_over, .programs = 12, .qpus = 12, .special = {[7] = 1}};
    for (unsigned sanitize = 0; sanitize < 2; sanitize++) {
        struct outcome *outcome = run_all_ways(&scene, sanitize);
        assert_int_equal(outcome->stop, TESS_VC4_IDLE);
        assert_int_equal(right_ones(outcome, 12), 0xfff);
        assert_int_equal(outcome->errors, 0);
        free(outcome);
    }
    scene.special[7] = 0; /* without a first program, every program waits forever */
    struct outcome *outcome = run_all_ways(&scene, false);
    assert_int_equal(outcome->stop, TESS_VC4_STUCK);
    assert_in_range(outcome->findings, 1, 12); /* one finding for all programs that wait at one
                                                  instruction */
    for (uint32_t n = 0; n < 12; n++)
        assert_true(finds(outcome, "qpu-hang", n));
    free(outcome);
}

/* --- limits --- */

/* Two programs run endlessly. Each executes its whole budget, and stops at the same instruction
 * as if it ran alone. */
TEST(budgets_are_met_as_before)
{
    static const struct {
        uint64_t own, total, executed;
    } cases[] = {
        {100000, 0, 100000},
        {1000, 0, 1000},
        {0, 300000, 300000},
        {1000000, 200001, 200001},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (uint32_t threads = 1; threads <= 4; threads++) {
            struct tess_vc4_options options = {.machine.threads = threads,
                                               .machine.max_instructions = cases[i].own,
                                               .max_total_instructions = cases[i].total};
            struct tess_vc4 *vc4;
            struct tess_vc4_stats stats;
            assert_int_equal(tess_vc4_create(&vc4, &options), TESS_OK);
            assert_int_equal(tess_vc4_map(vc4, 0, RIG_MEMORY, NULL), TESS_OK);
            uint8_t *memory = tess_vc4_memory(vc4, 0, RIG_MEMORY);
            store_le64(memory + CODE, UINT64_C(0xf0f809e7) << 32 | 0xffffffe0u); /* to itself */
            for (unsigned k = 1; k < 4; k++)
                store_le64(memory + CODE + 8 * k, UINT64_C(0x100009e7009e7000));
            for (unsigned k = 0; k < 2; k++)
                tess_vc4_write(vc4, V3D_SRQPC, CODE);
            assert_int_equal(tess_vc4_run(vc4), TESS_VC4_BUDGET);
            tess_vc4_get_stats(vc4, &stats);
            if (cases[i].total)
                assert_int_equal(stats.instructions, cases[i].executed);
            else
                assert_int_equal(vc4->qps.user[0].instructions, cases[i].executed);
            tess_vc4_destroy(vc4);
        }
}
