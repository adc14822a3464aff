/* SPDX-License-Identifier: MIT */
/* core.c - the shader core's public door: handles and constants.
 *
 * In:      constants of all kinds.
 * Out:     the state that programs read.
 * Source:  include/tessera/a2xx.h is the contract; digest a2xx.md, section 16. */
#include "a2xx/core.h"

#include <stdlib.h>
#include <string.h>

enum tess_status tess_a2xx_create(const struct tess_a2xx_options *options, struct tess_sink sink,
                                  struct tess_a2xx **a2xx)
{
    if (!a2xx)
        return TESS_INVALID;
    *a2xx = calloc(1, sizeof **a2xx);
    if (!*a2xx)
        return TESS_NO_MEMORY;
    if (options)
        (*a2xx)->options = *options;
    if (!(*a2xx)->options.limit)
        (*a2xx)->options.limit = TESS_A2XX_LIMIT;
    (*a2xx)->sink = sink;
    (*a2xx)->window[TESS_A2XX_VERTEX] = (struct a2xx_window){0, A2XX_CONSTANTS};
    (*a2xx)->window[TESS_A2XX_PIXEL] = (struct a2xx_window){A2XX_CONSTANTS, A2XX_CONSTANTS};
    return TESS_OK;
}

void tess_a2xx_free(struct tess_a2xx *a2xx)
{
    free(a2xx);
}

/* --- constants --- */

static bool is_stage(enum tess_a2xx_stage stage)
{
    return stage == TESS_A2XX_VERTEX || stage == TESS_A2XX_PIXEL;
}

enum tess_status tess_a2xx_set_window(struct tess_a2xx *a2xx, enum tess_a2xx_stage stage,
                                      uint32_t base, uint32_t size)
{
    if (!a2xx || !is_stage(stage) || base >= TESS_A2XX_CONSTANTS ||
        size > TESS_A2XX_CONSTANTS - base)
        return TESS_INVALID;
    a2xx->window[stage] = (struct a2xx_window){base, size};
    return TESS_OK;
}

enum tess_status tess_a2xx_set_constants(struct tess_a2xx *a2xx, enum tess_a2xx_stage stage,
                                         uint32_t first, const float *values, uint32_t count)
{
    if (!a2xx || !is_stage(stage) || (!values && count) || first > a2xx->window[stage].size ||
        count > a2xx->window[stage].size - first)
        return TESS_INVALID;
    if (count == 0)
        return TESS_OK;
    uint32_t at = a2xx->window[stage].base + first;
    memcpy(a2xx->constants.value[at], values, count * sizeof a2xx->constants.value[0]);
    memset(a2xx->constants.value_set + at, true, count);
    return TESS_OK;
}

enum tess_status tess_a2xx_set_bool(struct tess_a2xx *a2xx, uint32_t number, bool value)
{
    if (!a2xx || number >= TESS_A2XX_BOOLS)
        return TESS_INVALID;
    a2xx->constants.boolean[number] = value;
    a2xx->constants.boolean_set[number] = true;
    return TESS_OK;
}

enum tess_status tess_a2xx_set_loop(struct tess_a2xx *a2xx, uint32_t number, uint32_t count,
                                    uint32_t start, int32_t step)
{
    if (!a2xx || number >= TESS_A2XX_LOOPS || count > UINT8_MAX || start > UINT8_MAX ||
        step < INT8_MIN || step > INT8_MAX)
        return TESS_INVALID;
    a2xx->constants.loop[number] = (struct a2xx_loop_constant){
        .count = (uint8_t)count, .start = (uint8_t)start, .step = (int8_t)step, .set = true};
    return TESS_OK;
}

enum tess_status tess_a2xx_set_fetch(struct tess_a2xx *a2xx, uint32_t first, const uint32_t *words,
                                     uint32_t count)
{
    if (!a2xx || (!words && count) || first > TESS_A2XX_FETCH_WORDS ||
        count > TESS_A2XX_FETCH_WORDS - first)
        return TESS_INVALID;
    if (count)
        memcpy(a2xx->constants.fetch + first, words, count * sizeof *words);
    return TESS_OK;
}

struct tess_a2xx_stats tess_a2xx_stats(const struct tess_a2xx *a2xx)
{
    return a2xx ? a2xx->stats : (struct tess_a2xx_stats){0};
}
