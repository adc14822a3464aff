/* SPDX-License-Identifier: MIT */
/* Tests of src/shim/vcio/trap.c with cpu_*.c. An instruction that accesses registers of peripherals
 * must have the same effects as on memory. It must make exactly the accesses that the
 * architecture's manual specifies.
 *
 * The processor runs each form of forms_x86.c and forms_a64.c, and many random instructions, on
 * ordinary memory. Then it runs the same code on registers of peripherals at the same address. All
 * registers of the processor and all contents must be equal after both runs. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "../../../register.h"
#include "forms.h"
#include "machine.h"
#include "shim/vcio/trap.h"

/* Maps the pages at addresses of 32 bits. */
#ifdef MAP_32BIT
#define LOW MAP_32BIT
#else
#define LOW 0
#endif

enum { BASE = 1024, RANDOM_FORMS = 20000, SEQUENCES = 4000, SEEDS = 16 };

static uint8_t *pages; /* mapping of registers of peripherals, or of ordinary memory */
static _Alignas(64) uint8_t memory[4096], before[4096], by_memory[4096];
static uint32_t contents[TEST_BYTES / 4], pages_after[TEST_BYTES / 4];
static uint8_t state_after[8192];
static sigjmp_buf failed;

/* State of a random number generator (splitmix64). The numbers are the same in each run. */
static uint64_t seed;

static uint64_t draw(void)
{
    uint64_t z = seed += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static void fill(void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        ((uint8_t *)bytes)[i] = (uint8_t)draw();
}

static void map(int protection)
{
    trap_forget(pages, TEST_BYTES);
    if (mmap(pages, TEST_BYTES, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) !=
        pages)
        abort();
}

static void on_failure(int number)
{
    (void)number;
    siglongjmp(failed, 1);
}

/* Runs code. Returns false if the processor or the shim cannot execute the code. */
static bool call(uint64_t of, const uint8_t *code, size_t size)
{
    forms_prepare(of, (uintptr_t)pages + BASE, (uintptr_t)memory + BASE);
    return !sigsetjmp(failed, 1) && forms_call(code, size);
}

/* Runs code on memory, and stores the results. Returns false if the processor cannot execute the
 * code. */
static bool call_on_memory(uint64_t of, const uint8_t *code, size_t code_size)
{
    const void *state;
    size_t size;

    map(PROT_READ | PROT_WRITE);
    memcpy(pages, contents, sizeof contents);
    memcpy(before, memory, sizeof memory);
    if (!call(of, code, code_size))
        return false;
    memcpy(pages_after, pages, sizeof pages_after);
    memcpy(by_memory, memory, sizeof memory);
    memcpy(memory, before, sizeof memory);
    state = forms_state(&size);
    memcpy(state_after, state, size);
    return true;
}

/* Runs code on registers of peripherals. Returns false if the shim cannot execute the code. */
static bool call_on_registers(uint64_t of, const uint8_t *code, size_t code_size)
{
    map(PROT_NONE);
    assert_true(trap_watch(pages, TEST_BYTES, TEST_OFFSET, PROT_READ | PROT_WRITE));
    memcpy((void *)test_registers, contents, sizeof contents);
    test_access_count = 0;
    return call(of, code, code_size);
}

/* Compares the results of both runs. If `whole` is false, the code writes parts of registers. Such
 * a write sets the other bytes of the register to 0, unlike a write to memory. */
static void compare(const char *text, bool whole)
{
    size_t size;
    const void *state = forms_state(&size);

    if (memcmp(state, state_after, size)) {
        for (size_t i = 0; i < size; i += 8)
            if (memcmp((const uint8_t *)state + i, state_after + i, 8))
                print_error("at %zu: %016llx, on memory %016llx\n", i,
                            *(const unsigned long long *)((const uint8_t *)state + i),
                            *(const unsigned long long *)(state_after + i));
        fail_msg("%s: registers differ", text);
    }
    if (memcmp(memory, by_memory, sizeof memory))
        fail_msg("%s: memory differs", text);
    if (whole && memcmp((const void *)test_registers, pages_after, sizeof pages_after))
        fail_msg("%s: contents differ", text);
}

static void list_accesses(char *text, size_t size)
{
    size_t at = 0;

    text[0] = '\0';
    for (unsigned i = 0; i < test_access_count; i++)
        at += (size_t)snprintf(text + at, size - at, "%s%c%d", i ? " " : "",
                               test_accesses[i].write ? 'w' : 'r',
                               (int)test_accesses[i].offset - BASE);
}

/* Installs this test's handlers. They are installed inside each test, because cmocka installs its
 * own handlers before a test. */
static void catch_failures(void)
{
    static const int numbers[] = {SIGILL, SIGFPE, SIGSEGV, SIGBUS, SIGTRAP};

    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction action = {.sa_handler = on_failure, .sa_flags = SA_NODEFER};

        sigaction(numbers[i], &action, NULL);
    }
}

