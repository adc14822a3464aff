/* SPDX-License-Identifier: MIT */
/* Tests of the trace that the host receives for each instruction. Expected values are worked out
 * by hand from the programs' text. The numbers beside the programs count instructions. */
#include "../../register.h"
#include "program.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/bits.h"
#include "base/hash.h"
#include "vc4/time/timing.h"

enum {
    CODE = PROGRAM_CODE,
    UNIFORMS = PROGRAM_UNIFORMS,
    DATA = UNIFORMS + 0x1000,
    STEPS = 4096,
    EVENTS = 4,
    OPERANDS = 4,
    TEXT = 64,
};

/* A copy of an operand or of a result, with its values. */
struct copy {
    struct tess_vc4_operand operand;
    uint32_t before[16], after[16];
};

/* A copy of a trace step. It includes the data that the step points to. */
struct seen {
    struct tess_vc4_step step;
    struct tess_vc4_event event[EVENTS];
    uint32_t value[EVENTS][16];
    struct copy operand[OPERANDS], result[OPERANDS];
    char text[TEXT];
};

static struct {
    struct seen *seen;
    size_t count;
    size_t stop_each; /* number of steps after which the run is stopped, or 0 */
    uint64_t hash;
} all;

static void copy_operands(struct copy copies[OPERANDS], const struct tess_vc4_operand *operands,
                          size_t count)
{
    assert_true(count <= OPERANDS);
    for (size_t i = 0; i < count; i++) {
        copies[i].operand = operands[i];
        memcpy(copies[i].before, operands[i].before, sizeof copies[i].before);
        if (operands[i].after)
            memcpy(copies[i].after, operands[i].after, sizeof copies[i].after);
    }
}

static bool note(void *user, const struct tess_vc4_step *step)
{
    (void)user;
    assert_true(all.count < STEPS);
    struct seen *seen = &all.seen[all.count++];
    memset(seen, 0, sizeof *seen);
    seen->step = *step;
    assert_true(step->event_count <= EVENTS);
    for (size_t i = 0; i < step->event_count; i++) {
        seen->event[i] = step->events[i];
        if (step->events[i].values)
            memcpy(seen->value[i], step->events[i].values, sizeof seen->value[i]);
    }
    copy_operands(seen->operand, step->operands, step->operand_count);
    copy_operands(seen->result, step->results, step->result_count);
    snprintf(seen->text, sizeof seen->text, "%s", step->text);
    const uint64_t numbers[] = {step->qpu, step->pc, step->clock, step->word, step->result_count};
    all.hash = hash_bytes(all.hash, (const uint8_t *)numbers, sizeof numbers);
    return !all.stop_each || all.count % all.stop_each;
}

static struct tess_vc4 *run(const char *text, struct tess_vc4_options options, unsigned programs)
{
    all.count = 0;
    all.hash = HASH_START;
    options.trace = note;
    struct tess_vc4 *vc4 = program_device(text, &options);
    store_le32(tess_vc4_memory(vc4, UNIFORMS, 4), DATA);
    store_le32(tess_vc4_memory(vc4, UNIFORMS + 4, 4), 2);
    for (uint32_t i = 0; i < 16; i++)
        store_le32(tess_vc4_memory(vc4, DATA + 4 * i, 4), 100 + i);
    program_run(vc4, programs);
    return vc4;
}

static int make_room(void **state)
{
    (void)state;
    all.seen = calloc(STEPS, sizeof *all.seen);
    return all.seen ? 0 : 1;
}

static int give_back(void **state)
{
    (void)state;
    free(all.seen);
    return 0;
}

static const struct tess_vc4_event *only_event(size_t at, enum tess_vc4_event_kind kind)
{
    assert_int_equal(all.seen[at].step.event_count, 1);
    assert_int_equal(all.seen[at].event[0].kind, kind);
    return &all.seen[at].event[0];
}

/* Returns the copy with a name. Its elements must be as given. */
static const struct copy *named(const struct copy copies[OPERANDS], const char *name,
                                uint16_t lanes)
{
    for (size_t i = 0; i < OPERANDS; i++) {
        if (!copies[i].operand.name || strcmp(copies[i].operand.name, name) != 0)
            continue;
        assert_int_equal(copies[i].operand.lanes, lanes);
        return &copies[i];
    }
    fail_msg("no %s", name);
    return NULL;
}

