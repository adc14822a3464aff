// SPDX-License-Identifier: MIT
// Columns and single elements of a matrix, read and written.
#version 100
attribute vec4 position;
attribute vec4 a;
uniform mat4 m;
varying vec4 v;
varying vec4 w;

void main()
{
    mat3 p = mat3(m[0].xyz, m[1].xyz, m[2].xyz);
    p[1].z = a.w;
    p[2].xy = a.zw;
    v = vec4(p * a.xyz, m[3].z);
    w = vec4(m[0].y, m[1].x, m[2].w, p[2].x);
    gl_Position = position;
}
