// SPDX-License-Identifier: MIT
// step() with a vector and with a scalar.
#version 100
attribute vec4 position;
attribute vec4 a;
attribute vec4 b;
varying vec4 v;
varying vec4 w;

void main()
{
    v = step(a, b);
    w = step(0.5, a);
    gl_Position = position;
}
