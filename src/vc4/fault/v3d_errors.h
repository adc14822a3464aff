/* SPDX-License-Identifier: MIT */
/* v3d_errors.h - the bits of V3D_ERRSTAT, which units set when they find an error. */
#ifndef VC4_FAULT_V3D_ERRORS_H
#define VC4_FAULT_V3D_ERRORS_H

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

#endif
