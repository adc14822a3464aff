/* SPDX-License-Identifier: MIT */
/* core.h - a shader core as the public API has it: constants of all kinds, the programs of both stages, and machines that run
 * them, one for each thread. */
#ifndef A2XX_CORE_H
#define A2XX_CORE_H

#include <tessera/a2xx.h>

#include "isa/a2xx/a2xx_isa.h"

enum { A2XX_STAGES = 2 };

struct a2xx_loop_constant {
    uint8_t count, start;
    int8_t step;
    bool set;
};

/* What programs read, and do not change. */
struct a2xx_constants {
    float value[TESS_A2XX_CONSTANTS][4];
    bool value_set[TESS_A2XX_CONSTANTS];
    bool boolean[TESS_A2XX_BOOLS], boolean_set[TESS_A2XX_BOOLS];
    struct a2xx_loop_constant loop[TESS_A2XX_LOOPS];
    uint32_t fetch[TESS_A2XX_FETCH_WORDS];
};

/* Where a stage's constants are in the file. */
struct a2xx_window {
    uint32_t base, size;
};

struct tess_a2xx {
    struct tess_a2xx_options options;
    struct tess_sink sink;
    struct a2xx_constants constants;
    struct a2xx_window window[A2XX_STAGES];
    struct tess_a2xx_stats stats;
};

#endif
