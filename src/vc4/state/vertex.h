/* SPDX-License-Identifier: MIT */
/* vertex.h - a shaded vertex, on its way from the vertex pipeline to the binner or the renderer,
 * and the modes that assemble vertices to primitives. */
#ifndef VC4_STATE_VERTEX_H
#define VC4_STATE_VERTEX_H

#include <stdint.h>

enum { VERTEX_MAX_VARYINGS = 60 };

/* A shaded vertex. */
struct vertex {
    int32_t x, y;     /* position relative to the viewport centre, in 12.4 fixed-point pixels and in
                         int16 range */
    float z;          /* Zs, 0..1 */
    float inv_w;      /* 1/Wc */
    float point_size; /* in pixels; the value is from the vertex, or from record 98 if the vertex
                         has no point size */
    float clip[4];    /* Xc, Yc, Zc, Wc; zero if there is no clip header */
    float varying[VERTEX_MAX_VARYINGS];
};

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

#endif
