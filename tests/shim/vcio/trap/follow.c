/* SPDX-License-Identifier: MIT */
/* Tests of src/shim/vcio/trap.c with follow_x86.c and careful_x86.c: faults of the program, signals
 * and changed code in sequences of accesses, of which one fault executes several. forms.c compares
 * the effects of random sequences.
 *
 * Expected: the behaviour of ordinary pages that mmap(2), mprotect(2), sigaction(2) and signal(7)
 * describe. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

#include "../../../register.h"
#include "machine.h"
#include "shim/vcio/trap.h"

enum { PAGE = 4096, SIGNALS = 50, BOTH = PROT_READ | PROT_WRITE };

static volatile uint32_t *registers;

static void *map(size_t size, int protection)
{
    void *start = mmap(NULL, size, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    assert_ptr_not_equal(start, MAP_FAILED);
    return start;
}

static int setup(void **user)
{
    (void)user;
    registers = map(TEST_BYTES, PROT_NONE);
    memset((void *)test_registers, 0, sizeof test_registers);
    test_access_count = test_settled = 0;
    return trap_watch((void *)registers, TEST_BYTES, TEST_OFFSET, BOTH) ? 0 : -1;
}

static int teardown(void **user)
{
    (void)user;
    signal(SIGSEGV, SIG_DFL);
    trap_forget((void *)registers, TEST_BYTES);
    munmap((void *)registers, TEST_BYTES);
    return 0;
}

/* ------------------------------------------------------------------ faults */

#if defined __x86_64__ || defined __i386__
/* Writes three registers, and accesses *bad between the second and the third: reads it if `write`
 * is 0, otherwise writes it. A fault must occur at trap_read or trap_write, before the third
 * write. */
void trap_sequence(volatile uint32_t *words, volatile void *bad, uintptr_t write);
extern const char trap_read[], trap_write[];

#ifdef __x86_64__
#define ARGUMENTS
#define WORDS "%rdi"
#define BAD   "%rsi"
#define WRITE "%rdx"
#else
#define ARGUMENTS "mov 4(%esp), %ecx; mov 8(%esp), %eax; mov 12(%esp), %edx\n"
#define WORDS     "%ecx"
#define BAD       "%eax"
#define WRITE     "%edx"
#endif
__asm__(".text\n.globl trap_sequence, trap_read, trap_write\n"
        "trap_sequence:\n" ARGUMENTS "movl $1, (" WORDS ")\n"
        "movl $2, 4(" WORDS ")\n"
        "test " WRITE ", " WRITE "\n"
        "jne trap_write\n"
        "trap_read: addl (" BAD "), %edx\n"
        "jmp 1f\n"
        "trap_write: addl $5, (" BAD ")\n"
        "1: movl $3, 8(" WORDS ")\n"
        "ret\n");

static sigjmp_buf back;
static void *volatile fault_address, *volatile fault_place;

static void on_fault(int number, siginfo_t *info, void *context)
{
    (void)number;
    const greg_t *registers_of = ((ucontext_t *)context)->uc_mcontext.gregs;
#ifdef __x86_64__
    fault_place = (void *)registers_of[REG_RIP];
#else
    fault_place = (void *)registers_of[REG_EIP];
#endif
    fault_address = info->si_addr;
    siglongjmp(back, 1);
}

/* Runs the sequence. Returns true if it faults with the address and at the instruction that are
 * expected. */
static bool sequence_faults(volatile void *bad, bool write)
{
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};

    sigemptyset(&action.sa_mask);
    assert_int_equal(sigaction(SIGSEGV, &action, NULL), 0);
    test_access_count = 0;
    if (!sigsetjmp(back, 1)) {
        trap_sequence(registers, bad, write);
        return false;
    }
    assert_ptr_equal(fault_address, (void *)bad);
    assert_ptr_equal(fault_place, write ? trap_write : trap_read);
    assert_int_equal(test_access_count, 2);
    return true;
}

