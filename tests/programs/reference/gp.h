/* SPDX-License-Identifier: MIT */
/* gp.h - references of the programs of examples/utgard, from their GLSL, in float64. */
#ifndef PROGRAMS_REFERENCE_GP_H
#define PROGRAMS_REFERENCE_GP_H

#include "shader.h"

shader_reference gp_passthrough, gp_mvp, gp_lighting, gp_temporaries_loop, gp_point_size,
    gp_functions, gp_skinning, gp_if_else;

#endif
