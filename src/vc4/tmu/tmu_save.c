/* SPDX-License-Identifier: MIT */
/* tmu_save.c - lists the fields of texture units for saved states (base/state.h).
 *
 * Left out: decoded textures and the texels of the latest request, which are computed again, and
 *           the cost of the latest request, which the program has already taken. */
#include "base/state.h"
#include "vc4/lanes/lanes_fields.h"
#include "vc4/tmu/tmu.h"

/* Lists the registers that were written for the current request. */
static void request_fields(struct state_stream *stream, struct tmu_unit *unit)
{
    state_below(stream, &unit->written, 16);
    STATE_FIELDS(stream, &unit->written_at, &unit->parameters);
    state_require(stream, (unit->written != 0) == (unit->parameters != 0));
    if (!unit->written)
        return;
    lanes_fields(stream, unit->coordinate, 4);
    state_u32s(stream, unit->parameter, TEXTURE_PARAMETERS);
    state_u32s(stream, unit->parameter_at, TEXTURE_PARAMETERS);
}

static void result_fields(struct state_stream *stream, struct tmu_unit *unit, uint32_t at)
{
    lanes_fields(stream, &unit->result[at], 1);
    state_in(stream, &unit->slots[at], 0, TMU_FIFO);
    state_below(stream, &unit->lookup[at], 2);
    state_u32(stream, &unit->asked[at]);
}

static void unit_fields(struct state_stream *stream, struct tmu_unit *unit)
{
    uint32_t slots = 0, lookups = 0;
    request_fields(stream, unit);
    state_below(stream, &unit->first, TMU_FIFO);
    state_in(stream, &unit->count, 0, TMU_FIFO);
    for (uint32_t i = 0; i < unit->count; i++) {
        uint32_t at = (unit->first + i) % TMU_FIFO;
        result_fields(stream, unit, at);
        slots += unit->slots[at];
        lookups += unit->lookup[at];
    }
    state_require(stream, slots <= TMU_FIFO);
    if (state_is_reading(stream)) {
        unit->slots_used = slots;
        unit->lookups_used = lookups;
    }
    state_bool(stream, &unit->overflowed);
}

static void texture_fields(struct state_stream *stream, struct tmu_texture *texture)
{
    state_in(stream, &texture->parameters, 0, TEXTURE_PARAMETERS);
    state_u32s(stream, texture->parameter, TEXTURE_PARAMETERS);
    state_bool(stream, &texture->checked);
}

void tmu_fields(struct state_stream *stream, struct tmu *tmu)
{
    STATE_FIELDS(stream, &tmu->lookups, &tmu->pc, &tmu->origin.first, &tmu->origin.next,
                 &tmu->parameter_at);
    state_below(stream, &tmu->qpu, SLICES * SLICE_QPUS);
    STATE_FIELDS(stream, &tmu->l2_disabled, &tmu->swapped);
    for (unsigned i = 0; i < TMU_UNITS; i++)
        unit_fields(stream, &tmu->unit[i]);
    for (unsigned i = 0; i < TMU_TEXTURES; i++)
        texture_fields(stream, &tmu->texture[i]);
    state_u32(stream, &tmu->next_texture);
}
