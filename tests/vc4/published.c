/* SPDX-License-Identifier: MIT */
/* Figures that people measured on silicon, predicted: programs with the structure of their measurements, the clocks of one loop
 * of each. Which figures, and where they stand: beside each. Most are of a Raspberry Pi 2, whose programs have memory without
 * the SoC's cache (bits 31:30 of addresses are 3). */
#include "program.h"
#include "rig.h"

enum { CODE = 0x5000, UNIFORMS = 0x10000, DATA = 0x100000, LOOPS = 500, DIRECT = (int)0xc0000000 };

static const double megahertz = 250;

/* Uniforms of a program: how many loops; an address. */
struct measurement {
    /* What is done LOOPS times; ra0 is to be counted down with flags, and branched back on. */
    const char *loop;
    const char *setup; /* before */
    uint32_t programs;
    uint32_t apart; /* bytes between the addresses of programs */
};

static void assemble(uint8_t *memory, const struct measurement *measurement)
{
    static char text[16384];
    snprintf(text, sizeof text,
             ".include <vc4.qinc>\n.org 0x5000\n    mov ra0, unif\n    mov ra1, unif\n    nop\n"
             "%s:loop\n%s    nop; nop; thrend\n    nop\n    nop\n",
             measurement->setup, measurement->loop);
    program_assemble(memory + CODE, text);
}

static uint64_t clocks_of(const struct measurement *measurement, uint32_t loops)
{
    struct rig *rig = rig_new();
    struct tess_vc4_stats stats;
    assemble(rig->memory, measurement);
    tess_vc4_write(rig->vc4, V3D_L2CACTL, 5);
    for (uint32_t n = 0; n < measurement->programs; n++) {
        store_le32(rig->memory + UNIFORMS + 64 * n, loops);
        store_le32(rig->memory + UNIFORMS + 64 * n + 4,
                   (uint32_t)DIRECT + DATA + n * measurement->apart);
        tess_vc4_write(rig->vc4, V3D_SRQUA, (uint32_t)DIRECT + UNIFORMS + 64 * n);
        tess_vc4_write(rig->vc4, V3D_SRQPC, (uint32_t)DIRECT + CODE);
    }
    assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_IDLE);
    if (rig->errors)
        fail_msg("%s", rig->texts[0]);
    tess_vc4_get_stats(rig->vc4, &stats);
    rig_free(rig);
    return stats.clocks;
}

/* Of one loop, without what is before and behind. */
static double loop_clocks(const struct measurement *measurement)
{
    return (double)(clocks_of(measurement, 2 * LOOPS) - clocks_of(measurement, LOOPS)) / LOOPS;
}

static void check(const char *what, double predicted, double published, double tolerance)
{
    print_message("%s: %.4g, published %.4g\n", what, predicted, published);
    if (predicted < published * (1 - tolerance) || predicted > published * (1 + tolerance))
        fail_msg("%s: %.4g is not within %.0f %% of %.4g", what, predicted, 100 * tolerance,
                 published);
}

/* A loop's branch with nothing in its slots. */
#define COUNT_AND_BRANCH         \
    "    sub.setf ra0, ra0, 1\n" \
    "    brr.anynz -, :loop\n"   \
    "    nop\n"                  \
    "    nop\n"                  \
    "    nop\n"

/* --- DMA --- */

/* Loads one after the other, each waited for. Y. Sugizaki, imrc.noip.me/blog/vc4/QV52: 690 MB/s for 16 rows of 16 words; 200 MB/s
 * for one (by way of doe300/VC4C, doc/thesis.pdf, section 5.3.2). */
static void dma_loads(void **state)
{
    (void)state;
    static const struct {
        const char *setup;
        uint32_t bytes;
        double published;
    } cases[] = {
        {"    ldi vr_setup, vdr_setup_0(3, 16, 16, dma_h32(0, 0))\n", 1024, 690},
        {"    ldi vr_setup, vdr_setup_0(3, 16, 1, dma_h32(0, 0))\n",  64,   200},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct measurement loads = {
            .setup = cases[i].setup,
            .loop = "    mov vr_addr, ra1\n"
                    "    mov -, vr_wait\n" COUNT_AND_BRANCH,
            .programs = 1,
        };
        check("DMA loads, MB/s", cases[i].bytes * megahertz / loop_clocks(&loads),
              cases[i].published, 0.2);
    }
}

/* Stores, counted down while they are under way. The same author, QV53: 300 MB/s for a vector, 1.12 GB/s for 128, of
 * which a program's 64 rows are half. */
static void dma_stores(void **state)
{
    (void)state;
    static const struct {
        const char *setup;
        uint32_t bytes;
        double published;
    } cases[] = {
        {"    ldi vw_setup, vdw_setup_0(1, 16, dma_h32(0, 0))\n",  64,   300 },
        {"    ldi vw_setup, vdw_setup_0(64, 16, dma_h32(0, 0))\n", 4096, 1120},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct measurement stores = {
            .setup = cases[i].setup,
            .loop = "    mov vw_addr, ra1\n"
                    "    sub.setf ra0, ra0, 1\n"
                    "    brr.anynz -, :loop\n"
                    "    nop\n"
                    "    nop\n"
                    "    mov -, vw_wait\n",
            .programs = 1,
        };
        check("DMA stores, MB/s", cases[i].bytes * megahertz / loop_clocks(&stores),
              cases[i].published, 0.1);
    }
}

