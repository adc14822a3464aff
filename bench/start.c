/* SPDX-License-Identifier: MIT */
/* Measures the start of a job on a Raspberry Pi: eight user programs that only raise
 * the host interrupt, started by
 * V3D's registers as GPU_FFT does it, and by the mailbox. Prints microseconds per job, the median
 * of five measurements. Contains no code of Tessera.
 *
 *     tessera qpu bench_start */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum {
    JOBS = 500,
    RUNS = 5,
    QPUS = 8,
    PAGE = 4096,
    PERIPHERALS = 0x20000000, /* of the BCM2835 */
    V3D = 0xc00000,
    VIA_L2 = 12,

    /* words of the job's memory */
    UNIFORMS = 32,
    CONTROL = 64,

    /* tags of the mailbox */
    ALLOCATE = 0x3000c,
    LOCK = 0x3000d,
    EXECUTE = 0x30011,
    ENABLE = 0x30012,

    /* numbers of V3D's registers */
    L2CACTL = 0x20 / 4,
    SLCACTL = 0x24 / 4,
    SRQPC = 0x430 / 4,
    SRQUA = 0x434 / 4,
    SRQCS = 0x43c / 4,
    DBCFG = 0xe00 / 4,
    DBQITE = 0xe2c / 4,
    DBQITC = 0xe30 / 4,
};

#define PROPERTY _IOWR(100, 0, char *)

/* mov r0, 1; mov irq, r0; nop; thrend; nop; nop */
static const uint32_t code[] = {0x00000001, 0xe0020827, 0x159e7000, 0x100209a7,
                                0x009e7000, 0x100009e7, 0x009e7000, 0x300009e7,
                                0x009e7000, 0x100009e7, 0x009e7000, 0x100009e7};

static int mailbox;
static volatile uint32_t *v3d;
static uint32_t bus; /* bus address of the job's memory */

static void require(int good, const char *what)
{
    if (good)
        return;
    perror(what);
    exit(1);
}

static uint32_t send_tag(uint32_t tag, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    uint32_t buffer[16] = {10 * 4, 0, tag, 16, 16, a, b, c, d};

    require(ioctl(mailbox, PROPERTY, buffer) == 0, "/dev/vcio");
    return buffer[5];
}

static volatile uint32_t *map(uint32_t address)
{
    int memory = open("/dev/mem", O_RDWR | O_SYNC);
    void *start = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, memory, (off_t)address);

    require(memory >= 0 && start != MAP_FAILED, "/dev/mem");
    close(memory);
    return start;
}

static void prepare(void)
{
    volatile uint32_t *words;

    mailbox = open("/dev/vcio", 0);
    require(mailbox >= 0, "/dev/vcio");
    send_tag(ENABLE, 1, 0, 0, 0);
    bus = send_tag(LOCK, send_tag(ALLOCATE, PAGE, PAGE, VIA_L2, 0), 0, 0, 0);
    words = map(bus & 0x3fffffff);
    for (unsigned i = 0; i < sizeof code / sizeof *code; i++)
        words[i] = code[i];
    for (unsigned i = 0; i < QPUS; i++) {
        words[CONTROL + 2 * i] = bus + 4 * UNIFORMS;
        words[CONTROL + 2 * i + 1] = bus;
    }
    v3d = map(PERIPHERALS + V3D);
}

static void start_by_registers(void)
{
    v3d[DBCFG] = 0;
    v3d[DBQITE] = 0;
    v3d[DBQITC] = UINT32_MAX;
    v3d[L2CACTL] = 1 << 2;
    v3d[SLCACTL] = UINT32_MAX;
    v3d[SRQCS] = 1 << 7 | 1 << 8 | 1 << 16;
    for (int i = 0; i < QPUS; i++) {
        v3d[SRQUA] = bus + 4 * UNIFORMS;
        v3d[SRQPC] = bus;
    }
    while ((v3d[SRQCS] >> 16 & 0xff) != QPUS)
        ;
}

static void start_by_mailbox(void)
{
    require(send_tag(EXECUTE, QPUS, bus + 4 * CONTROL, 1, 1000) == 0, "mailbox");
}

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static void measure(const char *name, void (*start)(void))
{
    double times[RUNS];

    for (int run = 0; run < RUNS; run++) {
        double before = now();

        for (int i = 0; i < JOBS; i++)
            start();
        times[run] = (now() - before) / JOBS;
    }
    qsort(times, RUNS, sizeof *times, compare);
    printf("%-12s %8.1f us per job\n", name, times[RUNS / 2]);
}

int main(void)
{
    prepare();
    measure("registers", start_by_registers);
    measure("mailbox", start_by_mailbox);
    return 0;
}