TEST(test_forms)
{
    char list[1024];
    unsigned done = 0;

    catch_failures();
    for (const struct form *form = __start_trap_forms; form < __stop_trap_forms; form++) {
        for (uint64_t of = 0; of < SEEDS; of++) {
            size_t size = (size_t)(form->end - form->code);

            seed = of;
            fill(contents, sizeof contents);
            fill(memory, sizeof memory);
            if (!call_on_memory(of, form->code, size))
                continue; /* the processor does not have the instruction */
            if (!call_on_registers(of, form->code, size))
                fail_msg("%s: refused", form->text);
            compare(form->text, true);
            list_accesses(list, sizeof list);
            if (strcmp(list, form->accesses))
                fail_msg("%s: accesses %s, not %s", form->text, list, form->accesses);
            done++;
        }
    }
    print_message("%u runs of %d forms\n", done, (int)(__stop_trap_forms - __start_trap_forms));
    assert_true(done > (unsigned)(__stop_trap_forms - __start_trap_forms) * SEEDS / 2);
}

TEST(test_refused_forms)
{
    const char *accepted = forms_accepted();

    if (accepted)
        fail_msg("%s: not refused", accepted);
}

static void hex(char *text, const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        sprintf(text + 3 * i, "%02x ", bytes[i]);
}

TEST(test_random)
{
    unsigned done = 0;

    catch_failures();
    seed = 1;
    for (unsigned tries = 0; tries < RANDOM_FORMS; tries++) {
        uint8_t code[16];
        char text[64];
        bool whole;
        size_t size = forms_random(draw, code, &whole);
        uint64_t of = draw();

        if (!size)
            continue;
        hex(text, code, size);
        fill(contents, sizeof contents);
        fill(memory, sizeof memory);
        if (!call_on_memory(of, code, size))
            continue;
        if (!call_on_registers(of, code, size))
            fail_msg("%s: refused", text);
        compare(text, whole);
        done++;
    }
    print_message("%u random instructions\n", done);
    assert_true(done > 100);
}

/* Runs a sequence on registers of peripherals. One fault executes up to `most` instructions.
 * Compares the effects with those on memory, and lists the accesses. */
static void run_sequence(unsigned most, uint64_t of, const uint8_t *code, size_t size, char *list,
                         size_t list_size)
{
    char text[3 * FORMS_SEQUENCE + 1];

    hex(text, code, size);
    memcpy(memory, before, sizeof memory);
    trap_limit(most);
    if (!call_on_registers(of, code, size))
        fail_msg("%s: refused", text);
    trap_limit(TRAP_MOST);
    compare(text, true);
    list_accesses(list, list_size);
}

/* The effects must not depend on the number of instructions that one fault executes: none without
 * cpu_step(), some, or all. */
TEST(test_sequences)
{
    static char single[1 << 16], few[sizeof single], all[sizeof single];
    uint8_t code[FORMS_SEQUENCE];
    unsigned done = 0;

    catch_failures();
    seed = 2;
    for (unsigned tries = 0; tries < SEQUENCES; tries++) {
        size_t size = forms_sequence(draw, code);
        uint64_t of = draw();

        fill(contents, sizeof contents);
        fill(memory, sizeof memory);
        if (!call_on_memory(of, code, size))
            continue;
        run_sequence(0, of, code, size, single, sizeof single);
        run_sequence(1 + (unsigned)(of % 16), of, code, size, few, sizeof few);
        run_sequence(TRAP_MOST, of, code, size, all, sizeof all);
        assert_string_equal(few, single);
        assert_string_equal(all, single);
        done++;
    }
    print_message("%u sequences\n", done);
    assert_true(done > SEQUENCES / 2);
}

int main(void)
{
    pages = mmap(NULL, TEST_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | LOW, -1, 0);
    if (pages == MAP_FAILED || !trap_install())
        return 1;
    return tests_run();
}
