// SPDX-License-Identifier: MIT
// Varyings of all sizes.
#version 100
attribute vec4 position;
attribute vec4 a;
attribute vec4 b;
varying float s;
varying vec2 t;
varying vec3 u;
varying vec4 v;

void main()
{
    s = a.x * b.x;
    t = a.yz + b.yz;
    u = a.xyz * 3.0;
    v = b;
    gl_Position = position;
}