TEST(registers_and_flags)
{
    struct tess_vc4 *vc4 = run(
        "mov ra3, elem_num; mov rb7, 5\n" /* instruction 0 */
        "sub.setf r1, elem_num, 4\n"      /* 1: sets N for elements 0..3, and Z for element 4 */
        "mov.ifn r2, 7\n"                 /* 2 */
        "nop\n"                           /* 3 */
        "thrend\n"
        "nop\n"
        "nop\n",
        (struct tess_vc4_options){0}, 1);
    const struct seen *seen = all.seen;
    assert_int_equal(all.count, 7);
    for (size_t i = 0; i < all.count; i++) {
        assert_int_equal(seen[i].step.kind, TESS_VC4_USER);
        assert_int_equal(seen[i].step.qpu, 0);
        assert_int_equal(seen[i].step.shader, CODE);
        assert_int_equal(seen[i].step.pc, CODE + 8 * i);
        assert_int_equal(seen[i].step.next, CODE + 8 * (i + 1));
        assert_int_equal(seen[i].step.number, i);
        assert_int_equal(seen[i].step.word,
                         load_le64(tess_vc4_memory(vc4, (uint32_t)(CODE + 8 * i), 8)));
        assert_false(seen[i].step.broken);
    }
    assert_int_equal(seen[0].step.result_count, 2);
    assert_int_equal(named(seen[0].result, "ra3", 0xffff)->after[9], 9);
    assert_int_equal(named(seen[0].result, "rb7", 0xffff)->after[9], 5);
    assert_false(seen[0].step.flags_set);
    assert_int_equal(seen[1].step.result_count, 1);
    assert_int_equal(named(seen[1].result, "r1", 0xffff)->after[15], 11);
    assert_true(seen[1].step.flags_set);
    assert_int_equal(seen[1].step.n, 0x000f);
    assert_int_equal(seen[1].step.z, 0x0010);
    assert_int_equal(seen[2].step.result_count, 1);
    assert_int_equal(named(seen[2].result, "r2", 0x000f)->after[3], 7);
    assert_int_equal(seen[2].result[0].after[4], 0);
    assert_int_equal(seen[3].step.result_count, 0);
    only_event(6, TESS_VC4_EVENT_END);
    tess_vc4_destroy(vc4);
}

/* Operands have the values that the instruction reads. The manual, section 3: conditions select the
 * elements that an ALU writes; a rotation by n (">> n") moves element i to i + n; a branch adds
 * element 15 of its register; an immediate is no register. */
