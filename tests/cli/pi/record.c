/* SPDX-License-Identifier: MIT */
/* record.c - goes back in records of kernels. A place to which a record goes back must have the same
 * state as the run forward had there, byte for byte, and the same number of sent bytes. Stops must
 * not change the run. */
#include "cli/pi/record.h"

#include <string.h>

#include <tessera/arm.h>
#include <tessera/isa.h>

#include "../../register.h"
#include "base/bits.h"
#include "base/hash.h"
#include "cores.h"

/* Addresses of the first kernel: LOAD and STORE access the word at MIXED; RARE executes in each 32nd
 * iteration. */
enum {
    ENTRY = 0x8000,
    LOOP = 0x80a4,
    LOAD = 0x80c4,
    STORE = 0x80d8,
    RARE = 0x8120,
    IRQ = 0x813c,
    MIXED = 0x9004,
};

enum { MICROSECOND = 1000, STOPS = 24 };

struct world {
    struct tess_pi_machine *machine;
    struct record record;
    bool records;
    uint64_t sent; /* without a record */
};

/* What is compared: a hash of the state, and the number of sent bytes. */
struct moment {
    uint64_t hash, sent;
};

static void take_byte(void *user, bool mini, uint8_t byte)
{
    struct world *world = user;
    (void)mini;
    (void)byte;
    if (world->records)
        record_sent(&world->record);
    world->sent++;
}

static void open_world(struct world *world, const char *board, const uint32_t *words, size_t size)
{
    *world = (struct world){0};
    const struct tess_pi_machine_options options = {.board = tess_pi_board_find(board),
                                                    .engine = tess_arm_unicorn(),
                                                    .user = world,
                                                    .uart = take_byte};
    const struct tess_pi_kernel kernel = {.entry = ENTRY, .uart = true};
    assert_int_equal(tess_pi_machine_create(&world->machine, &options), TESS_OK);
    assert_int_equal(tess_pi_machine_load(world->machine, ENTRY, words, (uint32_t)size), TESS_OK);
    assert_int_equal(tess_pi_machine_start(world->machine, &kernel), TESS_OK);
}

static void open_cores(struct world *world)
{
    open_world(world, "pi2", cores_words, sizeof cores_words);
}

static void open_record(struct world *world)
{
    record_open(&world->record, world->machine);
    world->records = true;
}

static void close_world(struct world *world)
{
    if (world->records)
        record_close(&world->record);
    tess_pi_machine_destroy(world->machine);
}

static struct moment look(const struct world *world)
{
    uint8_t *bytes;
    size_t size;
    assert_int_equal(tess_pi_machine_save(world->machine, &bytes, &size), TESS_OK);
    const struct moment moment = {hash_bytes(HASH_START, bytes, size),
                                  world->records ? world->record.sent : world->sent};
    tess_free(bytes);
    return moment;
}

static void check_same(const struct moment *is, const struct moment *expected)
{
    assert_int_equal(is->sent, expected->sent);
    assert_int_equal(is->hash, expected->hash);
}

static enum tess_pi_end_reason run(struct world *world, uint64_t microseconds,
                                   struct record_stop *stop)
{
    uint64_t until = tess_pi_machine_time(world->machine) + microseconds * MICROSECOND;
    return record_run(&world->record, until, stop);
}

static uint32_t word(const struct world *world, uint32_t address)
{
    return load_le32(tess_pi_machine_memory(world->machine, address, 4));
}

static uint64_t pc(const struct world *world, unsigned core)
{
    return tess_pi_machine_get_register(world->machine, core, TESS_PI_PC);
}

