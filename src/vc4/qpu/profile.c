/* SPDX-License-Identifier: MIT */
/* profile.c - see profile.h.
 *
 * In:  ended programs, event counts of the blocks.
 * Out: statistics for the host.
 * Choices: a program is identified by its kind and the address of its first instruction. Hosts
 *          upload several user programs to the same address, one after the other. If instructions
 *          are counted, user programs are also distinguished by their code up to the first program
 *          end. Immediates of loads and branches are not compared, because hosts patch immediates.
 * Left out: separate rows for programs after the first 256 programs. One row contains the sums of
 *          all further programs. */
#include "vc4/qpu/profile.h"

#include <string.h>

#include "base/bits.h"
#include "base/hash.h"
#include "base/state.h"
#include "isa/qpu/qpu_isa.h"
#include "vc4/memory/bus.h"
#include "vc4/qpu/qpu.h"

enum { WORD = 8, LONGEST = 4096 /* number of instructions that a hash includes at most */ };

/* --- code --- */

static unsigned signal_of(uint64_t word)
{
    return (unsigned)(word >> 60);
}

static uint64_t without_immediate(uint64_t word)
{
    unsigned sig = signal_of(word);
    return sig == QPU_SIG_LOAD_IMMEDIATE || sig == QPU_SIG_BRANCH ? word & ~(uint64_t)UINT32_MAX
                                                                  : word;
}

uint64_t profile_code(struct bus *bus, uint32_t start)
{
    uint64_t code = HASH_START;
    for (uint32_t i = 0; i < LONGEST; i++) {
        const uint8_t *bytes = bus_peek(bus, start + i * WORD, WORD);
        uint8_t kept[WORD];
        if (!bytes)
            break;
        uint64_t word = load_le64(bytes);
        store_le64(kept, without_immediate(word));
        code = hash_bytes(code, kept, WORD);
        if (signal_of(word) == QPU_SIG_PROGRAM_END)
            break;
    }
    return code;
}

/* --- the table --- */

static uint32_t hash(const struct tess_vc4_shader_stats *run)
{
    uint32_t key = run->start ^ (uint32_t)run->kind << 28 ^ (uint32_t)run->code;
    return (key * UINT32_C(2654435761)) >> 16; /* Knuth's multiplicative hash */
}

static bool same_program(const struct tess_vc4_shader_stats *one,
                         const struct tess_vc4_shader_stats *other)
{
    return one->start == other->start && one->kind == other->kind && one->code == other->code;
}

/* Returns the row of a program. Adds a row for a new program. If there is no room, returns the row
 * of all other programs. */
static struct tess_vc4_shader_stats *find(struct profile *profile,
                                          const struct tess_vc4_shader_stats *run)
{
    uint32_t at = hash(run) % PROFILE_SLOTS;
    for (; profile->slot[at]; at = (at + 1) % PROFILE_SLOTS) {
        struct tess_vc4_shader_stats *row = &profile->shader[profile->slot[at] - 1];
        if (same_program(row, run))
            return row;
    }
    struct tess_vc4_shader_stats *row = &profile->shader[profile->count];
    if (profile->count == PROFILE_SHADERS) {
        row->start = TESS_VC4_OTHER_SHADERS;
        return row;
    }
    profile->slot[at] = (uint16_t)++profile->count;
    *row = (struct tess_vc4_shader_stats){
        .kind = run->kind, .start = run->start, .code = run->code};
    return row;
}

void profile_add(struct profile *profile, const struct tess_vc4_shader_stats *run)
{
    struct tess_vc4_shader_stats *row = find(profile, run);
    row->runs += run->runs;
    row->instructions += run->instructions;
    row->cycles += run->cycles;
    for (unsigned i = 0; i < TESS_VC4_STALLS; i++)
        row->stalls[i] += run->stalls[i];
    row->uniforms += run->uniforms;
    row->tmu_requests += run->tmu_requests;
    row->texture_words += run->texture_words;
    row->vpm_accesses += run->vpm_accesses;
    row->dma_loaded += run->dma_loaded;
    row->dma_stored += run->dma_stored;
    row->instruction_misses += run->instruction_misses;
    row->uniform_misses += run->uniform_misses;
    row->texture_misses += run->texture_misses;
}

