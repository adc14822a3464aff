// SPDX-License-Identifier: MIT
// max() with a vector and with a scalar.
#version 100
attribute vec4 position;
attribute vec4 a;
attribute vec4 b;
varying vec4 v;
varying vec4 w;

void main()
{
    v = max(a, b);
    w = max(a, 0.5);
    gl_Position = position;
}
