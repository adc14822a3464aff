/* SPDX-License-Identifier: MIT */
/* statistics.c - the statistics of tessera/vc4.h.
 *
 * In:     the profile of shaders and instructions (profile.h), and the event counts of the blocks.
 * Out:    statistics for the host, and the names of counters and stalls.
 * Source: manual table 82 for the counters. */
#include "vc4/device/device.h"

_Static_assert((int)TESS_VC4_USER == QPU_USER && (int)TESS_VC4_FRAGMENT == QPU_FRAGMENT &&
                   (int)TESS_VC4_VERTEX == QPU_VERTEX && (int)TESS_VC4_COORDINATE == QPU_COORDINATE,
               "kinds are numbered alike");
_Static_assert((int)TESS_VC4_STALLS == QPU_STALLS && (int)TESS_VC4_STALL_WAIT == QPU_STALL_WAIT &&
                   (int)TESS_VC4_STALL_UNIFORM == QPU_STALL_UNIFORM,
               "stalls are numbered alike");
_Static_assert((int)TESS_VC4_COUNTERS == PCTR_SOURCES, "all counters are public");

uint32_t tess_vc4_shader_count(const struct tess_vc4 *vc4)
{
    return vc4->profile.count + (vc4->profile.shader[PROFILE_SHADERS].runs > 0);
}

bool tess_vc4_get_shader_stats(const struct tess_vc4 *vc4, uint32_t index,
                               struct tess_vc4_shader_stats *stats)
{
    if (index >= tess_vc4_shader_count(vc4))
        return false;
    *stats = vc4->profile.shader[index];
    return true;
}

/* Adds the counts of the slices to those of the device, because user programs that run in parallel
 * are counted separately for each slice. */
enum tess_status tess_vc4_get_hot(const struct tess_vc4 *vc4, struct tess_vc4_hot **rows,
                                  size_t *count)
{
    if (!rows || !count)
        return TESS_INVALID;
    struct instruction_profile all = {0};
    instruction_profile_merge(&all, &vc4->profile.insn_profile);
    for (unsigned i = 0; i < SLICES; i++)
        instruction_profile_merge(&all, &vc4->ahead_work.slice[i].insn_profile);
    *rows = instruction_profile_rows(&all, count);
    instruction_profile_free(&all);
    return *rows || *count == 0 ? TESS_OK : TESS_NO_MEMORY;
}

uint64_t tess_vc4_counter(const struct tess_vc4 *vc4, uint32_t id)
{
    return id < PCTR_SOURCES ? vc4->counts.of[id] : 0;
}

static const struct {
    const char *unit, *text;
} counters[PCTR_SOURCES] = {
#define PCTR(id, name, unit, text) [id] = {unit, text},
#include "vc4/time/pctr.def"
#undef PCTR
};

const char *tess_vc4_counter_name(uint32_t id)
{
    return id < PCTR_SOURCES ? counters[id].text : NULL;
}

const char *tess_vc4_counter_unit(uint32_t id)
{
    return id < PCTR_SOURCES ? counters[id].unit : NULL;
}

const char *tess_vc4_stall_name(enum tess_vc4_stall stall)
{
    static const char *const names[TESS_VC4_STALLS] = {
        [TESS_VC4_STALL_TMU] = "tmu",
        [TESS_VC4_STALL_SFU] = "sfu",
        [TESS_VC4_STALL_VPM] = "vpm",
        [TESS_VC4_STALL_UNIFORM] = "uniform",
        [TESS_VC4_STALL_VARYING] = "varying",
        [TESS_VC4_STALL_SCOREBOARD] = "scoreboard",
        [TESS_VC4_STALL_INSTRUCTION] = "instruction",
        [TESS_VC4_STALL_WAIT] = "wait",
    };
    return (unsigned)stall < TESS_VC4_STALLS ? names[stall] : NULL;
}

const char *tess_vc4_shader_kind_name(enum tess_vc4_shader_kind kind)
{
    static const char *const names[] = {"user", "fragment", "vertex", "coordinate"};
    return (unsigned)kind < sizeof names / sizeof *names ? names[kind] : NULL;
}
