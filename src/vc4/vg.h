/* SPDX-License-Identifier: MIT */
/* vg.h - VG mode (manual sections 8 and 9): primitives whose vertices are x, y coordinates without
 * vertex shading: triangles, and right-hand trapezoids (RHTs), the area between an edge and a
 * vertical boundary.
 *
 * In:  coordinate lists (records 41 and 42) or compressed lists of coordinates; record 100.
 * Out: the shapes of primitives for the PTB; primitives for the FEP and the CAP. */
#ifndef VC4_VG_H
#define VC4_VG_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/bus.h"
#include "vc4/outline.h"
#include "vc4/pse.h"
#include "vc4/state.h"

/* Primitive types of records 41 and 42. */
enum vg_type {
    VG_RHTS = 1,
    VG_RHT_STRIP = 3,
    VG_TRIANGLES = 4,
    VG_TRIANGLE_STRIP = 5,
    VG_TRIANGLE_FAN = 6,
};

/* Codes in place of a triangle's third or an RHT's second coordinate. */
#define VG_END   UINT32_C(0xbfff0000)
#define VG_DUMMY UINT32_C(0xbfff0001)

enum { VG_MAX_PARTS = 2 };

/* Encodes a coordinate in the format of lists, in 1/16 pixel. */
static inline uint32_t vg_coordinate(int32_t x, int32_t y)
{
    return ((uint32_t)x & 0xffff) | (uint32_t)y << 16;
}

/* A coordinate list being read, and the state that a continued fan needs of the previous list. Must
 * be zero-initialised. */
struct vg_list {
    uint8_t type;      /* enum vg_type */
    bool counted;      /* record 41: .left coordinates remain; else the list ends with VG_END */
    bool flip;         /* strips: swap the next triangle's first two vertices */
    bool first;        /* no primitive has been read yet */
    uint32_t held;     /* number of vertices of the next primitive that earlier primitives have
                          already provided */
    uint32_t replaced; /* number of coordinates to replace by the previous list's vertices */
    uint32_t address;  /* address of the next coordinate */
    uint32_t left;
    uint32_t end; /* end of the control list, which limits inline lists */
    uint32_t vertex[3];
};

enum vg_item {
    VG_PRIMITIVE,
    VG_NOTHING, /* a dummy primitive */
    VG_LIST_END,
    VG_UNREADABLE, /* the list is not readable; a finding has been reported */
};

/* Starts the list of a record 41 or 42. data points to the bytes after the record's code. An inline
 * list begins at `address`; its control list ends at `end`. Returns false after a finding if the
 * type is reserved. */
bool vg_begin(struct vg_list *list, uint8_t record, const uint8_t *data, uint32_t address,
              uint32_t end, struct fault_log *log);

/* Reads the next primitive. xy receives its two or three coordinates, x | y << 16. */
enum vg_item vg_next(struct vg_list *list, struct bus *bus, uint32_t xy[3]);

/* Returns PRIMITIVE_TRIANGLE or PRIMITIVE_RHT. */
enum primitive_type vg_primitive_type(const struct vg_list *list);

/* One convex part of a primitive. */
struct vg_part {
    struct edge edge[OUTLINE_MAX_CORNERS];
    uint32_t edges;
    struct corner low, high; /* bounds */
    bool reverse;            /* reverse-facing */
};

/* Computes the visible parts of a primitive under the state's facing bits, RHT boundary and
 * viewport offset. Returns their number, 0 to 2. An RHT whose edge crosses the boundary has two. */
unsigned vg_parts(struct vg_part part[VG_MAX_PARTS], const struct cl_state *state,
                  enum primitive_type type, const uint32_t xy[3]);

/* Sets up a part for rendering: Zs 0.5, W 1, no varyings (manual section 9, id 41). */
void vg_setup(struct pse_primitive *out, const struct cl_state *state, enum primitive_type type,
              const struct vg_part *part);

/* The earlier draws of a control-list thread, for the errata HW-2781 and HW-2885. Must be
 * zero-initialised. */
struct vg_history {
    bool vg;       /* the latest primitives used a VG shader */
    bool varyings; /* the latest fragment shader had varyings */
};

/* Reports the errata that affect primitives with this state and shader. */
void vg_check_errata(struct vg_history *history, const struct cl_state *state,
                     const struct shader_record *shader, struct fault_log *log);

#endif
