// SPDX-License-Identifier: MIT
// The inverse of a 3x3 matrix by cofactors.
#version 100
attribute vec4 position;
uniform mat3 m;
attribute vec4 a;
varying vec4 v;

void main()
{
    vec3 p = cross(m[1], m[2]), q = cross(m[2], m[0]), r = cross(m[0], m[1]);
    float scale = 1.0 / dot(m[0], p);
    v = vec4(dot(p, a.xyz), dot(q, a.xyz), dot(r, a.xyz), 1.0) * scale;
    gl_Position = position;
}
