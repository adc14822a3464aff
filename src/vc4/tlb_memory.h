/* SPDX-License-Identifier: MIT */
/* tlb_memory.h - private to the Tile Buffer: moves planes of the tile to and from memory. */
#ifndef VC4_TLB_MEMORY_H
#define VC4_TLB_MEMORY_H

#include "isa/cl/cl.h"
#include "vc4/layout.h"
#include "vc4/tlb.h"

/* Format of a pixel in memory, which also determines the plane. */
enum tlb_format {
    TLB_RGBA8888,
    TLB_BGR565_DITHERED,
    TLB_BGR565,
    TLB_RGBA16F, /* 64-bit colour */
    TLB_Z24S8,
    TLB_Z24,
    TLB_MASK8,
};

/* Conversion of samples to a pixel of the image, numbered as in the records. TLB_MEAN_OF_4 averages
 * a pixel's four samples, or 2 x 2 pixels without multisampling. TLB_MEAN_OF_16 averages all
 * samples of 2 x 2 pixels with multisampling. */
enum tlb_decimate { TLB_SAMPLE_0, TLB_MEAN_OF_4, TLB_MEAN_OF_16, TLB_DECIMATE_MODES };

struct tlb_surface {
    uint32_t address;
    enum tlb_format format;
    enum layout layout;         /* the image has the frame's size */
    enum tlb_decimate decimate; /* for stores of 32-bit colour only; MEAN_OF_16 needs
                                   multisampling */
};

/* Sets of planes. */
enum { TLB_COLOUR = 1, TLB_ZS = 2, TLB_MASK = 4, TLB_PLANES = 7 };

/* Returns a field of record 113. Example: TLB_FRAME_GET(&tlb->frame, VG_MASK). */
#define TLB_FRAME_GET(frame, field)                                                  \
    (uint32_t) bits_get((frame)->flags,                                              \
                        CL_TILE_RENDERING_MODE_##field##_BIT - TLB_FRAME_FLAGS_BIT + \
                            CL_TILE_RENDERING_MODE_##field##_WIDTH - 1,              \
                        CL_TILE_RENDERING_MODE_##field##_BIT - TLB_FRAME_FLAGS_BIT)

/* First bit of the flags in the record's data. */
enum { TLB_FRAME_FLAGS_BIT = CL_TILE_RENDERING_MODE_MULTISAMPLE_BIT };

static inline bool tlb_has_mask(const struct tlb *tlb)
{
    return TLB_FRAME_GET(&tlb->frame, VG_MASK);
}

/* Returns record 113's decimation mode if the frame can use it, else TLB_SAMPLE_0. */
enum tlb_decimate tlb_frame_decimate(const struct tlb *tlb);

/* The part of an image that the current tile covers, in the image's pixels. Empty for tiles
 * outside. */
struct tlb_area {
    uint32_t x, y, width, height;
};

/* Returns the number of the tile's pixels, along each axis, that become one pixel: 1 or 2. */
uint32_t tlb_decimate_scale(const struct tlb *tlb, enum tlb_decimate decimate);

struct tlb_area tlb_area(const struct tlb *tlb, enum tlb_decimate decimate);

/* Move a plane between tile and image. Unmapped memory is reported once per plane; the rest is
 * moved. Loads write a pixel's value to all its samples. */
void tlb_surface_store(struct tlb *tlb, const struct tlb_surface *surface);
void tlb_surface_load(struct tlb *tlb, const struct tlb_surface *surface); /* not for TLB_Z24 */

/* Move full dumps: the planes in the set follow each other, each complete. Tiles outside the frame
 * are skipped. */
void tlb_dump_store(struct tlb *tlb, uint32_t address, uint32_t planes);
void tlb_dump_load(struct tlb *tlb, uint32_t address, uint32_t planes);

#endif
