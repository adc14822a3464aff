/* SPDX-License-Identifier: MIT */
/* v3d.h - the V3D registers (manual section 10) that no other block handles. registers.def lists
 * all registers. */
#ifndef VC4_V3D_H
#define VC4_V3D_H

#include <stdbool.h>
#include <stdint.h>

enum { V3D_COUNTERS = 16 };

/* Bits of V3D_ERRSTAT (manual table 87) that the model can set. */
enum {
    V3D_ERRSTAT_VCMBE = 1 << 14,   /* VCM error (binner) */
    V3D_ERRSTAT_VCMRE = 1 << 13,   /* VCM error (renderer) */
    V3D_ERRSTAT_VCDI = 1 << 12,    /* VCD is idle; not an error */
    V3D_ERRSTAT_VDWE = 1 << 10,    /* VDW error - address overflows */
    V3D_ERRSTAT_VPMEWNA = 1 << 7,  /* VPM error - write non-allocated */
    V3D_ERRSTAT_VPMERNA = 1 << 6,  /* VPM error - read non-allocated */
    V3D_ERRSTAT_VPMERR = 1 << 5,   /* VPM error - read range */
    V3D_ERRSTAT_VPMEWR = 1 << 4,   /* VPM error - write range */
    V3D_ERRSTAT_VPAERRGL = 1 << 3, /* VPM Allocator error - renderer request greater than limit */
    V3D_ERRSTAT_VPAEBRGL = 1 << 2, /* VPM Allocator error - binner request greater than limit */
    V3D_ERRSTAT_VPAEABB = 1 << 0,  /* VPM Allocator error - allocating base while busy */
};

struct v3d {
    uint32_t scratch;
    bool l2_cache_enabled;
    uint32_t int_status, int_enabled;     /* values of V3D_INTCTL and V3D_INTENA */
    uint8_t flush_count, frame_count;     /* values of V3D_BFC and V3D_RFC */
    uint32_t binner_debug;                /* value of V3D_BXCF */
    uint32_t reserve[2];                  /* values of V3D_SQRSV0 and V3D_SQRSV1 */
    uint32_t scheduler_control;           /* value of V3D_SQCNTL */
    uint32_t vpm_allocator, vpm_base;     /* values of V3D_VPACNTL and V3D_VPMBASE */
    uint32_t counter_enable;              /* value of V3D_PCTRE */
    uint32_t counter_ran;                 /* bit n is 1 if counter n has counted since it was
                                             enabled */
    uint32_t counter[V3D_COUNTERS];       /* value of V3D_PCTRn at the time when the total of its
                                             source was .counted */
    uint64_t counted[V3D_COUNTERS];
    uint8_t counter_source[V3D_COUNTERS]; /* value of V3D_PCTRSn */
};

struct tess_vc4;

uint32_t v3d_read(struct tess_vc4 *vc4, uint32_t offset);
void v3d_write(struct tess_vc4 *vc4, uint32_t offset, uint32_t value);
void v3d_reset(struct v3d *v3d);

/* Returns in reserve[] the values of V3D_SQRSV0 and V3D_SQRSV1, which have 4 bits per QPU. All four
 * bits are set for QPUs that the chip does not have. */
void v3d_reservations(const struct tess_vc4 *vc4, uint32_t reserve[2]);

/* Returns the largest number of VPM rows for one vertex request of a control-list thread
 * (V3D_VPACNTL), or 0 if there is no limit. */
uint32_t v3d_vpm_limit(const struct v3d *v3d, unsigned thread);

#endif