TEST(operands_and_results)
{
    struct tess_vc4 *vc4 = run("mov ra4, elem_num; mov rb7, 5\n" /* 0 */
                               "sub.setf r1, elem_num, 4\n"      /* 1: N for elements 0..3 */
                               "add.ifn ra4, ra4, r1\n"          /* 2 */
                               "mov r0, unif\n"                  /* 3 */
                               "mov r3, r1 >> 2\n"               /* 4 */
                               "max.ifz r1, ra4, rb7; mov.ifnz r3, r0\n" /* 5 */
                               "bra.allz -, ra4\n"                       /* 6: not taken */
                               "nop\n"
                               "nop\n"
                               "nop\n"
                               "thrend\n"
                               "nop\n"
                               "nop\n",
                               (struct tess_vc4_options){0}, 1);
    const struct seen *seen = all.seen;
    static const size_t operands[7] = {1, 1, 2, 1, 1, 3, 1}, results[7] = {2, 1, 1, 1, 1, 2, 0};
    assert_int_equal(all.count, 13);
    for (size_t i = 0; i < 7; i++) {
        assert_int_equal(seen[i].step.operand_count, operands[i]);
        assert_int_equal(seen[i].step.result_count, results[i]);
    }
    assert_string_equal(seen[2].text, "add.ifn ra4, ra4, r1");
    for (uint32_t i = 0; i < 16; i++) {
        uint32_t sum = i < 4 ? i + (i - 4) : i, moved = ((i - 2) & 15) - 4;
        assert_int_equal(named(seen[0].operand, "elem_num", 0xffff)->before[i], i);
        assert_int_equal(named(seen[0].result, "ra4", 0xffff)->before[i], 0);
        assert_int_equal(named(seen[2].operand, "ra4", 0x000f)->before[i], i);
        assert_int_equal(named(seen[2].operand, "r1", 0x000f)->before[i], i - 4);
        assert_int_equal(named(seen[2].result, "ra4", 0x000f)->before[i], i);
        assert_int_equal(named(seen[2].result, "ra4", 0x000f)->after[i], sum);
        assert_int_equal(named(seen[3].operand, "unif", 0xffff)->before[i], DATA);
        assert_int_equal(named(seen[4].operand, "r1", 0xffff)->before[i], i - 4);
        assert_int_equal(named(seen[4].result, "r3", 0xffff)->after[i], moved);
        assert_int_equal(named(seen[5].operand, "ra4", 0x0010)->before[i], sum);
        assert_int_equal(named(seen[5].operand, "rb7", 0x0010)->before[i], 5);
        assert_int_equal(named(seen[5].operand, "r0", 0xffef)->before[i], DATA);
        assert_int_equal(named(seen[5].result, "r1", 0x0010)->before[i], i - 4);
        assert_int_equal(named(seen[5].result, "r1", 0x0010)->after[i], i == 4 ? 5 : i - 4);
        assert_int_equal(named(seen[5].result, "r3", 0xffef)->after[i], i == 4 ? moved : DATA);
        assert_int_equal(named(seen[6].operand, "ra4", 0x8000)->before[i], sum);
    }
    assert_null(seen[2].operand[0].operand.after);
    tess_vc4_destroy(vc4);
}

/* A register that the previous instruction wrote still has its old value (manual, section 3,
 * "Summary of Instruction Restrictions"). Both ports receive the same uniform. */
TEST(operands_of_ports)
{
    struct tess_vc4 *vc4 = run("mov ra4, elem_num\n"
                               "mov r0, ra4\n"        /* 1 */
                               "add r1, ra32, rb32\n" /* 2: unif of both files */
                               "thrend\n"
                               "nop\n"
                               "nop\n",
                               (struct tess_vc4_options){0}, 1);
    const struct seen *seen = all.seen;
    assert_int_equal(named(seen[1].operand, "ra4", 0xffff)->before[9], 0);
    assert_int_equal(named(seen[1].result, "r0", 0xffff)->after[9], 0);
    assert_int_equal(seen[2].step.operand_count, 2);
    for (unsigned i = 0; i < 2; i++) {
        assert_string_equal(seen[2].operand[i].operand.name, "unif");
        assert_int_equal(seen[2].operand[i].before[15], DATA);
    }
    assert_int_equal(named(seen[2].result, "r1", 0xffff)->after[15], 2 * DATA);
    only_event(2, TESS_VC4_EVENT_UNIFORM);
    tess_vc4_destroy(vc4);
}

/* An instruction takes four clocks plus its stalls. The next instruction starts immediately
 * after. */
TEST(clocks_follow)
{
    struct tess_vc4 *vc4 = run("mov r0, unif\n"
                               "mov t0s, r0\n"
                               "nop; ldtmu0\n"
                               "thrend\n"
                               "nop\n"
                               "nop\n",
                               (struct tess_vc4_options){0}, 1);
    for (size_t i = 0; i + 1 < all.count; i++) {
        uint64_t takes = TIMING_INSTRUCTION;
        for (unsigned cause = 0; cause < TESS_VC4_STALLS; cause++)
            takes += all.seen[i].step.stalls[cause];
        assert_int_equal(all.seen[i + 1].step.clock - all.seen[i].step.clock, takes);
    }
    assert_true(all.seen[2].step.stalls[TESS_VC4_STALL_TMU] > 0);
    tess_vc4_destroy(vc4);
}

