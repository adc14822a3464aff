/* SPDX-License-Identifier: MIT */
/* sampler.c - see sampler.h: requests.
 *
 * Source:   manual section 4; the OpenGL ES 2.0 specification, section 3.7, for what the manual
 *           does not define.
 * Modelled: 2D, cube and child images, all wrap modes, all filters, level of detail by quads, bias
 *           and absolute level.
 * Choices:  docs/vc4/tmu.md lists them.
 *
 * Lanes that sample the same level of the same face with the same filter form a group, which is
 * sampled as one job. */
#include "vc4/tmu/sampler.h"

#include "vc4/tmu/detail.h"
#include "vc4/tmu/filter.h"
#include "vc4/tmu/places.h"
#include "vc4/tmu/sampler_kernels.h"

/* ---- jobs ------------------------------------------------------------------------------------ */

/* Returns the host address of size bytes at a bus address, or NULL if they are not mapped in one
 * piece. */
static inline const uint8_t *find_host(struct bus *bus, uint32_t address, uint32_t size)
{
    const struct bus_region *region = bus_region(bus, address);
    if (!region)
        return bus_peek(bus, address, size);
    const uint32_t offset = (address & BUS_ADDRESS_MASK) - region->base;
    return size <= region->size - offset ? region->host + offset : NULL;
}

/* Selects a level of a face for a job. */
static inline void select_level(struct sampler *sampler, struct sampler_job *job,
                                struct texture *texture, uint32_t face, uint32_t number)
{
    job->number = number;
    job->level = texture_level(texture, number);
    job->address = texture->base + face * texture->cube_stride - job->level->below;
    job->host = find_host(sampler->bus, job->address, job->level->image.size_bytes);
}

/* Notes the cells that a kernel read. If the job has all lanes, the kernel has stored the addresses
 * in the sampler. */
static void trace_taps(struct sampler *sampler, const struct sampler_job *job)
{
    const struct sampler_taps *taps = &sampler->found;
    const unsigned count = job->linear ? LEVEL_TAPS : 1;
    for (unsigned i = 0; i < count; i++) {
        lane_mask read = job->mask & taps->inside[i];
        if (job->mask != ALL_LANES)
            put_lanes(&sampler->address[job->tap + i], &taps->address[i], read);
        sampler->used[job->tap + i] |= read;
    }
    if (sampler->taps < job->tap + count)
        sampler->taps = job->tap + count;
}

/* Samples all lanes with a kernel. */
static inline void sample_fast(struct sampler *sampler, const struct sampler_job *job,
                               lanes result[2])
{
    struct sampler_taps *taps = &sampler->found;
    taps->address = job->mask == ALL_LANES ? &sampler->address[job->tap] : sampler->cell;
    sampler->kernels->sample(job, taps, result);
    if (job->linear && job->texture->format->blend == TEXEL_BLEND_HALVES)
        filter_quad_halves(taps->word, &taps->x, &taps->y, job->mask, result, &sampler->errata);
    if (sampler->traced)
        trace_taps(sampler, job);
}

/* Samples the lanes of a job. Other lanes keep their results. */
__attribute__((noinline)) static void sample_some(struct sampler *sampler,
                                                  const struct sampler_job *job, lanes result[2])
{
    lanes words[2] = {{0}, {0}};
    if (sampler->kernels && job->host)
        sample_fast(sampler, job, words);
    else
        sampler_plain(sampler, job, words);
    put_lanes(&result[0], &words[0], job->mask);
    if (job->texture->format->words == 2)
        put_lanes(&result[1], &words[1], job->mask);
}

static inline void sample(struct sampler *sampler, const struct sampler_job *job, lanes result[2])
{
    if (sampler->kernels && job->host && job->mask == ALL_LANES)
        sample_fast(sampler, job, result);
    else
        sample_some(sampler, job, result);
}

/* ---- groups ---------------------------------------------------------------------------------- */

/* Returns the lanes whose words are not 0. */
static lane_mask nonzero(const lanes *word)
{
    uint32_t mask = 0;
    for (unsigned lane = 0; lane < LANES; lane++)
        mask |= (uint32_t)((*word)[lane] != 0) << lane;
    return (lane_mask)mask;
}

/* Samples the lanes in mask, group by group. next is 0 to sample the first level of each lane, and
 * 1 to sample the second level. */
static void sample_groups(struct sampler *sampler, struct sampler_job *job, struct texture *texture,
                          const struct detail_plan *plan, lane_mask mask, uint32_t next,
                          lanes result[2])
{
    while (mask) {
        const uint32_t key = plan->key[__builtin_ctz(mask)];
        const lanes other = plan->key ^ key;
        job->mask = plan->uniform ? mask : (lane_mask)(mask & ~nonzero(&other));
        job->linear = detail_linear(key);
        job->tap = next * LEVEL_TAPS;
        select_level(sampler, job, texture, detail_face(key), detail_level(key) + next);
        sample(sampler, job, result);
        mask &= (lane_mask)~job->mask;
    }
}

/* Samples the second level of lanes whose level of detail is between two levels, and blends both
 * levels. */
static void add_next_level(struct sampler *sampler, struct sampler_job *job,
                           struct texture *texture, const struct detail_plan *plan, lanes result[2])
{
    lanes far[2] = {{0}, {0}};
    const lane_mask mask = nonzero(&plan->fraction);
    sample_groups(sampler, job, texture, plan, mask, 1, far);
    if (texture->format->blend == TEXEL_BLEND_HALVES)
        filter_pair_halves(far, &plan->fraction, mask, result, &sampler->errata);
    else
        filter_pair(&result[0], &far[0], &plan->fraction, &result[0]);
}

/* ---- requests -------------------------------------------------------------------------------- */

static inline void start(struct sampler *sampler)
{
    if (!sampler->chosen)
        sampler->kernels = sampler->plain ? NULL : sampler_kernels_native();
    sampler->chosen = true;
    sampler->taps = 0;
    for (unsigned i = 0; i < SAMPLER_TAPS; i++)
        sampler->used[i] = 0;
    sampler->outside.texels = 0;
    sampler->errata = 0;
}

/* Samples a cube map, or an image for which the result depends on the level of detail. */
__attribute__((noinline)) static void sample_detailed(struct sampler *sampler,
                                                      struct sampler_job *job,
                                                      struct texture *texture,
                                                      const lanes coordinate[4], lanes result[2])
{
    struct places places;
    struct detail_plan plan;
    places_find(&places, texture, coordinate);
    job->place = places.place;
    job->centred = places.centred;
    detail_find(&plan, texture, &places, sampler->kernels);
    result[0] = result[1] = (lanes){0};
    sample_groups(sampler, job, texture, &plan, ALL_LANES, 0, result);
    if (plan.blended)
        add_next_level(sampler, job, texture, &plan, result);
}

void sampler_run(struct sampler *sampler, struct texture *texture, const lanes coordinate[4],
                 uint32_t border, lanes result[2])
{
    struct sampler_job job;
    job.texture = texture;
    job.border = border;
    job.place = coordinate;
    job.centred = false;
    job.bordered = texture->bordered;
    job.linear = texture->mag_linear;
    job.mask = ALL_LANES;
    job.tap = 0;
    start(sampler);
    if (texture->detailed || texture->cube) {
        sample_detailed(sampler, &job, texture, coordinate, result);
        return;
    }
    select_level(sampler, &job, texture, 0, 0);
    sample(sampler, &job, result);
}
