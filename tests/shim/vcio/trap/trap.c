/* SPDX-License-Identifier: MIT */
/* Tests of src/shim/vcio/trap.c, guard.c, ranges.c and signals.c: accesses to registers by several
 * threads, processes and signal handlers; the program's own faults and handlers; protections; the
 * guard.
 *
 * Expected: the behaviour of ordinary pages that mmap(2), mprotect(2), mremap(2), sigaction(2) and
 * signal(7) describe. */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../../register.h"
#include "live.h"
#include "machine.h"
#include "shim/vcio/trap.h"

enum { PAGE = 4096, THREADS = 4, TIMES = 5000, BOTH = PROT_READ | PROT_WRITE };

static volatile uint32_t *registers;
static sigjmp_buf back;
static void *volatile fault_address;
static volatile int fault_signal;

static void *map(size_t size, int protection)
{
    void *start = mmap(NULL, size, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    assert_ptr_not_equal(start, MAP_FAILED);
    return start;
}

static int setup(void **user)
{
    (void)user;
    registers = map(TEST_BYTES + PAGE, PROT_NONE);
    /* the page after the registers is ordinary memory */
    mprotect((char *)registers + TEST_BYTES, PAGE, BOTH);
    memset((void *)test_registers, 0, sizeof test_registers);
    test_access_count = test_settled = 0;
    return trap_watch((void *)registers, TEST_BYTES, TEST_OFFSET, BOTH) ? 0 : -1;
}

static int teardown(void **user)
{
    (void)user;
    signal(SIGSEGV, SIG_DFL);
    trap_forget((void *)registers, TEST_BYTES);
    munmap((void *)registers, TEST_BYTES + PAGE);
    return 0;
}

/* ------------------------------------------------------------------ faults of the program */

static void on_fault(int number, siginfo_t *info, void *context)
{
    (void)context;
    fault_signal = number;
    fault_address = info->si_addr;
    siglongjmp(back, 1);
}

static void install(void)
{
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};

    sigemptyset(&action.sa_mask);
    assert_int_equal(sigaction(SIGSEGV, &action, NULL), 0);
}

/* Accesses a word. Returns true if the access faults and the handler receives the address of the
 * word. */
static bool faults(volatile void *address, bool write)
{
    volatile uint32_t *word = address;

    fault_signal = 0;
    if (!sigsetjmp(back, 1)) {
        if (write)
            *word = 1;
        else
            (void)*word;
        return false;
    }
    assert_int_equal(fault_signal, SIGSEGV);
    assert_ptr_equal(fault_address, (void *)address);
    return true;
}

/* Runs a function in a child process. Returns the child's wait status. */
static int child(void (*what)(void))
{
    int status;
    pid_t process = fork();

    assert_true(process >= 0);
    if (!process) {
        what();
        _exit(0);
    }
    assert_int_equal(waitpid(process, &status, 0), process);
    return status;
}

TEST_WITH(test_own_handler, setup, teardown)
{
    struct sigaction told;
    char *hole = map(PAGE, PROT_NONE);

    registers[0] = 5;
    install();
    assert_true(faults(hole, false));
    assert_true(faults(hole + 8, true));
    assert_int_equal(registers[0], 5);
    assert_true(faults(hole, false)); /* the handler must still be installed for a second fault */
    assert_int_equal(sigaction(SIGSEGV, NULL, &told), 0);
    assert_true(told.sa_sigaction == on_fault && told.sa_flags == SA_SIGINFO);
    munmap(hole, PAGE);
}

static volatile int signals_seen;

static void count_signal(int number)
{
    (void)number;
    signals_seen++;
}

TEST_WITH(test_sent_signals, setup, teardown)
{
    signals_seen = 0;
    signal(SIGSEGV, SIG_DFL); /* replaces cmocka's handler */
    assert_true(signal(SIGSEGV, count_signal) == SIG_DFL);
    raise(SIGSEGV);
    raise(SIGSEGV);
    assert_int_equal(signals_seen, 2);
    assert_true(signal(SIGSEGV, SIG_IGN) == count_signal);
    raise(SIGSEGV);
    assert_int_equal(registers[1], 0);
    assert_true(sysv_signal(SIGSEGV, count_signal) == SIG_IGN);
    raise(SIGSEGV);
    assert_int_equal(signals_seen, 3);
    /* SA_RESETHAND has reset the handler after one signal */
    assert_true(signal(SIGSEGV, SIG_DFL) == SIG_DFL);
}

