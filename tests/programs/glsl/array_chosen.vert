// SPDX-License-Identifier: MIT
// An element of an array, selected by a uniform.
#version 100
attribute vec4 position;
attribute vec4 a;
uniform vec4 k[4];
uniform int n;
varying vec4 v;

void main()
{
    vec4 t = k[0];
    for (int i = 1; i < 4; i++)
        t = n == i ? k[i] : t;
    v = a + t;
    gl_Position = position;
}
