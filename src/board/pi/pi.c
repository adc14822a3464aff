/* SPDX-License-Identifier: MIT */
/* pi.c - creates and destroys the model of a Raspberry Pi around a VideoCore IV, and answers
 * queries of the caller.
 *
 * In:  options.
 * Out: a model in the state that a Raspberry Pi has when the firmware starts the ARM.
 *
 * The other files of this folder are boards.c (constants), findings.c, property.c and tags*.c
 * (mailbox requests), memory.c, framebuffer.c, programs.c (user programs), registers.c and
 * timer.c. */
#include "board/pi/pi.h"

#include <stdlib.h>
#include <string.h>

enum { DEFAULT_ARM_MIB = 448, DEFAULT_VC_MIB = 64 };

#define DEFAULT_ALIAS UINT32_C(0xc0000000)
#define ADDRESS_SPACE (UINT32_C(1) << 30)

/* Replaces options that are 0 by their defaults. Returns false if the memory sizes do not fit the
 * board. */
static bool complete(struct tess_pi_options *set)
{
    const struct tess_pi_board *board = set->board;
    uint32_t end = board ? tess_pi_board_memory_end(board) : ADDRESS_SPACE;
    if (!set->vc_size)
        set->vc_size = (uint32_t)DEFAULT_VC_MIB << 20;
    if (set->vc_size >= end)
        return false;
    if (!set->arm_size)
        set->arm_size = board ? end - set->vc_size : (uint32_t)DEFAULT_ARM_MIB << 20;
    if (!set->alias)
        set->alias = board ? board->alias : DEFAULT_ALIAS;
    set->alias &= ~PI_ADDRESS;
    if (!board)
        set->board = tess_pi_board_find("zero");
    if (!set->revision)
        set->revision = set->board->revision;
    return set->arm_size <= end && set->vc_size <= end - set->arm_size;
}

enum tess_status tess_pi_create(struct tess_pi **out, struct tess_vc4 *vc4,
                                const struct tess_pi_options *options)
{
    if (!out || !vc4)
        return TESS_INVALID;
    *out = NULL;
    struct tess_pi_options set = {0};
    if (options)
        set = *options;
    if (!complete(&set))
        return TESS_INVALID;
    struct tess_pi *pi = calloc(1, sizeof *pi);
    if (!pi)
        return TESS_NO_MEMORY;
    pi->vc4 = vc4;
    pi->options = set;
    memcpy(pi->clock_rate, set.board->clock_rates, sizeof pi->clock_rate);
    if (pi->clock_rate[TESS_PI_CLOCK_CORE] > PI_CORE_IDLE)
        pi->clock_rate[TESS_PI_CLOCK_CORE] = PI_CORE_IDLE;
    pi->gpio[PI_GPIO_NO_MONITOR].state = 1;
    pi_framebuffer_reset(pi);
    *out = pi;
    return TESS_OK;
}

void tess_pi_destroy(struct tess_pi *pi)
{
    if (!pi)
        return;
    pi_release_all(pi);
    free(pi);
}

void tess_pi_get_framebuffer(const struct tess_pi *pi, struct tess_pi_framebuffer *framebuffer)
{
    *framebuffer = pi->framebuffer;
}

bool tess_pi_v3d_enabled(const struct tess_pi *pi)
{
    return pi->enables || pi->v3d_domain;
}

void tess_pi_get_starts(const struct tess_pi *pi, struct tess_pi_starts *starts)
{
    *starts = pi->starts;
}

uint32_t tess_pi_clock_rate(const struct tess_pi *pi, enum tess_pi_clock clock)
{
    return clock < TESS_PI_CLOCKS && !pi->clock_off[clock] ? pi->clock_rate[clock] : 0;
}
