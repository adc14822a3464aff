/* SPDX-License-Identifier: MIT */
/* tmu.c - see tmu.h: the request protocol and the two FIFOs. sampler.c does the rest.
 *
 * Source:   manual section 4, "QPU Interface" and "Texture and Memory Lookup Unit Setup".
 * Modelled: requests by order of writes, memory lookups, limits of both FIFOs.
 * Left out: time and caches. A request is done when S is written; memory is coherent.
 * Choices:  the hardware stalls or mixes up results when a FIFO overflows. Here the request is
 * dropped. */
#include "vc4/tmu.h"

#include <string.h>

#include "vc4/race.h"
#include "vc4/sampler.h"

enum { PARAMETERS = 4 };

void tmu_reset(struct tmu *tmu)
{
    memset(tmu->unit, 0, sizeof tmu->unit);
}

bool tmu_needs_parameter(const struct tmu *tmu, unsigned unit, enum tmu_register reg)
{
    return reg != TMU_S || tmu->unit[unit].written != 0;
}

static void take_parameter(struct tmu *tmu, struct tmu_unit *unit, uint32_t parameter)
{
    if (unit->parameters < PARAMETERS)
        unit->parameter[unit->parameters] = parameter;
    else if (unit->parameters == PARAMETERS)
        fault(tmu->log, FAULT_TMU_PARAMETER,
              "a texture request with more than %d writes before the one to S ends it",
              PARAMETERS - 1);
    unit->parameters++;
}

/* A lookup: the word at each lane's address. */
static void look_up(struct tmu *tmu, const lanes *address, lanes *result)
{
    for (unsigned lane = 0; lane < LANES; lane++)
        (*result)[lane] = bus_read32(tmu->bus, BUS_TMU, (*address)[lane] & ~UINT32_C(3));
}

/* Whether a request of so many writes finds room. Result words never exceed the writes, so the
 * receive FIFO, of the same size, has room whenever the request FIFO has. */
static bool has_room(struct tmu *tmu, const struct tmu_unit *unit, uint32_t slots)
{
    if (slots <= TMU_FIFO - unit->slots_used)
        return true;
    fault(tmu->log, FAULT_TMU_OVERFLOW,
          "TMU%u: a request of %u writes does not fit, requests not read yet hold %u of %d slots",
          (unsigned)(unit - tmu->unit), slots, unit->slots_used, TMU_FIFO);
    return false;
}

/* Queues a request's result words; reading the last one frees its slots. */
static void queue(struct tmu_unit *unit, const lanes *result, uint32_t words, uint32_t slots)
{
    for (uint32_t i = 0; i < words; i++) {
        uint32_t at = (unit->first + unit->count++) % TMU_FIFO;
        unit->result[at] = result[i];
        unit->slots[at] = (uint8_t)(i + 1 == words ? slots : 0);
    }
    unit->slots_used += slots;
}

static void submit_lookup(struct tmu *tmu, struct tmu_unit *unit)
{
    lanes result;
    if (!has_room(tmu, unit, 1))
        return;
    look_up(tmu, &unit->coordinate[TMU_S], &result);
    if (tmu->race)
        race_lookup(tmu->race, tmu->qpu, &unit->coordinate[TMU_S]);
    queue(unit, &result, 1, 1);
    tmu->lookups++;
}

static void submit_texture(struct tmu *tmu, struct tmu_unit *unit)
{
    lanes result[2] = {{0}};
    uint32_t count = unit->parameters < PARAMETERS ? unit->parameters : PARAMETERS;
    struct sampler sampler;
    bool valid = sampler_setup(&sampler, unit->parameter, count, unit->coordinate[TMU_R][0],
                               tmu->log);
    uint32_t words = sampler.format ? sampler.format->words : 1;
    if (!has_room(tmu, unit, unit->parameters))
        return;
    if (valid)
        sampler_run(&sampler, tmu->bus, unit->coordinate, result);
    queue(unit, result, words, unit->parameters);
    tmu->lookups++;
}

static void start_request(struct tmu_unit *unit)
{
    memset(unit->coordinate, 0, sizeof unit->coordinate);
    unit->written = 0;
    unit->parameters = 0;
}

void tmu_write(struct tmu *tmu, unsigned unit, enum tmu_register reg, const lanes *value,
               uint32_t parameter)
{
    struct tmu_unit *to = &tmu->unit[unit];
    if (tmu_needs_parameter(tmu, unit, reg))
        take_parameter(tmu, to, parameter);
    to->coordinate[reg] = *value;
    if (reg != TMU_S) {
        to->written |= 1u << reg;
        return;
    }
    if (to->written)
        submit_texture(tmu, to);
    else
        submit_lookup(tmu, to);
    start_request(to);
}

bool tmu_read(struct tmu *tmu, unsigned unit, lanes *result)
{
    struct tmu_unit *from = &tmu->unit[unit];
    if (from->count == 0)
        return false;
    *result = from->result[from->first];
    from->slots_used -= from->slots[from->first];
    from->first = (from->first + 1) % TMU_FIFO;
    from->count--;
    return true;
}

uint32_t tmu_pending(const struct tmu *tmu)
{
    uint32_t pending = 0;
    for (unsigned unit = 0; unit < TMU_UNITS; unit++)
        pending += tmu->unit[unit].count;
    return pending;
}