TEST_WITH(test_faults_in_sequences, setup, teardown)
{
    volatile uint32_t *second = registers + PAGE / 4;
    char *hole = map(PAGE, PROT_NONE), *fixed = map(PAGE, PROT_READ), *gone = map(PAGE, BOTH);
    volatile uint32_t word = 7;

    assert_false(sequence_faults(&word, true));
    assert_false(sequence_faults(&word, false));
    assert_int_equal(word, 12);
    assert_int_equal(test_access_count, 3);
    munmap(gone, PAGE);
    for (int write = 0; write < 2; write++) {
        assert_true(sequence_faults(hole, write));
        assert_true(sequence_faults(gone + 8, write));
        assert_int_equal(sequence_faults(fixed, write), write);
    }
    assert_int_equal(trap_protect((void *)second, PAGE, PROT_READ), 0);
    assert_false(sequence_faults(second, false));
    assert_true(sequence_faults(second, true));
    assert_int_equal(trap_protect((void *)second, PAGE, PROT_NONE), 0);
    assert_true(sequence_faults(second, false));
    munmap(hole, PAGE);
    munmap(fixed, PAGE);
}

/* A sequence that accesses closed GPU memory lets the machine do its pending work first, once. */
TEST_WITH(test_guard_in_sequences, setup, teardown)
{
    volatile uint32_t *memory = map(PAGE, BOTH);

    assert_true(guard_watch((void *)memory, PAGE, BOTH));
    for (unsigned i = 0; i < 2; i++) {
        test_pend();
        trap_sequence(registers, memory, i);
        assert_int_equal(test_settled, i + 1);
    }
    assert_int_equal(memory[0], 5);
    trap_forget((void *)memory, PAGE);
    munmap((void *)memory, PAGE);
}

/* The code changes its own next instruction, and another caller changes it between two runs. */
TEST_WITH(test_changed_code, setup, teardown)
{
    uint8_t *code = map(PAGE, BOTH | PROT_EXEC);
    static const uint8_t bytes[] = {
        0xc7, 0x07, 1,  0, 0, 0,          /* movl $1, (%rdi) */
        0xc7, 0x46, 16, 7, 0, 0, 0,       /* movl $7, 16(%rsi): the constant of the next one */
        0xc7, 0x47, 4,  5, 0, 0, 0,       /* movl $5, 4(%rdi) */
        0xc7, 0x47, 8,  9, 0, 0, 0, 0xc3, /* movl $9, 8(%rdi); ret */
    };

    memcpy(code, bytes, sizeof bytes);
    for (uint8_t i = 0; i < 3; i++) {
        code[23] = i;
        __asm__ volatile("call *%0" : : "r"(code), "D"(registers), "S"(code) : "memory", "cc");
        assert_int_equal(test_registers[1], 7);
        assert_int_equal(test_registers[2], i);
    }
    munmap(code, PAGE);
}
#endif

/* ------------------------------------------------------------------ signals */

static volatile uint32_t sent_signals;
static volatile int sender_ends;

/* Counts the signal after the access, so that the next signal is sent after it. */
static void count_sent(int number)
{
    (void)number;
    registers[5] = sent_signals + 1;
    sent_signals++;
}

/* Sends signals until enough have arrived. The system drops a signal that is sent while the same
 * signal, from a fault, is pending. */
static void *send_signals(void *user)
{
    const pthread_t to = *(pthread_t *)user;

    for (uint32_t i = 1; i <= SIGNALS; i++)
        while (sent_signals < i) {
            pthread_kill(to, SIGSEGV);
            for (int wait = 0; wait < 100 && sent_signals < i; wait++)
                usleep(100);
        }
    sender_ends = 1;
    return NULL;
}

/* SIGSEGV is sent to a thread while it accesses registers and memory. The handler accesses
 * registers, too. */
TEST_WITH(test_sent_in_sequences, setup, teardown)
{
    pthread_t self = pthread_self(), thread;
    volatile uint32_t rounds = 0, differences = 0;

    sent_signals = 0;
    sender_ends = 0;
    signal(SIGSEGV, count_sent);
    assert_int_equal(pthread_create(&thread, NULL, send_signals, &self), 0);
    while (!sender_ends) {
        rounds++;
        registers[3] = rounds;
        differences += registers[3] != rounds;
    }
    pthread_join(thread, NULL);
    assert_int_equal(differences, 0);
    assert_true(sent_signals >= SIGNALS);
    assert_true(test_registers[5] > 0);
}

static volatile uint32_t alarms;

static void on_alarm(int number)
{
    (void)number;
    registers[9] = ++alarms;
}

/* A program waits for a signal while it reads a register. */
TEST_WITH(test_signal_ends_polling, setup, teardown)
{
    const struct itimerval once = {.it_value.tv_usec = 2000};

    alarms = 0;
    signal(SIGALRM, on_alarm);
    setitimer(ITIMER_REAL, &once, NULL);
    while (registers[9] == 0)
        ;
    assert_int_equal(alarms, 1);
    signal(SIGALRM, SIG_DFL);
}
