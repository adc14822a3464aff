/* SPDX-License-Identifier: MIT */
/* timing.h - every duration that the model knows, in system clocks (250 MHz on a BCM2835), once.
 *
 * Source: in brackets. "est." is an estimate, which docs/vc4/timing.md explains. */
#ifndef VC4_TIMING_H
#define VC4_TIMING_H

enum timing {
    /* An instruction: four quads, one after the other [manual section 3]. */
    TIMING_INSTRUCTION = 4,

    /* What a slice's SFU needs for a request of 16 elements: an element of each of four pixels a clock, as all
     * of the QPU works [est.]. */
    TIMING_SFU = 4,

    /* A line that a cache of the slice must fetch from the level 2 cache, or from memory [est.: what a
     * TMU request takes longer then]. */
    TIMING_FROM_L2 = 12,
    TIMING_FROM_SYSTEM_CACHE = 36,
    TIMING_FROM_MEMORY = 44,
    TIMING_L2_LINE = 4,    /* between lines of the level 2 cache, for one request */
    TIMING_TO_MEMORY = 10,
    TIMING_TO_CACHE = 10,
    TIMING_BUS_LINE = 8,
    TIMING_SDRAM_LINE = 5,
    TIMING_SDRAM_READ_ROW = 16,
    TIMING_SDRAM_WRITE_ROW = 19,

    /* A TMU request whose lines are in the TMU's cache: 9 instructions [measured, doe300/VC4C,
     * src/analysis/DependencyGraph.cpp]; 20 if memory has to give one [same place, doc/TODO.txt]. */
    TIMING_TMU = 36,
    /* What a TMU needs for a request of 16 elements: one sample a clock [1.5 Gtexel/s by 6 TMUs at 250
     * MHz, published for the BCM2835]. */
    TIMING_TMU_REQUEST = 16,

    /* Between a VPM read setup and its first vector: 3 instructions [manual section 7]. */
    TIMING_VPM_READ = 12,
    /* A vector through the VPM's port: as fast as an instruction works on its four quads [est.]. */
    TIMING_VPM_VECTOR = 4,
    /* From a DMA address to the end of the transfer, beside the data: 6 instructions for a load, 10 for a
     * store [measured, doe300/VC4C issue 15]. */
    TIMING_DMA_LOAD = 24,
    TIMING_DMA_STORE = 40,
    TIMING_DMA_ROW = 8,
    TIMING_DMA_LOAD_ROW = 20,
    TIMING_DMA_STORE_ROW = 14,

    /* From the start of a fragment shader to its first varying, and from each to the next one [manual
     * section 6: "one varying per cycle", of the four quads; the start is est.]. */
    TIMING_FIRST_VARYING = 8,
    TIMING_VARYING = 4,
};

/* Caches of a slice: 4 KiB in 4 ways of 64-byte lines [vc4asm's addendum; uniforms: est.]. */
enum { TIMING_CACHE_BYTES = 4096, TIMING_CACHE_WAYS = 4, TIMING_LINE = 64 };

#endif
