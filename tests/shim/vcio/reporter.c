/* SPDX-License-Identifier: MIT */
/* reporter.c - a program for a Raspberry Pi that runs add.qasm and then ends in the way that its
 * argument selects. report.py checks the shim's reports about it. The program uses only the
 * property interface (the firmware's wiki page "Mailbox property interface"), and does not check
 * results.
 *
 *     reporter WAY [ARGUMENT]... */
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* report.py finds the code under this name, so the compiler must keep the whole array. */
const uint32_t reporter_shader[] =
#include "add.h"
    ;

static int vcio = -1;

static uint32_t ask(uint32_t tag, unsigned count, const uint32_t *words)
{
    uint32_t buffer[16] = {(6 + count) * 4, 0, tag, count * 4, count * 4};
    memcpy(buffer + 5, words, count * 4);
    if (ioctl(vcio, _IOWR(100, 0, char *), buffer) < 0)
        exit(99);
    return buffer[5];
}

#define ASK(tag, ...) ask(tag, sizeof((uint32_t[]){__VA_ARGS__}) / 4, (uint32_t[]){__VA_ARGS__})

static volatile uint32_t *memory;
static uint32_t bus;

enum { UNIFORMS = 64, CONTROL = 96, RESULT = 128 };

/* Enables the QPUs, allocates memory, and writes the code, the uniforms and the control block. */
static void prepare(void)
{
    vcio = open("/dev/vcio", 0);
    int mem = open("/dev/mem", O_RDWR | O_SYNC);
    ASK(0x30012, 1);
    bus = ASK(0x3000d, ASK(0x3000c, 4096, 4096, 12));
    memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, mem, bus & 0x3fffffff);
    if (vcio < 0 || memory == MAP_FAILED)
        exit(99);
    memcpy((void *)(uintptr_t)memory, reporter_shader, sizeof reporter_shader);
    memory[UNIFORMS] = 5;
    memory[UNIFORMS + 1] = bus + 4 * RESULT;
    memory[UNIFORMS + 2] = 1;
    memory[CONTROL] = bus + 4 * UNIFORMS;
    memory[CONTROL + 1] = bus;
}

static void run_once(void)
{
    if (ASK(0x30011, 1, bus + 4 * CONTROL, 1, 1000) != 0)
        exit(99);
}

/* Runs a program whose uniforms are in unmapped memory, which is a finding and an error. The
 * program also ends without an interrupt to the host. */
static void run_wrong(void)
{
    memory[CONTROL] = 0x3ffff000;
    ASK(0x30011, 1, bus + 4 * CONTROL, 1, 1000);
}

static void in_child(void (*work)(void))
{
    pid_t child = fork();
    if (child == 0) {
        work();
        exit(0);
    }
    waitpid(child, NULL, 0);
}

static void nothing(void)
{
}

/* Forks a child that runs a program after tessera has ended. */
static void outlive(void)
{
    const char *verdict = getenv("TESSERA_VERDICT");
    if (fork() != 0)
        return;
    while (verdict && access(verdict, F_OK) == 0)
        usleep(10000);
    run_once();
    run_wrong();
    exit(0);
}

static void by_vfork(void)
{
    pid_t child = vfork();
    if (child == 0)
        _exit(0);
    waitpid(child, NULL, 0);
}

static void crash(void)
{
    volatile int *volatile nowhere = NULL;
    *nowhere = 1;
}

/* Forwards a signal to the handler that was installed before, as libraries do. */
static struct sigaction before;

static void pass_on(int number)
{
    if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN)
        before.sa_handler(number);
    signal(number, SIG_DFL);
    raise(number);
}

static void chain(int number)
{
    struct sigaction action = {.sa_handler = pass_on};
    sigaction(number, &action, &before);
    raise(number);
}

int main(int count, char **arguments)
{
    const char *way = count > 1 ? arguments[1] : "return";
    char *const none[] = {"true", NULL};
    if (strcmp(way, "nothing") == 0)
        return 0;
    prepare();
    if (strcmp(way, "wrong") == 0)
        run_wrong();
    else
        run_once();
    if (strcmp(way, "exit") == 0)
        exit(3);
    if (strcmp(way, "_exit") == 0)
        _exit(3);
    if (strcmp(way, "_Exit") == 0)
        _Exit(3);
    if (strcmp(way, "quick_exit") == 0)
        quick_exit(3);
    if (strcmp(way, "abort") == 0)
        abort();
    if (strcmp(way, "crash") == 0)
        crash();
    if (strcmp(way, "signal") == 0)
        kill(getpid(), atoi(arguments[2]));
    if (strcmp(way, "chain") == 0)
        chain(SIGTERM);
    if (strcmp(way, "execl") == 0)
        execl("/bin/true", "true", (char *)NULL);
    if (strcmp(way, "execle") == 0)
        execle("/bin/true", "true", (char *)NULL, (char *[]){NULL});
    if (strcmp(way, "execvp") == 0)
        execvp("true", none);
    if (strcmp(way, "no_exec") == 0)
        execv("/no/such/program", none);
    if (strcmp(way, "fork") == 0)
        in_child(nothing);
    if (strcmp(way, "fork_run") == 0)
        in_child(run_once);
    if (strcmp(way, "outlive") == 0)
        outlive();
    if (strcmp(way, "vfork") == 0)
        by_vfork();
    return 0;
}
