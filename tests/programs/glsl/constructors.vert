// SPDX-License-Identifier: MIT
// Vectors and matrices constructed from others.
#version 100
attribute vec4 position;
attribute vec4 a;
attribute vec4 b;
varying vec4 v;
varying vec4 w;

void main()
{
    mat2 m = mat2(a.xy, b.xy);
    vec3 t = vec3(b.z, a.zw);
    v = vec4(m[1], m[0]);
    w = vec4(t, 1.0) + vec4(0.5);
    gl_Position = position;
}
