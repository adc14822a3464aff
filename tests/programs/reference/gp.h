/* SPDX-License-Identifier: MIT */
/* gp.h - what the programs of examples/utgard have to compute, from their GLSL, in float64. */
#ifndef PROGRAMS_REFERENCE_GP_H
#define PROGRAMS_REFERENCE_GP_H

#include "near.h"

enum { GP_MOST_INPUTS = 4, GP_MOST_ROWS = 64, GP_MOST_OUTPUTS = 4 };

/* One vertex: attributes and rows of uniforms in the order in which the program declares them. */
struct gp_vertex {
    float attributes[GP_MOST_INPUTS][4];
    const float (*rows)[4];
};

/* Sets the varyings, in the order in which the program declares them. */
typedef void gp_reference(const struct gp_vertex *vertex, struct near varyings[][4]);

gp_reference gp_passthrough, gp_mvp, gp_lighting, gp_temporaries_loop, gp_point_size, gp_functions,
    gp_skinning, gp_if_else;

#endif
