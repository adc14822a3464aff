# SPDX-License-Identifier: MIT
# The shaders and the vertices of the scene spinning-teapot, for the kernel.
.include <vc4.qinc>

.global coordinate_shader
.global vertex_shader
.global fragment_shader
.global fragment_uniforms
.align 16
.include "../../vc4/spinning-teapot/shaders.qinc"

.global vertices
.global indices
.global counts
.align 16
counts:
    .int VERTICES, TRIANGLES
.include "../../vc4/spinning-teapot/teapot.qinc"