/* Runs to breakpoints, forward, back and forward again. */
TEST(breakpoints)
{
    struct world world;
    struct moment moments[STOPS], moment;
    struct record_stop stop;
    unsigned cores = 0;
    open_cores(&world);
    open_record(&world);
    run(&world, 400, &stop);
    tess_pi_machine_breakpoint(world.machine, RARE, true);
    tess_pi_machine_breakpoint(world.machine, IRQ, true);
    for (unsigned i = 0; i < STOPS; i++) {
        assert_int_equal(run(&world, 1000, &stop), TESS_PI_END_BREAKPOINT);
        cores |= 1u << stop.core;
        moments[i] = look(&world);
    }
    assert_int_equal(cores, 15);
    assert_true(moments[0].sent > 0);
    for (unsigned i = STOPS - 1; i--;) {
        assert_true(record_run_back(&world.record, &stop));
        assert_null(stop.watch);
        moment = look(&world);
        check_same(&moment, &moments[i]);
    }
    for (unsigned i = 1; i < STOPS; i++) {
        assert_int_equal(run(&world, 1000, &stop), TESS_PI_END_BREAKPOINT);
        moment = look(&world);
        check_same(&moment, &moments[i]);
    }
    close_world(&world);
}

/* Steps a core over interrupts and the ends of its turns, then back, then forward again. */
static void step_and_return(unsigned core)
{
    enum { STEPS = 150 };
    static struct moment moments[STEPS];
    struct world world;
    struct moment moment;
    struct record_stop stop;
    open_cores(&world);
    open_record(&world);
    tess_pi_machine_breakpoint(world.machine, core & 1 ? IRQ : LOOP, true);
    do
        run(&world, 1000, &stop);
    while (stop.core != core);
    tess_pi_machine_breakpoint(world.machine, core & 1 ? IRQ : LOOP, false);
    for (unsigned i = 0; i < STEPS; i++) {
        moments[i] = look(&world);
        assert_int_equal(record_step(&world.record, core, &stop), TESS_PI_END_TIME);
    }
    for (unsigned i = STEPS; i--;) {
        assert_true(record_step_back(&world.record, core));
        moment = look(&world);
        check_same(&moment, &moments[i]);
    }
    for (unsigned i = 1; i < STEPS; i++) {
        record_step(&world.record, core, &stop);
        moment = look(&world);
        check_same(&moment, &moments[i]);
    }
    close_world(&world);
}

TEST(steps_of_core_0)
{
    step_and_return(0);
}

TEST(steps_of_core_1)
{
    step_and_return(1);
}

TEST(steps_of_core_2)
{
    step_and_return(2);
}

/* A run with stops of all kinds, ways back, and limits of time comes to the same state as a run
 * without them. */
TEST(stops_change_nothing)
{
    enum { END = 3000 * MICROSECOND };
    struct world plain, stopped;
    struct record_stop stop;
    open_cores(&plain);
    assert_int_equal(tess_pi_machine_run(plain.machine, END), TESS_PI_END_TIME);
    open_cores(&stopped);
    open_record(&stopped);
    for (unsigned i = 0; i < 40; i++) {
        run(&stopped, 7 + i, &stop);
        tess_pi_machine_breakpoint(stopped.machine, i & 1 ? IRQ : LOOP, true);
        run(&stopped, 1000, &stop);
        for (unsigned k = 0; k < 3; k++)
            record_step(&stopped.record, (i + k) % 4, &stop);
        if (i % 8 == 3)
            record_run_back(&stopped.record, &stop);
        tess_pi_machine_breakpoint(stopped.machine, i & 1 ? IRQ : LOOP, false);
    }
    record_run(&stopped.record, END, &stop);
    stopped.records = false;
    stopped.sent = stopped.record.sent;
    const struct moment expected = look(&plain), moment = look(&stopped);
    check_same(&moment, &expected);
    record_close(&stopped.record);
    close_world(&stopped);
    close_world(&plain);
}

