// SPDX-License-Identifier: MIT
// A matrix constructed from three attributes.
#version 100
attribute vec4 position;
attribute vec3 m0, m1, m2;
attribute vec4 a;
varying vec4 v;

void main()
{
    mat3 m = mat3(m0, m1, m2);
    v = vec4(m * a.xyz, m[2].x);
    gl_Position = position;
}