/* QPULib stores a vector as 16 rows of a word. Its README: 192,000 vertices, two vectors each, are turned by two QPUs in 16 ms, which do
 * little else than wait for stores. A Raspberry Pi 1. */
static void stores_of_words(void **state)
{
    (void)state;
    const struct measurement stores = {
        .setup = "    ldi vw_setup, vdw_setup_0(16, 1, dma_h32(0, 0))\n"
                 "    ldi vw_setup, vdw_setup_1(0)\n",
        .loop = "    mov -, vw_wait\n"
                "    mov vw_addr, ra1\n" COUNT_AND_BRANCH "    mov -, vw_wait\n",
        .programs = 2,
        .apart = 0x1000,
    };
    double vectors = 2 * 192000 / 16;
    check("192,000 vertices, ms", vectors / 2 * loop_clocks(&stores) / megahertz / 1e3, 16, 0.15);
}

/* --- TMU --- */

/* A lookup that is waited for: 9 instructions if its line is in the cache, 20 if not (doe300/VC4C, doc/TODO.txt,
 * src/analysis/DependencyGraph.cpp). */
static void tmu_latency(void **state)
{
    (void)state;
    static const struct {
        const char *step;
        double instructions;
    } cases[] = {
        {"    nop\n",               9 },
        {"    add ra1, ra1, rb2\n", 20}
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char loop[400];
        snprintf(loop, sizeof loop, "    mov t0s, ra1\n    nop; ldtmu0\n%s%s", cases[i].step,
                 COUNT_AND_BRANCH);
        const struct measurement lookups = {
            .setup = "    ldi rb2, 64\n    mov tmu_noswap, 1\n    nop\n    nop\n    nop\n",
            .loop = loop,
            .programs = 1};
        /* The result is there when the signal's instruction is; six more follow before the next request. */
        check("lookup, instructions", loop_clocks(&lookups) / 4 - 7, cases[i].instructions, 0.1);
    }
}

/* 1.5 Gtexel/s, of six units at 250 MHz (published for the BCM2835): with all QPUs busy, no element waits. */
static void tmu_throughput(void **state)
{
    (void)state;
    const struct measurement lookups = {
        .setup = "",
        .loop = "    mov t0s, ra1\n"
                "    mov t0s, ra1\n"
                "    mov t0s, ra1\n"
                "    mov t0s, ra1\n"
                "    nop; ldtmu0\n"
                "    nop; ldtmu0\n"
                "    nop; ldtmu0\n"
                "    nop; ldtmu0\n" COUNT_AND_BRANCH,
        .programs = 12,
    };
    check("lookups, Gword/s", 12 * 4 * 16 * megahertz / loop_clocks(&lookups) / 1e3, 1.5, 0.1);
}

/* --- uniforms --- */

/* 64 in a row, then a branch, 300 times: 0.6 of the instructions that there could be (Y. Sugizaki, QU3,4,5,6). */
static void uniforms_in_a_row(void **state)
{
    (void)state;
    const struct measurement uniforms = {
        .setup = "    mov unif_addr, ra1\n    nop\n    nop\n",
        .loop = ".rep i, 64\n    mov r0, unif\n.endr\n" COUNT_AND_BRANCH,
        .programs = 1,
    };
    check("share of instructions", (64 + 5) * 4 / loop_clocks(&uniforms), 0.6, 0.1);
}

/* --- semaphores --- */

/* Two programs that wait for each other in every loop of seven instructions lose nothing (Y. Sugizaki, QI10: 0.864278 s at 100
 * million instructions a second for 12,345,678 loops). */
static void semaphores(void **state)
{
    (void)state;
    const struct measurement turns = {
        .setup = "    mov.setf -, qpu_num\n"
                 "    brr.anynz -, :other\n"
                 "    nop\n"
                 "    nop\n"
                 "    nop\n",
        .loop = "    sub.setf ra0, ra0, 1\n"
                "    mov -, srel(0)\n"
                "    nop\n"
                "    brr.anynz -, :loop\n"
                "    nop\n"
                "    mov -, sacq(1)\n"
                "    nop\n"
                "    nop; nop; thrend\n"
                "    nop\n"
                "    nop\n"
                ":other\n"
                "    sub.setf ra0, ra0, 1\n"
                "    nop\n"
                "    mov -, sacq(0)\n"
                "    brr.anynz -, :other\n"
                "    mov -, srel(1)\n"
                "    nop\n"
                "    nop\n",
        .programs = 2,
    };
    check("loop, clocks", loop_clocks(&turns), 0.864278 * 100e6 / 12345678 * 4, 0.01);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dma_loads),       cmocka_unit_test(dma_stores),
        cmocka_unit_test(stores_of_words), cmocka_unit_test(tmu_latency),
        cmocka_unit_test(tmu_throughput),  cmocka_unit_test(uniforms_in_a_row),
        cmocka_unit_test(semaphores),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
