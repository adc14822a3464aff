/* SPDX-License-Identifier: MIT */
/* tmu_sizes.h - the number of TMUs, and the sizes of their caches. */
#ifndef VC4_TIME_TMU_SIZES_H
#define VC4_TIME_TMU_SIZES_H

enum {
    TMU_UNITS = 2,
    TMU_CACHE_SIZE = 4096, /* bytes per unit */
    TMU_CACHE_WAYS = 1,    /* docs/vc4/tmu.md explains the number */
    TMU_CACHE_LINE = 64,   /* bytes per line, the size of a microtile */
    TMU_L2_SIZE = 32768,   /* bytes of the level 2 cache */
    TMU_L2_WAYS = 4,
};

#endif
