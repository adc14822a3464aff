/* SPDX-License-Identifier: MIT */
/* tlb_memory.h - private to the Tile Buffer: moves one plane of the tile to or from memory. */
#ifndef VC4_TLB_MEMORY_H
#define VC4_TLB_MEMORY_H

#include "isa/cl/cl.h"
#include "vc4/layout.h"
#include "vc4/tlb.h"

/* What a pixel looks like in memory; this also says which plane it belongs to. */
enum tlb_format {
    TLB_RGBA8888,
    TLB_BGR565_DITHERED,
    TLB_BGR565,
    TLB_Z24S8,
    TLB_Z24,
    TLB_MASK8,
};

struct tlb_surface {
    uint32_t address;
    enum tlb_format format;
    bool dump;          /* memory holds this one tile, in the order of a full dump */
    enum layout layout; /* else: of an image of the frame's size */
};

/* A field of record 113, for example TLB_FRAME_GET(&tlb->frame, VG_MASK). */
#define TLB_FRAME_GET(frame, field)                                                  \
    (uint32_t) bits_get((frame)->flags,                                              \
                        CL_TILE_RENDERING_MODE_##field##_BIT - TLB_FRAME_FLAGS_BIT + \
                            CL_TILE_RENDERING_MODE_##field##_WIDTH - 1,              \
                        CL_TILE_RENDERING_MODE_##field##_BIT - TLB_FRAME_FLAGS_BIT)

/* Where the flags begin in the record's data. */
enum { TLB_FRAME_FLAGS_BIT = CL_TILE_RENDERING_MODE_MULTISAMPLE_BIT };

static inline bool tlb_has_mask(const struct tlb *tlb)
{
    return TLB_FRAME_GET(&tlb->frame, VG_MASK);
}

/* The part of the current tile that lies inside the frame, in pixels. Empty for tiles outside. */
struct tlb_area {
    uint32_t x, y, width, height;
};

struct tlb_area tlb_area(const struct tlb *tlb);

/* Bytes of one plane in a full dump. */
uint32_t tlb_dump_bytes(enum tlb_format format);

/* Both report memory that is not mapped once, and move the rest. */
void tlb_surface_store(struct tlb *tlb, const struct tlb_surface *surface);
void tlb_surface_load(struct tlb *tlb, const struct tlb_surface *surface); /* not for TLB_Z24 */

#endif
