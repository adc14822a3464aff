/* SPDX-License-Identifier: MIT */
/* raster_save.c - lists the fields of the FEP and of the coverage pipe for saved states
 * (base/state.h).
 *
 * Left out: edges and planes of the primitives of a batch, which have been rasterised. Only their
 *           type, their draw and their varyings are still needed. */
#include "base/state.h"

#include "base/bits.h"
#include "vc4/lanes/lanes_fields.h"
#include "vc4/raster/cap.h"
#include "vc4/raster/fep.h"

static void f64_field(struct state_stream *stream, double *field)
{
    uint64_t bits;
    memcpy(&bits, field, sizeof bits);
    state_u64(stream, &bits);
    if (state_is_reading(stream))
        memcpy(field, &bits, sizeof bits);
}

/* --- varyings --- */

static void coefficients_fields(struct state_stream *stream, struct vri_coefficients *varying)
{
    f64_field(stream, &varying->a);
    f64_field(stream, &varying->b);
    state_f32(stream, &varying->c);
}

static void varyings_fields(struct state_stream *stream, struct vri_primitive *varyings)
{
    f64_field(stream, &varyings->x0);
    f64_field(stream, &varyings->y0);
    state_in(stream, &varyings->count, 0, VRI_MAX_VARYINGS);
    state_in(stream, &varyings->implicit, 0, 2);
    state_require(stream, varyings->implicit <= varyings->count);
    for (uint32_t i = 0; i < varyings->count; i++)
        coefficients_fields(stream, &varyings->varying[i]);
}

static void primitive_fields(struct state_stream *stream, struct pse_primitive *primitive)
{
    state_u32(stream, &primitive->draw);
    state_enum(stream, &primitive->type, PRIMITIVE_RHT + 1);
    varyings_fields(stream, &primitive->varyings);
}

/* --- the batch --- */

static bool is_slot_used(const struct fep *fep, uint32_t slot)
{
    return (fep->next_slot + FEP_SLOTS - 1 - slot) % FEP_SLOTS < fep->slots;
}

static void quad_fields(struct state_stream *stream, struct fep *fep, uint32_t quad)
{
    struct fep_batch *batch = &fep->batch;
    STATE_FIELDS(stream, &batch->x[quad], &batch->y[quad]);
    state_below(stream, &batch->primitive[quad], FEP_SLOTS);
    state_require(stream, batch->x[quad] % 2 == 0 && batch->y[quad] % 2 == 0 &&
                              is_slot_used(fep, batch->primitive[quad]));
    state_bytes(stream, &batch->ms_flags[4 * quad], 4);
}

/* Lists a batch of fewer quads than a shader run has. */
static void batch_fields(struct state_stream *stream, struct fep *fep)
{
    struct fep_batch *batch = &fep->batch;
    state_below(stream, &batch->quads, LANES / 4);
    for (uint32_t quad = 0; quad < batch->quads; quad++)
        quad_fields(stream, fep, quad);
    if (!batch->quads)
        return;
    STATE_FIELDS(stream, &batch->covered, &batch->reverse);
    state_require(stream, (batch->covered | batch->reverse) >> 4 * batch->quads == 0);
    lanes_fields(stream, &batch->w, 1);
    lanes_fields(stream, &batch->z, 1);
}

void fep_fields(struct state_stream *stream, struct fep *fep)
{
    struct state_section section = state_open(stream, STATE_TAG('F', 'E', 'P', ' '));
    state_below(stream, &fep->next_slot, FEP_SLOTS);
    state_in(stream, &fep->slots, 0, FEP_SLOTS);
    for (uint32_t i = 0; i < FEP_SLOTS; i++)
        if (is_slot_used(fep, i))
            primitive_fields(stream, &fep->slot[i]);
    batch_fields(stream, fep);
    state_u64(stream, &fep->quads);
    state_close(stream, &section);
}

/* --- coverage --- */

void cap_fields(struct state_stream *stream, struct cap *cap)
{
    state_bool(stream, &cap->used);
    if (cap->used)
        state_bytes(stream, cap->winding, sizeof cap->winding);
}
