// SPDX-License-Identifier: MIT
// A local array, written and read with constant indices.
#version 100
attribute vec4 position;
attribute vec4 a;
attribute vec4 b;
varying vec4 v;

void main()
{
    vec4 t[4];
    t[0] = a;
    t[1] = b;
    t[2] = t[0] + t[1];
    t[3] = t[2] * t[1];
    v = t[3] - t[2];
    gl_Position = position;
}
