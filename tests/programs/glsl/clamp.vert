// SPDX-License-Identifier: MIT
// clamp() to constants, to uniforms and to attributes.
#version 100
attribute vec4 position;
attribute vec4 a;
attribute vec4 b;
uniform float low, high;
varying vec4 v;
varying vec4 w;
varying vec4 x;

void main()
{
    v = clamp(a, -1.0, 0.5);
    w = clamp(a, low, high);
    x = clamp(a, b, b + 1.0);
    gl_Position = position;
}
