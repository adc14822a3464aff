/* SPDX-License-Identifier: MIT */
/* shader.h - shader records (sections "NV Shader State Record" and "GL Shader State Record" of the
 * "VideoCore IV 3D Architecture Reference Guide"). All addresses are bus addresses. */
#ifndef SHADER_H
#define SHADER_H

#include <stdint.h>

enum { SHADER_SINGLE_THREADED = 1 << 0, SHADER_CLIPPING = 1 << 2 };

struct nv_shader {
    uint8_t flags, stride, uniforms, varyings;
    uint32_t code, uniforms_address, vertices;
} __attribute__((aligned(16)));

/* A shader that works on vertices: the vertex shader or the coordinate shader. */
struct vertex_stage {
    uint16_t uniforms;
    uint8_t arrays, bytes; /* bit n: reads array n; bytes of all attributes */
    uint32_t code, uniforms_address;
};

struct vertex_array {
    uint32_t address;
    uint8_t bytes_minus_1, stride, vertex_offset, coordinate_offset;
};

struct gl_shader {
    uint8_t flags, unused, uniforms, varyings;
    uint32_t code, uniforms_address;
    struct vertex_stage vertex, coordinate;
    struct vertex_array array[2];
} __attribute__((aligned(16)));

#endif
