/* SPDX-License-Identifier: MIT */
/* tlb_memory.h - private to the Tile Buffer: moves planes of the tile to and from memory. */
#ifndef VC4_TILE_TLB_MEMORY_H
#define VC4_TILE_TLB_MEMORY_H

#include "isa/cl/cl.h"
#include "vc4/memory/layout.h"
#include "vc4/tile/tlb_state.h"

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
 * a pixel's four samples. Without multisampling, it averages 2 x 2 pixels. TLB_MEAN_OF_16 averages
 * all samples of 2 x 2 pixels, with multisampling. */
enum tlb_decimate { TLB_SAMPLE_0, TLB_MEAN_OF_4, TLB_MEAN_OF_16, TLB_DECIMATE_MODES };

struct tlb_surface {
    uint32_t address;
    enum tlb_format format;
    enum layout layout;         /* memory layout of the image, which has the frame's size */
    enum tlb_decimate decimate; /* used only by stores of 32-bit colour; TLB_MEAN_OF_16 needs
                                   multisampling */
};

/* Sets of planes, as bits. */
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

/* Returns record 113's decimation mode, or TLB_SAMPLE_0 if the frame cannot use that mode. */
enum tlb_decimate tlb_frame_decimate(const struct tlb *tlb);

/* The part of an image that the current tile covers, in the image's pixels. The width or height is
 * 0 if the tile is outside the image. */
struct tlb_area {
    uint32_t x, y, width, height;
};

/* Returns the number of the tile's pixels along each axis that become one pixel of the image: 1 or
 * 2. */
uint32_t tlb_decimate_scale(const struct tlb *tlb, enum tlb_decimate decimate);

struct tlb_area tlb_area(const struct tlb *tlb, enum tlb_decimate decimate);

/* Move a plane from the tile to an image, or from an image to the tile. Unmapped memory is reported
 * once per plane. Pixels in mapped memory are moved. Loads write a pixel's value to all samples of
 * the pixel. */
void tlb_surface_store(struct tlb *tlb, const struct tlb_ports *ports,
                       const struct tlb_surface *surface);
void tlb_surface_load(struct tlb *tlb, const struct tlb_ports *ports,
                      const struct tlb_surface *surface); /* format must not be
                                                                              TLB_Z24 */

/* Move full dumps of the tile. The planes in the set `planes` are stored one after the other. Tiles
 * outside the frame are skipped. */
void tlb_dump_store(struct tlb *tlb, const struct tlb_ports *ports, uint32_t address,
                    uint32_t planes);
void tlb_dump_load(struct tlb *tlb, const struct tlb_ports *ports, uint32_t address,
                   uint32_t planes);

#endif
