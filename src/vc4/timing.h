/* SPDX-License-Identifier: MIT */
/* timing.h - all durations of the model, in system clocks (250 MHz on a BCM2835).
 *
 * Source: in brackets. "est." marks an estimate, which docs/vc4/timing.md explains. */
#ifndef VC4_TIMING_H
#define VC4_TIMING_H

enum timing {
    /* An instruction: four quads, one after the other [manual section 3]. */
    TIMING_INSTRUCTION = 4,

    /* A request of 16 elements to a slice's SFU: four elements a clock, which is the rate of the
     * QPU itself [est.]. */
    TIMING_SFU = 4,

    /* Arrival of a line after its request. From memory: 11 instructions [measured: the additional
     * time of a TMU request, below; confirmed by 0.6 of the rate of 64 uniforms in a row, Y.
     * Sugizaki, imrc.noip.me/blog/vc4/QU3,4,5,6, which is 45 clocks a line]. From the level 2
     * cache: a fourth of the time from memory [est.]. From the SoC's cache: the time from memory
     * without the SDRAM's share [est.]. */
    TIMING_FROM_L2 = 12,
    TIMING_FROM_SYSTEM_CACHE = 36,
    TIMING_FROM_MEMORY = 44,

    /* Parts of an access to memory. Interval between lines of the level 2 cache for one request:
     * 128 bits a clock, the rate of QPUs [est.]. The bus from memory: 64 bits a clock [derived: a
     * DMA row of 16 words takes 6 to 12 clocks more than one of a word, below]. Before the SDRAM,
     * and after the bus: the rest of the 44 clocks [derived]. */
    TIMING_L2_LINE = 4,
    TIMING_TO_MEMORY = 10,
    TIMING_BUS_LINE = 8,
    TIMING_TO_CACHE = 10,

    /* The SDRAM, at 400 MHz with 32 bits on both clock edges. A line of the open row: 8 SDRAM
     * cycles. A line in another row: tRP 6, tRCD 6, RL 6 and the 8 cycles for a read; tRP 6, tRCD
     * 6, WL 3, the 8 cycles and tWR 7 for a write [christinaa/rpi-open-firmware, sdram.c]. One line
     * at a time [derived: sgemm of nineties/py-videocore, 8 Gflop/s]. */
    TIMING_SDRAM_LINE = 5,
    TIMING_SDRAM_READ_ROW = 16,
    TIMING_SDRAM_WRITE_ROW = 19,

    /* A TMU request whose lines are in the TMU's cache: 9 instructions [measured, doe300/VC4C,
     * src/analysis/DependencyGraph.cpp]; 20 if a line must be fetched from memory [doe300/VC4C,
     * doc/TODO.txt]. */
    TIMING_TMU = 36,
    /* Interval between requests of 16 elements to a TMU: one sample a clock [1.5 Gtexel/s by 6 TMUs
     * at 250 MHz, published for the BCM2835]. */
    TIMING_TMU_REQUEST = 16,

    /* Between a VPM read setup and its first vector: 3 instructions [manual section 7]. */
    TIMING_VPM_READ = 12,
    /* A vector through the VPM's port: the duration of an instruction on its four quads [est.]. */
    TIMING_VPM_VECTOR = 4,
    /* From the write of a DMA address to the end of the transfer, without the data: 6 instructions
     * for a load, 10 for a store [measured, doe300/VC4C issue 15]. */
    TIMING_DMA_LOAD = 24,
    TIMING_DMA_STORE = 40,
    /* Each row of a DMA transfer. One word in memory: 2 instructions. 16 words: 5 for a load, 3.5
     * for a store [measured, doe300/VC4C, doc/TODO.txt]. */
    TIMING_DMA_ROW = 8,
    TIMING_DMA_LOAD_ROW = 20,
    TIMING_DMA_STORE_ROW = 14,

    /* From the start of a fragment shader to its first varying, and from one varying to the next
     * [manual section 6: "one varying per cycle", for the four quads; the start is est.]. */
    TIMING_FIRST_VARYING = 8,
    TIMING_VARYING = 4,
};

/* Caches of a slice: 4 KiB, 4-way set associative, 64-byte lines [vc4asm's addendum; uniforms:
 * est.]. */
enum { TIMING_CACHE_BYTES = 4096, TIMING_CACHE_WAYS = 4, TIMING_LINE = 64 };

#endif
