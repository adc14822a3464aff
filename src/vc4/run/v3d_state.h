/* SPDX-License-Identifier: MIT */
/* v3d_state.h - values of the V3D registers that no other block has (v3d.h), and the settings of
 * other blocks that follow from these values. */
#ifndef VC4_RUN_V3D_STATE_H
#define VC4_RUN_V3D_STATE_H

#include <stdbool.h>
#include <stdint.h>

enum { V3D_COUNTERS = 16 };

struct v3d {
    uint32_t scratch;
    bool l2_cache_enabled;
    uint32_t int_status, int_enabled; /* values of V3D_INTCTL and V3D_INTENA */
    uint8_t flush_count, frame_count; /* values of V3D_BFC and V3D_RFC */
    uint32_t binner_debug;            /* value of V3D_BXCF */
    uint32_t reserve[2];              /* values of V3D_SQRSV0 and V3D_SQRSV1 */
    uint32_t scheduler_control;       /* value of V3D_SQCNTL */
    uint32_t vpm_allocator, vpm_base; /* values of V3D_VPACNTL and V3D_VPMBASE */
    uint32_t counter_enable;          /* value of V3D_PCTRE */
    uint32_t counter_ran;             /* bit n is 1 if counter n has counted since it was
                                             enabled */
    uint32_t counter[V3D_COUNTERS];   /* value of V3D_PCTRn when the total of its source was
                                             .counted[n] */
    uint64_t counted[V3D_COUNTERS];
    uint8_t counter_source[V3D_COUNTERS]; /* value of V3D_PCTRSn */
};

struct state_stream;

/* Lists the fields for saved states (base/state.h). */
void v3d_fields(struct state_stream *stream, struct v3d *v3d);

/* Returns in reserve[] the values of V3D_SQRSV0 and V3D_SQRSV1, which have 4 bits per QPU. All four
 * bits are set for QPUs that the chip does not have. qpus is the number of QPUs of the chip. */
void v3d_reservations(const struct v3d *v3d, uint32_t qpus, uint32_t reserve[2]);

/* Returns the largest number of VPM rows for one vertex request of a control-list thread
 * (V3D_VPACNTL), or 0 if there is no limit. */
uint32_t v3d_vpm_limit(const struct v3d *v3d, unsigned thread);

#endif