TEST(events_of_units)
{
    struct tess_vc4 *vc4 = run("mov r0, unif\n"                                    /* 0 */
                               "shl r1, elem_num, 2\n"                             /* 1 */
                               "add t0s, r0, r1\n"                                 /* 2 */
                               "nop; ldtmu0\n"                                     /* 3 */
                               "mov vw_setup, vpm_setup(0, 1, h32(0))\n"           /* 4 */
                               "mov vpm, r4\n"                                     /* 5 */
                               "mov recip, 2.0\n"                                  /* 6 */
                               "nop\n"                                             /* 7 */
                               "nop\n"                                             /* 8 */
                               "mov r2, r4\n"                                      /* 9 */
                               "srel -, 3\n"                                       /* 10 */
                               "sacq -, 3\n"                                       /* 11 */
                               "mov -, mutex\n"                                    /* 12 */
                               "mov mutex, 0\n"                                    /* 13 */
                               "mov vw_setup, vdw_setup_0(1, 16, dma_h32(0, 0))\n" /* 14 */
                               "mov vw_addr, r0\n"                                 /* 15 */
                               "mov -, vw_wait\n"                                  /* 16 */
                               "brr -, :end\n"                                     /* 17 */
                               "nop\n"
                               "nop\n"
                               "nop\n"
                               "nop\n"
                               ":end\n"
                               "thrend\n"
                               "nop\n"
                               "nop\n",
                               (struct tess_vc4_options){0}, 1);
    assert_int_equal(all.count, 24); /* the branch skips the nop after its delay slots */
    const struct tess_vc4_event *event = only_event(0, TESS_VC4_EVENT_UNIFORM);
    assert_int_equal(event->address, UNIFORMS);
    assert_true(event->has_address);
    assert_null(event->detail);
    assert_int_equal(all.seen[0].value[0][0], DATA);
    event = only_event(2, TESS_VC4_EVENT_TMU_WRITE);
    assert_int_equal(event->number, 0);
    assert_string_equal(event->detail, "0 s");
    assert_false(event->has_address || event->has_setup || event->in_results);
    assert_int_equal(event->lanes, 0xffff);
    assert_int_equal(all.seen[2].value[0][15], DATA + 60);
    event = only_event(3, TESS_VC4_EVENT_TMU_RESULT);
    assert_int_equal(event->number, 0);
    assert_string_equal(event->detail, "0");
    assert_true(event->in_results);
    assert_int_equal(all.seen[3].value[0][15], 115);
    assert_int_equal(all.seen[3].step.result_count, 1);
    assert_int_equal(named(all.seen[3].result, "r4", 0xffff)->after[15], 115);
    event = only_event(4, TESS_VC4_EVENT_VPM_WRITE_SETUP);
    assert_int_equal(event->number,
                     0x00001a00); /* setup by manual table 33: stride 1, horizontal, 32 bits, row
                                     0 */
    assert_true(event->has_setup && !event->has_address);
    only_event(5, TESS_VC4_EVENT_VPM_WRITE);
    assert_int_equal(all.seen[5].value[0][7], 107);
    event = only_event(6, TESS_VC4_EVENT_SFU);
    assert_int_equal(event->number, 0);
    assert_string_equal(event->detail, "recip");
    only_event(9, TESS_VC4_EVENT_SFU_RESULT);
    assert_int_equal(all.seen[9].value[0][0] >> 12, 0x3efff); /* slightly below 1 / 2, as in
                                                                 tests/vc4/qpu/sfu.c */
    assert_int_equal(all.seen[9].step.result_count, 2);
    assert_int_equal(named(all.seen[9].operand, "r4", 0xffff)->before[0], all.seen[9].value[0][0]);
    assert_int_equal(named(all.seen[9].result, "r4", 0xffff)->before[15], 115);
    assert_int_equal(named(all.seen[9].result, "r2", 0xffff)->after[0], all.seen[9].value[0][0]);
    event = only_event(10, TESS_VC4_EVENT_SEMAPHORE_RELEASE);
    assert_int_equal(event->number, 3);
    assert_string_equal(event->detail, "3");
    assert_int_equal(all.seen[10].value[0][0], 1);
    only_event(11, TESS_VC4_EVENT_SEMAPHORE_ACQUIRE);
    assert_int_equal(all.seen[11].value[0][0], 0);
    only_event(12, TESS_VC4_EVENT_MUTEX_ACQUIRE);
    only_event(13, TESS_VC4_EVENT_MUTEX_RELEASE);
    event = only_event(15, TESS_VC4_EVENT_DMA_STORE);
    assert_int_equal(event->address, DATA);
    assert_true(event->has_setup && event->has_address);
    assert_int_equal(event->number, all.seen[14].event[0].number);
    only_event(16, TESS_VC4_EVENT_DMA_STORE_WAIT);
    event = only_event(17, TESS_VC4_EVENT_BRANCH);
    assert_int_equal(event->address, CODE + 8 * 22);
    assert_int_equal(all.seen[20].step.next, CODE + 8 * 22);
    assert_int_equal(all.seen[21].step.pc, CODE + 8 * 22);
    tess_vc4_destroy(vc4);
}