static void fault_by_default(void)
{
    signal(SIGSEGV, SIG_DFL);
    registers[0] = 1;
    *(volatile int *)map(PAGE, PROT_NONE) = 1;
}

static void fault_ignored(void)
{
    signal(SIGSEGV, SIG_IGN);
    *(volatile int *)map(PAGE, PROT_NONE) = 1;
}

static void send_default(void)
{
    signal(SIGSEGV, SIG_DFL);
    registers[0] = 1;
    raise(SIGSEGV);
}

static void fault_blocked(void)
{
    sigset_t all;

    install();
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    *(volatile int *)map(PAGE, PROT_NONE) = 1;
}

TEST_WITH(test_deaths, setup, teardown)
{
    void (*const ways[])(void) = {fault_by_default, fault_ignored, send_default, fault_blocked};

    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        int status = child(ways[i]);

        assert_true(WIFSIGNALED(status));
        assert_int_equal(WTERMSIG(status), SIGSEGV);
    }
}

TEST_WITH(test_masks, setup, teardown)
{
    sigset_t all, before, told;

    sigfillset(&all);
    assert_int_equal(pthread_sigmask(SIG_SETMASK, &all, &before), 0);
    assert_false(sigismember(&before, SIGSEGV));
    registers[3] = 7;
    assert_int_equal(registers[3], 7);
    assert_int_equal(sigprocmask(SIG_SETMASK, &before, &told), 0);
    assert_true(sigismember(&told, SIGSEGV));
    assert_true(sigismember(&told, SIGUSR1));
}

/* ------------------------------------------------------------------ accesses */

TEST_WITH(test_parts, setup, teardown)
{
    volatile uint8_t *bytes = (volatile uint8_t *)registers;

    registers[0] = 0x44332211;
    assert_int_equal(bytes[2], 0x33);
    assert_int_equal(*(volatile uint16_t *)(bytes + 2), 0x4433);
    test_access_count = 0;
    bytes[1] = 0xab;
    assert_int_equal(test_access_count, 1);
    assert_true(test_accesses[0].write);
    assert_int_equal(test_accesses[0].value, 0xab00);
    *(volatile uint16_t *)(bytes + 6) = 0xcdef;
    assert_int_equal(test_accesses[1].offset, 4);
    assert_int_equal(test_accesses[1].value, 0xcdef0000);
}

/* An access may begin in registers and end in memory, or begin in memory and end in registers. */
TEST_WITH(test_borders, setup, teardown)
{
    struct __attribute__((packed)) {
        uint64_t value;
    } volatile *at = (void *)((char *)registers + TEST_BYTES - 4);
    volatile uint32_t *memory = (volatile uint32_t *)((char *)registers + TEST_BYTES);

    registers[TEST_BYTES / 4 - 1] = 0x11223344;
    memory[0] = 0x55667788;
    assert_true(at->value == UINT64_C(0x5566778811223344));
    at->value = UINT64_C(0x0102030405060708);
    assert_int_equal(test_registers[TEST_BYTES / 4 - 1], 0x05060708);
    assert_int_equal(memory[0], 0x01020304);
}

TEST_WITH(test_copies, setup, teardown)
{
    uint32_t to[64], from[64];

    for (uint32_t i = 0; i < 64; i++) {
        from[i] = 3 * i;
        registers[i] = i * i;
    }
    memcpy(to, (const void *)registers, sizeof to);
    for (uint32_t i = 0; i < 64; i++)
        assert_int_equal(to[i], i * i);
    memcpy((void *)registers, from, sizeof from);
    assert_memory_equal((const void *)test_registers, from, sizeof from);
    memset((void *)registers, 0, 256);
    assert_int_equal(test_registers[0] | test_registers[63], 0);
}

/* ------------------------------------------------------------------ threads, processes,
 * handlers */

static void *hammer(void *user)
{
    volatile uint32_t *own = user;

    for (int i = 0; i < TIMES; i++)
        *own += 1;
    return NULL;
}

TEST_WITH(test_threads, setup, teardown)
{
    pthread_t threads[THREADS];
    pthread_attr_t small;

    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 64 * 1024);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(
            pthread_create(&threads[i], i % 2 ? &small : NULL, hammer, (void *)&registers[i]), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(test_registers[i], TIMES);
}

static volatile uint32_t alarms;

static void on_alarm(int number)
{
    (void)number;
    registers[9] = ++alarms;
}

