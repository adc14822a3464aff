/* SPDX-License-Identifier: MIT */
/* list_memory.h - the memory ranges that the lists of both control list threads use, and findings
 * about ranges that overlap.
 *
 * In:  memory; the start and end of a list when its first record is executed.
 * Out: findings about overlaps, before the list has any effect. */
#ifndef VC4_WATCH_LIST_MEMORY_H
#define VC4_WATCH_LIST_MEMORY_H

#include "isa/cl/images.h"
#include "isa/cl/overlap.h"
#include "isa/cl/uses.h"
#include "vc4/memory/bus.h"
#include "vc4/memory/layout.h"

struct tlb_frame;

/* Initialise with zeros. */
struct list_memory {
    struct cl_uses binning, rendering; /* memory ranges that the latest lists use */
    bool remembers;          /* true if only lists and programs of this device write images */
    struct cl_images images; /* images that lists have stored, or empty if remembers is false */
};

/* Check a binning list or a rendering list from start to end. overflow and overflow_size are the
 * current values of V3D_BPOA and V3D_BPOS, the binner's overspill block. */
void list_memory_bin(struct list_memory *memory, struct bus *bus, uint32_t start, uint32_t end,
                     uint32_t overflow, uint32_t overflow_size);
void list_memory_render(struct list_memory *memory, struct bus *bus, uint32_t start, uint32_t end);

/* Checks a texture that a fragment shader reads while lists draw into *frame. address and *texture
 * are the address and the layout of the texture's first level. */
void list_memory_texture(const struct list_memory *memory, const struct tlb_frame *frame,
                         uint32_t address, const struct image_layout *texture,
                         struct fault_log *log);

/* Checks the format in which the host reads an image from memory. */
void list_memory_picture(const struct list_memory *memory, const struct cl_view *view,
                         struct fault_log *log);

/* Forgets stored images. Call it when another device or the host may have written images. */
void list_memory_forget(struct list_memory *memory);

struct state_stream;

/* Lists the fields for saved states (base/state.h). */
void list_memory_fields(struct state_stream *stream, struct list_memory *memory);

void list_memory_free(struct list_memory *memory);

/* Finds the binning list's record from which a primitive in a tile list comes. `place` is the place
 * of a finding in a tile list. Uses memory at the time of the finding; nothing is recorded during
 * binning. Returns the address of the record, or 0 if the place is not in a tile list or the record
 * is not found. If several primitive list records use the same shader record, returns the first
 * record whose vertices include the first vertex of the primitive list at the place. */
uint32_t list_origin(const struct list_memory *memory, struct bus *bus,
                     const struct tess_place *place);

#endif
