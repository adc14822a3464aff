// SPDX-License-Identifier: MIT
// Arithmetic of integers.
#version 100
attribute vec4 position;
attribute vec4 a;
uniform int n;
uniform ivec2 m;
varying vec4 v;

void main()
{
    int i = int(a.x), j = n * 3 - i;
    ivec2 p = m + ivec2(i, j) * 2;
    v = vec4(float(i), float(j), vec2(p));
    gl_Position = position;
}
