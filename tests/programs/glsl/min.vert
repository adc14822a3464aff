// SPDX-License-Identifier: MIT
// min() with a vector and with a scalar.
#version 100
attribute vec4 position;
attribute vec4 a;
attribute vec4 b;
varying vec4 v;
varying vec4 w;

void main()
{
    v = min(a, b);
    w = min(a, 0.5);
    gl_Position = position;
}
