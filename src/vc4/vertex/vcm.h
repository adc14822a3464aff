/* SPDX-License-Identifier: MIT */
/* vcm.h - Vertex Cache Manager: shaded vertices for the binner and the renderer, and primitive
 * assembly.
 *
 * In:  a shader record and vertex indices.
 * Out: shaded vertices (struct vertex). In NV mode, vertices are already shaded and are fetched
 *      from memory (manual figure 12). */
#ifndef VC4_VERTEX_VCM_H
#define VC4_VERTEX_VCM_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/state/state.h"
#include "vc4/state/vertex.h"

/* Fetches the vertex with the given index. If with_varyings is false (binning), .varying is not
 * written. If the vertex is not mapped or has too many varyings, reports a finding and returns
 * false. If the stride is too small, reports a finding and continues. */
bool vcm_fetch_nv(struct vertex *vertex, const struct shader_record *record,
                  const struct cl_state *state, struct bus *bus, uint32_t index,
                  bool with_varyings);

/* Returns the type of a mode's primitives. */
enum primitive_type vcm_mode_type(enum primitive_mode mode);

/* Returns the number of primitives that count vertices form. An incomplete primitive at the end is
 * not counted. */
uint32_t vcm_primitive_count(enum primitive_mode mode, uint32_t count);

/* Sets the positions (0..count-1) of primitive n's vertices in the vertex list. The provoking
 * vertex is the last one. In a strip, the first two vertices of every second triangle are swapped,
 * so that all triangles have the same facing. Returns the number of vertices, 1 to 3. */
unsigned vcm_primitive_vertices(enum primitive_mode mode, uint32_t count, uint32_t n,
                                uint32_t position[3]);

#endif