/* Programs run in parallel. The order of trace steps must be the same for any number of threads
 * and with the sanitizer. Tracing must not change any result. */
TEST(the_order_is_fixed)
{
    static const char text[] = "mov.setf -, qpu_num\n" /* QPU 0 starts the chain */
                               "brr.anynz -, :begin\n"
                               "nop\n"
                               "nop\n"
                               "nop\n"
                               "srel -, 0\n"
                               ":begin\n"
                               "mov r0, unif\n"
                               "mov r0, unif\n"
                               ":loop\n"
                               "sub.setf r0, r0, 1\n"
                               "brr.anynz -, :loop\n"
                               "nop\n"
                               "nop\n"
                               "nop\n"
                               "sacq -, 0\n"
                               "srel -, 0\n"
                               "thrend\n"
                               "nop\n"
                               "nop\n";
    uint64_t hashes[3];
    for (unsigned i = 0; i < 3; i++) {
        const struct tess_vc4_options options = {.machine.threads = i ? 4 : 1,
                                                 .machine.sanitize = i == 2};
        struct tess_vc4 *vc4 = run(text, options, 8);
        struct tess_vc4_stats stats;
        tess_vc4_get_stats(vc4, &stats);
        assert_int_equal(stats.instructions, all.count);
        hashes[i] = all.hash;
        tess_vc4_destroy(vc4);
    }
    assert_true(hashes[0] == hashes[1]);
    assert_true(hashes[0] == hashes[2]);
}

/* Two programs of 1 + 15 * 5 + 3 instructions. A run that is stopped again and again executes the
 * same instructions, at the same times. */
TEST(a_trace_stops_the_run)
{
    static const char text[] = "mov r0, 15\n"
                               ":loop\n"
                               "sub.setf r0, r0, 1\n"
                               "brr.anynz -, :loop\n"
                               "nop\n"
                               "nop\n"
                               "nop\n"
                               "thrend\n"
                               "nop\n"
                               "nop\n";
    const struct tess_vc4_options options = {.trace = note};
    uint64_t whole;
    size_t steps;
    unsigned pauses = 0;
    tess_vc4_destroy(run(text, (struct tess_vc4_options){0}, 2));
    whole = all.hash;
    steps = all.count;
    assert_int_equal(steps, 2 * (1 + 15 * 5 + 3));
    all.count = 0;
    all.hash = HASH_START;
    all.stop_each = 30;
    struct tess_vc4 *vc4 = program_device(text, &options);
    for (unsigned i = 0; i < 2; i++) {
        tess_vc4_write(vc4, V3D_SRQUA, UNIFORMS);
        tess_vc4_write(vc4, V3D_SRQPC, PROGRAM_CODE);
    }
    while (tess_vc4_run(vc4) == TESS_VC4_PAUSED)
        pauses++;
    all.stop_each = 0;
    assert_true(pauses > 0);
    assert_int_equal(all.count, steps);
    assert_true(all.hash == whole);
    tess_vc4_destroy(vc4);
}

TEST(event_names)
{
    for (int kind = 0; kind < TESS_VC4_EVENTS; kind++)
        assert_non_null(tess_vc4_event_name((enum tess_vc4_event_kind)kind));
    assert_null(tess_vc4_event_name(TESS_VC4_EVENTS));
    assert_string_equal(tess_vc4_event_name(TESS_VC4_EVENT_DMA_STORE), "dma store");
}

TEST_GROUP(make_room, give_back)
