/* SPDX-License-Identifier: MIT */
/* vg.h - VG mode (manual sections 8 and 9): primitives whose vertices are x, y coordinates without
 * vertex shading. Primitives are triangles and right-hand trapezoids (RHTs). An RHT is the area
 * between an edge and a vertical boundary.
 *
 * In:  coordinate lists (records 41 and 42) or compressed lists of coordinates; record 100.
 * Out: the shapes of primitives for the PTB; primitives for the FEP and the CAP. */
#ifndef VC4_RASTER_VG_H
#define VC4_RASTER_VG_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/memory/bus.h"
#include "vc4/raster/outline.h"
#include "vc4/raster/pse.h"
#include "vc4/state/state.h"

/* Primitive types of records 41 and 42. */
enum vg_type {
    VG_RHTS = 1,
    VG_RHT_STRIP = 3,
    VG_TRIANGLES = 4,
    VG_TRIANGLE_STRIP = 5,
    VG_TRIANGLE_FAN = 6,
};

/* Codes at the position of a triangle's third coordinate or an RHT's second coordinate: end of the
 * list, and dummy primitive. */
#define VG_END   UINT32_C(0xbfff0000)
#define VG_DUMMY UINT32_C(0xbfff0001)

enum { VG_MAX_PARTS = 2 };

/* Encodes a coordinate in the format of coordinate lists. x and y are in 1/16 pixel. */
static inline uint32_t vg_coordinate(int32_t x, int32_t y)
{
    return ((uint32_t)x & 0xffff) | (uint32_t)y << 16;
}

/* State of reading a coordinate list, including the state that a continued fan needs from the
 * previous list. Must be zero-initialised. */
struct vg_list {
    uint8_t type;      /* value of enum vg_type */
    bool counted;      /* true if the list has .left more coordinates (record 41), false if VG_END
                          ends the list */
    bool flip;         /* for strips, true if the next triangle's first two vertices are swapped */
    bool first;        /* true until the first primitive has been read */
    uint32_t held;     /* number of vertices of the next primitive that earlier primitives have
                          already provided */
    uint32_t replaced; /* number of coordinates that are replaced by vertices of the previous
                          list */
    uint32_t address;  /* address of the next coordinate */
    uint32_t left;
    uint32_t end; /* address of the end of the control list, at which inline lists must end */
    uint32_t vertex[3];
};

enum vg_item {
    VG_PRIMITIVE,
    VG_NOTHING, /* a dummy primitive */
    VG_LIST_END,
    VG_UNREADABLE, /* the list cannot be read; a finding has been reported */
};

/* Starts reading the list of a record 41 or 42. data points to the bytes after the record's code.
 * An inline list begins at `address`, and its control list ends at `end`. If the type is reserved,
 * reports a finding and returns false. */
bool vg_begin(struct vg_list *list, uint8_t record, const uint8_t *data, uint32_t address,
              uint32_t end, struct fault_log *log);

/* Reads the next primitive. xy[] receives the primitive's two or three coordinates, encoded as x |
 * y << 16. */
enum vg_item vg_next(struct vg_list *list, struct bus *bus, uint32_t xy[3]);

/* Returns the type of a list's primitives: PRIMITIVE_TRIANGLE or PRIMITIVE_RHT. */
enum primitive_type vg_primitive_type(const struct vg_list *list);

/* One convex part of a primitive. */
struct vg_part {
    struct edge edge[OUTLINE_MAX_CORNERS];
    uint32_t edges;
    struct corner low, high; /* bounding box */
    bool reverse;            /* true if the part is reverse-facing */
};

/* Computes the visible parts of a primitive. The state has the facing bits, the RHT boundary and
 * the viewport offset. Returns the number of parts, 0 to 2. There are two parts if the edge of an
 * RHT crosses the boundary. */
unsigned vg_parts(struct vg_part part[VG_MAX_PARTS], const struct cl_state *state,
                  enum primitive_type type, const uint32_t xy[3]);

/* Sets up a part for rendering, with Zs 0.5, W 1 and no varyings (manual section 9, id 41). */
void vg_setup(struct pse_primitive *out, const struct cl_state *state, enum primitive_type type,
              const struct vg_part *part);

/* Properties of the earlier draws of a control-list thread, for the checks of errata HW-2781 and
 * HW-2885. Must be zero-initialised. */
struct vg_history {
    bool vg;       /* true if the latest primitives used a VG shader */
    bool varyings; /* true if the latest fragment shader had varyings */
};

/* Reports the errata that affect primitives with the given state and shader. */
void vg_check_errata(struct vg_history *history, const struct cl_state *state,
                     const struct shader_record *shader, struct fault_log *log);

#endif
