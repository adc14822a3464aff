/* SPDX-License-Identifier: MIT */
/* Predicts published measurements on silicon. Each program has the structure of the measured
 * program. The result of a test is the number of clocks of one loop. A comment at each test
 * cites the publication. Most measurements are from a Raspberry Pi 2, where programs access
 * memory without the SoC's cache (bits 31:30 of addresses are 3). */
#include "../../register.h"
#include "../rig.h"
#include "program.h"

enum { CODE = 0x5000, UNIFORMS = 0x10000, DATA = 0x100000, LOOPS = 500, DIRECT = (int)0xc0000000 };

static const double megahertz = 250;

/* A measured program. Its uniforms are the number of loops and an address. */
struct measurement {
    /* Code that runs LOOPS times. The code decrements ra0 with flags, and branches back. */
    const char *loop;
    const char *setup; /* code that runs before the loop */
    uint32_t programs;
    uint32_t apart; /* distance of the programs' addresses, in bytes */
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

/* Returns the clocks of one loop, without the code before and after the loop. */
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

/* Decrements ra0 and branches back to the loop's start, with nops in the branch's delay slots. */
#define COUNT_AND_BRANCH         \
    "    sub.setf ra0, ra0, 1\n" \
    "    brr.anynz -, :loop\n"   \
    "    nop\n"                  \
    "    nop\n"                  \
    "    nop\n"

/* --- DMA --- */

/* DMA loads, each followed by a wait. Published: 690 MB/s for 16 rows of 16 words, and 200 MB/s
 * for one row (Y. Sugizaki, imrc.noip.me/blog/vc4/QV52, cited in doe300/VC4C, doc/thesis.pdf,
 * section 5.3.2). */
TEST(dma_loads)
{
    static const struct {
        const char *setup;
        uint32_t bytes;
        double published;
    } cases[] = {
        {"    ldi vr_setup, vdr_setup_0(3, 16, 16, dma_h32(0, 0))\n", 1024, 690},
        {"    ldi vr_setup, vdr_setup_0(3, 16, 1, dma_h32(0, 0))\n", 64, 200},
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

/* DMA stores. The loop counts down while a store is running. Published by the same author
 * (QV53): 300 MB/s for one vector, and 1.12 GB/s for 128 vectors. A store has at most 64 rows,
 * so the test stores half as many vectors. */
TEST(dma_stores)
{
    static const struct {
        const char *setup;
        uint32_t bytes;
        double published;
    } cases[] = {
        {"    ldi vw_setup, vdw_setup_0(1, 16, dma_h32(0, 0))\n", 64, 300},
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

/* QPULib stores a vector as 16 rows of one word. Its README reports for a Raspberry Pi 1: two
 * QPUs rotate 192,000 vertices in 16 ms, and wait for stores most of the time. A QPU stores two
 * vectors for 16 vertices. */
TEST(stores_of_words)
{
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

/* A lookup with a wait for its result. Published: 9 instructions if the line is in the cache,
 * and 20 if not (doe300/VC4C, doc/TODO.txt, src/analysis/DependencyGraph.cpp). */
TEST(tmu_latency)
{
    static const struct {
        const char *step;
        double instructions;
    } cases[] = {{"    nop\n", 9}, {"    add ra1, ra1, rb2\n", 20}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char loop[400];
        snprintf(loop, sizeof loop, "    mov t0s, ra1\n    nop; ldtmu0\n%s%s", cases[i].step,
                 COUNT_AND_BRANCH);
        const struct measurement lookups = {
            .setup = "    ldi rb2, 64\n    mov tmu_noswap, 1\n    nop\n    nop\n    nop\n",
            .loop = loop,
            .programs = 1};
        /* The result is ready at the instruction with the load signal. Six more instructions
         * follow before the next request. */
        check("lookup, instructions", loop_clocks(&lookups) / 4 - 7, cases[i].instructions, 0.1);
    }
}

/* Published for the BCM2835: 1.5 Gtexel/s for six units at 250 MHz, if all QPUs are busy. This
 * is one element per clock and unit. */
TEST(tmu_throughput)
{
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

/* Each of 300 loops has 64 reads and a branch. Published: 0.6 of the peak instruction rate (Y.
 * Sugizaki, QU3,4,5,6). */
TEST(uniforms_in_a_row)
{
    const struct measurement uniforms = {
        .setup = "    mov unif_addr, ra1\n    nop\n    nop\n",
        .loop = ".rep i, 64\n    mov r0, unif\n.endr\n" COUNT_AND_BRANCH,
        .programs = 1,
    };
    check("share of instructions", (64 + 5) * 4 / loop_clocks(&uniforms), 0.6, 0.1);
}

/* --- semaphores --- */

/* Two programs that wait for each other in every loop of seven instructions run at full speed (Y.
 * Sugizaki, QI10: 0.864278 s at 100 million instructions per second for 12,345,678 loops). */
TEST(semaphores)
{
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
