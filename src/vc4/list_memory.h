/* SPDX-License-Identifier: MIT */
/* list_memory.h - what memory the lists of both control-list threads use, and what they share by
 * mistake.
 *
 * In:  memory; where a list begins and ends, when its first record is executed.
 * Out: findings about overlaps, before the list does anything. */
#ifndef VC4_LIST_MEMORY_H
#define VC4_LIST_MEMORY_H

#include "isa/cl/images.h"
#include "isa/cl/overlap.h"
#include "isa/cl/uses.h"
#include "vc4/bus.h"
#include "vc4/layout.h"

struct tlb_frame;

/* Zero-initialise it. */
struct list_memory {
    struct cl_uses binning, rendering; /* of the latest lists */
    bool remembers;          /* nothing but lists and programs of this device writes images */
    struct cl_images images; /* that lists have stored, if it does */
};

/* The binner's overflow memory when its list starts: V3D_BPOA and V3D_BPOS. */
void list_memory_bin(struct list_memory *memory, struct bus *bus, uint32_t start, uint32_t end,
                     uint32_t overflow, uint32_t overflow_size);
void list_memory_render(struct list_memory *memory, struct bus *bus, uint32_t start, uint32_t end);

/* A fragment shader reads a texture, while lists draw into a frame: its address, and the
 * layout of its first level. */
void list_memory_texture(const struct list_memory *memory, const struct tlb_frame *frame,
                         uint32_t address, const struct image_layout *texture,
                         struct fault_log *log);

/* A picture is read from memory by the host. */
void list_memory_picture(const struct list_memory *memory, const struct cl_view *view,
                         struct fault_log *log);

/* Something else may have written images. */
void list_memory_forget(struct list_memory *memory);

void list_memory_free(struct list_memory *memory);

#endif
