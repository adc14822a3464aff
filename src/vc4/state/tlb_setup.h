/* SPDX-License-Identifier: MIT */
/* tlb_setup.h - values that the control lists and the shaders set in the tile buffer. */
#ifndef VC4_STATE_TLB_SETUP_H
#define VC4_STATE_TLB_SETUP_H

#include <stdbool.h>
#include <stdint.h>

/* Values of record 113. */
struct tlb_frame {
    bool configured;
    uint32_t address;
    uint32_t width, height; /* pixels */
    uint32_t flags;         /* the record's bits 64..76, shifted to bit 0 */
};

/* Depth-test functions of record 96 and stencil functions of TLB_STENCIL_SETUP. */
enum tlb_compare {
    TLB_NEVER,
    TLB_LT,
    TLB_EQ,
    TLB_LE,
    TLB_GT,
    TLB_NE,
    TLB_GE,
    TLB_ALWAYS,
};

#endif