/* A signal handler that interrupts accesses to registers accesses registers, too. */
TEST_WITH(test_in_handlers, setup, teardown)
{
    struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
    struct itimerval often = {{0, 500}, {0, 500}}, never = {{0, 0}, {0, 0}};

    sigfillset(&action.sa_mask);
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
    while (alarms < 20)
        registers[8] += 1;
    setitimer(ITIMER_REAL, &never, NULL);
    assert_int_equal(test_registers[9], alarms);
    signal(SIGALRM, SIG_DFL);
}

/* Accesses must not change the vector registers, even in threads with small stacks, and even while
 * signal handlers access registers. */
static void *hammer_live(void *user)
{
    volatile uint32_t *own = user;

    for (uint32_t i = 0; i < TIMES; i++)
        if (!live_add(own, i))
            return user;
    return NULL;
}

/* Any of the threads may receive the signal. Only one thread at a time counts it. */
static void on_live_alarm(int number)
{
    static atomic_flag busy = ATOMIC_FLAG_INIT;

    (void)number;
    if (atomic_flag_test_and_set(&busy))
        return;
    alarms += live_add(&registers[9], alarms);
    atomic_flag_clear(&busy);
}

TEST_WITH(test_live_registers, setup, teardown)
{
    struct sigaction action = {.sa_handler = on_live_alarm, .sa_flags = SA_RESTART};
    const struct timeval interval = {0, 500};
    const struct itimerval often = {interval, interval}, never = {.it_value.tv_sec = 0};
    pthread_t threads[THREADS];
    pthread_attr_t small;
    void *changed;

    alarms = 0;
    sigfillset(&action.sa_mask);
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 64 * 1024);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(
            pthread_create(&threads[i], i % 2 ? &small : NULL, hammer_live, (void *)&registers[i]),
            0);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], &changed);
        assert_null(changed);
        assert_int_equal(test_registers[i], TIMES);
    }
    setitimer(ITIMER_REAL, &never, NULL);
    signal(SIGALRM, SIG_DFL);
    assert_int_equal(test_registers[9], alarms);
    print_message("live: %s\n", live_registers());
}

static void use_in_child(void)
{
    registers[2] += 1;
    if (registers[2] != 78)
        _exit(1);
}

TEST_WITH(test_fork, setup, teardown)
{
    pthread_t thread;

    registers[2] = 77;
    assert_int_equal(pthread_create(&thread, NULL, hammer, (void *)&registers[0]), 0);
    for (int i = 0; i < 20; i++)
        assert_int_equal(child(use_in_child), 0);
    pthread_join(thread, NULL);
    assert_int_equal(registers[2], 77);
}

/* ------------------------------------------------------------------ protections */

TEST_WITH(test_protections, setup, teardown)
{
    volatile uint32_t *second = registers + PAGE / 4;

    install();
    assert_int_equal(trap_protect((void *)second, PAGE, PROT_READ), 0);
    assert_false(faults(registers, true));
    assert_false(faults(second, false));
    assert_true(faults(second, true));
    assert_int_equal(trap_protect((void *)registers, TEST_BYTES, PROT_NONE), 0);
    assert_true(faults(registers + 1, false));
    assert_int_equal(trap_protect((void *)registers, TEST_BYTES + PAGE, BOTH), 0);
    assert_false(faults(second, true));
    assert_int_equal(trap_protect((char *)registers + 1, PAGE, BOTH), -1);
    assert_int_equal(errno, EINVAL);
    trap_forget((void *)second, PAGE);
    assert_true(faults(second, false));
    assert_false(faults(registers, false));
}

TEST_WITH(test_moves, setup, teardown)
{
    volatile uint32_t *moved;

    install();
    moved = mremap((void *)registers, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED,
                   map(PAGE, PROT_NONE));
    assert_ptr_not_equal(moved, MAP_FAILED);
    trap_move((void *)registers, PAGE, (void *)moved, PAGE);
    moved[5] = 55;
    assert_int_equal(test_registers[5], 55);
    assert_true(faults(registers, false));
    registers[PAGE / 4] = 66; /* the second page was not moved */
    assert_int_equal(test_registers[PAGE / 4], 66);
    trap_forget((void *)moved, PAGE);
    munmap((void *)moved, PAGE);
}

/* Mappings that mremap() enlarges and shrinks in place. */
TEST_WITH(test_sizes, setup, teardown)
{
    volatile uint32_t *second = registers + PAGE / 4;

    install();
    trap_move((void *)registers, TEST_BYTES, (void *)registers, PAGE);
    assert_false(faults(registers, false));
    assert_true(faults(second, false));
    trap_move((void *)registers, PAGE, (void *)registers, 2 * PAGE);
    *second = 77;
    assert_int_equal(test_registers[PAGE / 4], 77);
    trap_move((void *)registers, 2 * PAGE, (void *)registers, TEST_BYTES);
    assert_false(faults(registers, false));
}