void profile_run(struct profile *profile, const struct qpu *qpu)
{
    struct tess_vc4_shader_stats run = {
        .kind = (enum tess_vc4_shader_kind)qpu->kind,
        .start = qpu->start,
        .code = qpu->code,
        .runs = 1,
        .instructions = qpu->instructions,
        .cycles = qpu_clock(qpu),
        .uniforms = qpu->times.uniforms,
        .tmu_requests = qpu->times.tmu_requests,
        .texture_words = qpu->times.texels,
        .vpm_accesses = qpu->times.vpm_accesses,
        .dma_loaded = qpu->times.dma_loaded,
        .dma_stored = qpu->times.dma_stored,
        .instruction_misses = qpu->times.instruction_misses,
        .uniform_misses = qpu->times.uniform_misses,
        .texture_misses = qpu->times.texel_misses,
    };
    for (unsigned i = 0; i < TESS_VC4_STALLS; i++)
        run.stalls[i] = qpu->times.stall[i];
    profile_add(profile, &run);
}

void profile_clear(struct profile *profile)
{
    profile->count = 0;
    memset(profile->slot, 0, sizeof profile->slot);
    profile->shader[PROFILE_SHADERS] = (struct tess_vc4_shader_stats){.runs = 0};
    instruction_profile_clear(&profile->insn_profile);
}

void profile_free(struct profile *profile)
{
    instruction_profile_free(&profile->insn_profile);
}

void profile_merge(struct profile *profile, const struct profile *other)
{
    for (uint32_t i = 0; i < other->count; i++)
        profile_add(profile, &other->shader[i]);
    if (other->shader[PROFILE_SHADERS].runs)
        profile_add(profile, &other->shader[PROFILE_SHADERS]);
    instruction_profile_merge(&profile->insn_profile, &other->insn_profile);
}

/* --- saved states --- */

static void stats_fields(struct state_stream *stream, struct tess_vc4_shader_stats *row)
{
    state_enum(stream, &row->kind, TESS_VC4_COORDINATE + 1);
    STATE_FIELDS(stream, &row->start, &row->code, &row->runs, &row->instructions, &row->cycles);
    state_u64s(stream, row->stalls, TESS_VC4_STALLS);
    STATE_FIELDS(stream, &row->uniforms, &row->tmu_requests, &row->texture_words,
                 &row->vpm_accesses, &row->dma_loaded, &row->dma_stored, &row->instruction_misses,
                 &row->uniform_misses, &row->texture_misses);
}

/* Lists row i. When reading, the rows get their slots in the same order as before. */
static void row_fields(struct state_stream *stream, struct profile *profile, uint32_t i)
{
    struct tess_vc4_shader_stats row = profile->shader[i];
    stats_fields(stream, &row);
    if (state_is_reading(stream) &&
        state_require(stream, find(profile, &row) == &profile->shader[i]))
        profile->shader[i] = row;
}

void profile_fields(struct state_stream *stream, struct profile *profile)
{
    enum { LEAST = 4 + 4 + 8 * (13 + TESS_VC4_STALLS) }; /* bytes of a row */
    struct state_section section = state_open(stream, STATE_TAG('P', 'R', 'O', 'F'));
    uint32_t rows = state_count(stream, profile->count, PROFILE_SHADERS, LEAST);
    for (uint32_t i = 0; i < rows; i++)
        row_fields(stream, profile, i);
    stats_fields(stream, &profile->shader[PROFILE_SHADERS]);
    instruction_profile_fields(stream, &profile->insn_profile);
    state_close(stream, &section);
}
