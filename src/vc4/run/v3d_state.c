/* SPDX-License-Identifier: MIT */
/* v3d_state.c - see v3d_state.h. */
#include "vc4/run/v3d_state.h"

#include "base/bits.h"
#include "base/state.h"
#include "vc4/qpu/qpu.h"
#include "vc4/run/cle_thread.h"
#include "vc4/vpm/vpm.h"

enum { VPALIMEN = 1 << 12 };

void v3d_reservations(const struct v3d *v3d, uint32_t qpus, uint32_t reserve[2])
{
    for (uint32_t number = 0; number < QPU_COUNT; number++) {
        uint32_t *word = &reserve[number / 8], shift = number % 8 * 4;
        uint32_t bits = v3d->reserve[number / 8] >> shift & 15;
        *word = (uint32_t)bits_set(*word, shift + 3, shift, number < qpus ? bits : 15);
    }
}

uint32_t v3d_vpm_limit(const struct v3d *v3d, unsigned thread)
{
    enum { LIMIT_ROWS = 6 * VPM_RESERVE_ROWS };
    uint32_t limit = (uint32_t)(thread == CLE_BINNING ? bits_get(v3d->vpm_allocator, 5, 3)
                                                      : bits_get(v3d->vpm_allocator, 2, 0));
    return v3d->vpm_allocator & VPALIMEN ? (limit + 1) * LIMIT_ROWS : 0;
}

void v3d_fields(struct state_stream *stream, struct v3d *v3d)
{
    STATE_FIELDS(stream, &v3d->scratch, &v3d->l2_cache_enabled, &v3d->int_status, &v3d->int_enabled,
                 &v3d->flush_count, &v3d->frame_count, &v3d->binner_debug);
    state_u32s(stream, v3d->reserve, 2);
    STATE_FIELDS(stream, &v3d->scheduler_control, &v3d->vpm_allocator, &v3d->vpm_base,
                 &v3d->counter_enable, &v3d->counter_ran);
    state_u32s(stream, v3d->counter, V3D_COUNTERS);
    state_u64s(stream, v3d->counted, V3D_COUNTERS);
    state_bytes(stream, v3d->counter_source, V3D_COUNTERS);
}
