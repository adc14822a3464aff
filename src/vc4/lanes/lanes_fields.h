/* SPDX-License-Identifier: MIT */
/* lanes_fields.h - lists values of 16 lanes for saved states (base/state.h). */
#ifndef VC4_LANES_LANES_FIELDS_H
#define VC4_LANES_LANES_FIELDS_H

#include "base/state.h"
#include "vc4/lanes/lanes.h"

static inline void lanes_fields(struct state_stream *stream, lanes *values, size_t count)
{
    state_u32s(stream, (uint32_t *)values, count * LANES);
}

#endif
