// SPDX-License-Identifier: MIT
// mix() by a vector, by a scalar and by a constant.
#version 100
attribute vec4 position;
attribute vec4 a;
attribute vec4 b;
attribute vec4 c;
varying vec4 v;
varying vec4 w;
varying vec4 x;

void main()
{
    v = mix(a, b, c);
    w = mix(a, b, c.x);
    x = mix(a, b, 0.25);
    gl_Position = position;
}
