/* SPDX-License-Identifier: MIT */
/* vcm.h - Vertex Cache Manager: shaded vertices for the binner and the renderer, and primitive assembly.
 *
 * In:  a shader record and vertex indices.
 * Out: struct vertex. In NV mode they are fetched from memory as they are (manual figure 12). */
#ifndef VC4_VCM_H
#define VC4_VCM_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/state.h"

enum { VERTEX_MAX_VARYINGS = 60 };

/* A shaded vertex. */
struct vertex {
    int32_t x, y;     /* 12.4 pixels, relative to the viewport centre, as stored (int16 range) */
    float z;          /* Zs, 0..1 */
    float inv_w;      /* 1/Wc */
    float point_size; /* from the vertex or from record 98, pixels */
    float clip[4];    /* Xc, Yc, Zc, Wc; zero without a clip header */
    float varying[VERTEX_MAX_VARYINGS];
};

/* Fetches the vertex with this index. with_varyings = false leaves .varying alone (binning). False, with
 * a finding, when its memory is not mapped or the record's stride is too small for its contents. */
bool vcm_fetch_nv(struct vertex *vertex, const struct shader_record *record,
                  const struct cl_state *state, struct bus *bus, uint32_t index,
                  bool with_varyings);

/* Primitive modes of records 32 and 33. */
enum primitive_mode {
    MODE_POINTS,
    MODE_LINES,
    MODE_LINE_LOOP,
    MODE_LINE_STRIP,
    MODE_TRIANGLES,
    MODE_TRIANGLE_STRIP,
    MODE_TRIANGLE_FAN,
    MODE_COUNT,
};

/* The type of a mode's primitives. */
enum primitive_type vcm_mode_type(enum primitive_mode mode);

/* How many primitives count vertices make; trailing incomplete ones are dropped. */
uint32_t vcm_primitive_count(enum primitive_mode mode, uint32_t count);

/* Positions (0..count-1) in the vertex list of primitive n's vertices, last one provoking. Odd triangles
 * of a strip swap their first two, so that facing is constant. Returns 1, 2 or 3. */
unsigned vcm_primitive_vertices(enum primitive_mode mode, uint32_t count, uint32_t n,
                                uint32_t position[3]);

#endif