/* ------------------------------------------------------------------ the guard */

TEST_WITH(test_guard, setup, teardown)
{
    volatile uint32_t *memory = map(4 * PAGE, BOTH), *late = map(PAGE, BOTH);

    install();
    memory[0] = 1;
    assert_true(guard_watch((void *)memory, 4 * PAGE, BOTH));
    test_pend();
    assert_int_equal(test_settled, 0);
    memory[1] = 2;
    assert_int_equal(test_settled, 1);
    assert_int_equal(memory[0], 1);

    /* Pages must keep the protection that the program has set, while the guard is open and while it
     * is closed. */
    assert_int_equal(trap_protect((void *)(memory + PAGE / 4), PAGE, PROT_READ), 0);
    test_pend();
    assert_int_equal(trap_protect((void *)(memory + 2 * PAGE / 4), PAGE, PROT_NONE), 0);
    assert_true(faults(memory + PAGE / 4, true));
    assert_true(faults(memory + 2 * PAGE / 4, false));
    assert_int_equal(test_settled, 1);
    assert_false(faults(memory + PAGE / 4, false));
    assert_int_equal(test_settled, 2);
    assert_true(faults(memory + PAGE / 4, true));
    assert_true(faults(memory + 2 * PAGE / 4, true));
    assert_false(faults(memory + 3 * PAGE / 4, true));

    /* A page that is mapped while the guard is closed must be guarded, too. A page that was
     * unmapped must not be guarded any more, so that a later mapping at the same address is
     * accessible. */
    test_pend();
    assert_true(guard_watch((void *)late, PAGE, BOTH));
    late[0] = 3;
    assert_int_equal(test_settled, 3);
    trap_forget((void *)memory, 4 * PAGE);
    trap_forget((void *)late, PAGE);
    munmap((void *)memory, 4 * PAGE);
    munmap((void *)late, PAGE);
}

static void *touch(void *user)
{
    volatile uint32_t *word = user;

    for (int i = 0; i < 200; i++)
        *word += 1;
    return NULL;
}

/* Several threads access memory while the guard opens and closes. Copies between registers and
 * guarded memory must also let the machine do its pending work. */
TEST_WITH(test_guard_and_threads, setup, teardown)
{
    volatile uint32_t *memory = map(PAGE, BOTH);
    pthread_t threads[THREADS];
    uint32_t words[8] = {1, 2, 3, 4, 5, 6, 7, 8};

    assert_true(guard_watch((void *)memory, PAGE, BOTH));
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, touch, (void *)&memory[i]);
    for (int i = 0; i < 200; i++)
        test_pend();
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(memory[i], 200);
    memcpy((void *)memory, words, sizeof words);
    test_pend();
    memcpy((void *)registers, (const void *)memory, sizeof words);
    assert_memory_equal((const void *)test_registers, words, sizeof words);
    trap_forget((void *)memory, PAGE);
    munmap((void *)memory, PAGE);
}

/* ------------------------------------------------------------------ refused accesses */

static void refused(void)
{
    signal(SIGSEGV, SIG_DFL);
#if defined __x86_64__ || defined __i386__
    void (*volatile function)(void) = *(
        /* reads the address with an instruction that the shim supports */
        void (*volatile *)(void))registers;
    (void)function;
    __asm__ volatile("call *(%0)" : : "r"(registers) : "memory");
#else
    __asm__ volatile("ldxr w1, [%0]" : : "r"(registers) : "x1", "memory");
#endif
}

TEST_WITH(test_refused, setup, teardown)
{
    char said[512];
    int ends[2], status, standard = dup(STDERR_FILENO);
    ssize_t size;

    assert_int_equal(pipe(ends), 0);
    fflush(stderr);
    dup2(ends[1], STDERR_FILENO);
    status = child(refused);
    dup2(standard, STDERR_FILENO);
    close(standard);
    close(ends[1]);
    size = read(ends[0], said, sizeof said - 1);
    close(ends[0]);
    assert_true(size > 0);
    said[size] = '\0';
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGSEGV);
    assert_non_null(strstr(said, "tessera: error: the instruction at 0x"));
#if defined __x86_64__ || defined __i386__
    assert_non_null(strstr(said, "(ff "));
    assert_non_null(strstr(said, "call"));
    assert_non_null(strstr(said, "it branches to an address that it reads"));
#else
    assert_non_null(strstr(said, "peripherals do not support exclusive accesses"));
#endif
}