/* All cores write the watched word. */
TEST(watchpoints)
{
    enum { WATCHES = 60 }; /* in more than one turn */
    struct world world;
    struct moment moments[WATCHES], moment;
    struct record_stop stop;
    uint32_t words[WATCHES];
    unsigned cores = 0;
    open_cores(&world);
    open_record(&world);
    run(&world, 400, &stop);
    assert_true(record_watch(&world.record, RECORD_WRITES, 0, MIXED, 4, true));
    for (unsigned i = 0; i < WATCHES; i++) {
        words[i] = word(&world, MIXED);
        assert_int_equal(run(&world, 1000, &stop), TESS_PI_END_WATCH);
        assert_non_null(stop.watch);
        assert_int_equal(pc(&world, stop.core), STORE + 4);
        assert_int_not_equal(word(&world, MIXED), words[i]);
        cores |= 1u << stop.core;
        moments[i] = look(&world);
    }
    assert_true(cores & (cores - 1));
    for (unsigned i = WATCHES; i--;) {
        assert_true(record_run_back(&world.record, &stop));
        assert_non_null(stop.watch);
        assert_int_equal(pc(&world, stop.core), STORE);
        assert_int_equal(word(&world, MIXED), words[i]);
    }
    for (unsigned i = 0; i < WATCHES; i++) {
        assert_int_equal(run(&world, 1000, &stop), TESS_PI_END_WATCH);
        moment = look(&world);
        check_same(&moment, &moments[i]);
    }
    close_world(&world);
}

/* Going back stops before the instructions that read the word, and those that write it. */
TEST(watchpoints_of_reads)
{
    static const struct {
        enum record_watched kind;
        uint64_t places[2];
    } rows[] = {
        {RECORD_READS, {LOAD, LOAD}},
        {RECORD_ACCESSES, {LOAD, STORE}},
    };
    for (unsigned row = 0; row < 2; row++) {
        struct world world;
        struct record_stop stop;
        open_cores(&world);
        open_record(&world);
        run(&world, 400, &stop);
        assert_true(record_watch(&world.record, rows[row].kind, 0, MIXED, 4, true));
        for (unsigned i = 0; i < 6; i++) {
            assert_int_equal(run(&world, 1000, &stop), TESS_PI_END_WATCH);
            assert_int_equal(pc(&world, stop.core), rows[row].places[i & 1] + 4);
        }
        const struct moment expected = look(&world);
        for (unsigned i = 6; i--;) {
            assert_true(record_run_back(&world.record, &stop));
            assert_int_equal(pc(&world, stop.core), rows[row].places[i & 1]);
        }
        for (unsigned i = 0; i < 6; i++)
            run(&world, 1000, &stop);
        const struct moment moment = look(&world);
        check_same(&moment, &expected);
        close_world(&world);
    }
}

/* A DMA channel copies a word that no instruction writes, some time after its start. */
TEST(watchpoint_of_a_peripheral)
{
    enum { BLOCK = 0xa000, SOURCE = 0xb000, DESTINATION = 0xc000, ADDRESSES = 0x300, SIZE = 0x100 };
    static const uint32_t words[] = {ADDRESSES, SOURCE, DESTINATION, SIZE};
    struct world world;
    struct record_stop stop;
    uint8_t block[sizeof words], bytes[SIZE];
    for (unsigned i = 0; i < 4; i++)
        store_le32(block + 4 * i, words[i]);
    memset(bytes, 0x5a, sizeof bytes);
    open_world(&world, "zero", dma_words, sizeof dma_words);
    tess_pi_machine_load(world.machine, BLOCK, block, sizeof block);
    tess_pi_machine_load(world.machine, SOURCE, bytes, sizeof bytes);
    open_record(&world);
    assert_true(record_watch(&world.record, RECORD_WRITES, 0, DESTINATION, 4, true));
    assert_int_equal(run(&world, 1000, &stop), TESS_PI_END_WATCH);
    assert_non_null(stop.watch);
    assert_int_equal(stop.watch->address, DESTINATION);
    assert_int_equal(word(&world, DESTINATION), 0x5a5a5a5a);
    const struct moment expected = look(&world);
    run(&world, 50, &stop);
    assert_true(record_run_back(&world.record, &stop));
    assert_non_null(stop.watch);
    assert_int_equal(word(&world, DESTINATION), 0);
    assert_int_equal(run(&world, 1000, &stop), TESS_PI_END_WATCH);
    const struct moment moment = look(&world);
    check_same(&moment, &expected);
    close_world(&world);
}
