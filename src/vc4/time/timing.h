/* SPDX-License-Identifier: MIT */
/* timing.h - all durations of the model, in system clocks (250 MHz on a BCM2835).
 *
 * Source: in brackets after each duration. "est." marks an estimate; docs/vc4/timing.md explains
 *         the estimates. */
#ifndef VC4_TIME_TIMING_H
#define VC4_TIME_TIMING_H

enum timing {
    /* Duration of an instruction, which processes four quads one after the other [manual section
     * 3]. */
    TIMING_INSTRUCTION = 4,

    /* Duration of a request of 16 elements to a slice's SFU. The SFU processes four elements per
     * clock, which is also the rate of a QPU [est.]. */
    TIMING_SFU = 4,

    /* Time from the request of a cache line to the line's arrival. From memory: 11 instructions
     * [measured: the additional time of a TMU request that misses, see TIMING_TMU. Confirmed by Y.
     * Sugizaki, imrc.noip.me/blog/vc4/QU3,4,5,6: reads of 64 consecutive uniforms run at 0.6 of the
     * full rate, so each line costs 45 additional clocks]. From the level 2 cache: about a quarter
     * of the time from memory [est.]. From the SoC's cache: the time from memory without half of
     * the SDRAM's part [est.]. */
    TIMING_FROM_L2 = 12,
    TIMING_FROM_SYSTEM_CACHE = 36,
    TIMING_FROM_MEMORY = 44,

    /* Parts of an access to memory. TIMING_L2_LINE is the interval between two lines of one request
     * at the level 2 cache: 128 bits per clock, the rate of QPUs [est.]. TIMING_BUS_LINE is the
     * time of a line on the bus from memory: 64 bits per clock [derived: a DMA row of 16 words
     * takes 6 to 12 clocks more than a row of one word, see TIMING_DMA_ROW]. TIMING_TO_MEMORY
     * before the SDRAM and TIMING_TO_CACHE after the bus are the rest of the 44 clocks
     * [derived]. */
    TIMING_L2_LINE = 4,
    TIMING_TO_MEMORY = 10,
    TIMING_BUS_LINE = 8,
    TIMING_TO_CACHE = 10,

    /* Times of the SDRAM, which transfers 32 bits on both edges of a 400 MHz clock. A line of the
     * open row takes 8 SDRAM cycles. A read of another row takes tRP 6, tRCD 6, RL 6 and these 8
     * cycles. A write of another row takes tRP 6, tRCD 6, WL 3, the 8 cycles and tWR 7
     * [christinaa/rpi-open-firmware, sdram.c]. The SDRAM transfers one line at a time [derived:
     * sgemm of nineties/py-videocore, 8 Gflop/s]. */
    TIMING_SDRAM_LINE = 5,
    TIMING_SDRAM_READ_ROW = 16,
    TIMING_SDRAM_WRITE_ROW = 19,

    /* Duration of a TMU request whose lines are all in the TMU's cache: 9 instructions [measured,
     * doe300/VC4C, src/analysis/DependencyGraph.cpp]. The duration is 20 instructions if a line
     * must be fetched from memory [doe300/VC4C, doc/TODO.txt]. */
    TIMING_TMU = 36,
    /* Interval between requests of 16 elements to a TMU, which processes one sample per clock [1.5
     * Gtexel/s by 6 TMUs at 250 MHz, published for the BCM2835]. */
    TIMING_TMU_REQUEST = 16,

    /* Time from a VPM read setup until its first vector can be read: 3 instructions [manual section
     * 7]. */
    TIMING_VPM_READ = 12,
    /* Time of a vector at the VPM's port: four quads, one per clock, as in an instruction
     * [est.]. */
    TIMING_VPM_VECTOR = 4,
    /* Time from the write of a DMA address to the end of the transfer, without the time of the
     * data: 6 instructions for a load, 10 for a store [measured, doe300/VC4C issue 15]. */
    TIMING_DMA_LOAD = 24,
    TIMING_DMA_STORE = 40,
    /* Time of each row of a DMA transfer. A row of one word takes 2 instructions. A row of 16 words
     * takes 5 instructions for a load and 3.5 for a store [measured, doe300/VC4C, doc/TODO.txt]. */
    TIMING_DMA_ROW = 8,
    TIMING_DMA_LOAD_ROW = 20,
    TIMING_DMA_STORE_ROW = 14,

    /* Time from the start of a fragment shader to its first varying [est.], and from one varying to
     * the next [manual section 6: "one varying per cycle", for each of the four quads]. */
    TIMING_FIRST_VARYING = 8,
    TIMING_VARYING = 4,
};

/* Caches of a slice: 4 KiB, 4-way set associative, 64-byte lines [vc4asm's addendum for
 * instructions; est. for uniforms]. */
enum { TIMING_CACHE_BYTES = 4096, TIMING_CACHE_WAYS = 4, TIMING_LINE = 64 };

#endif
