// SPDX-License-Identifier: MIT
// mod() by a vector and by a scalar.
#version 100
attribute vec4 position;
attribute vec4 a;
attribute vec4 b;
varying vec4 v;
varying vec4 w;

void main()
{
    v = mod(a, b);
    w = mod(a, 0.75);
    gl_Position = position;
}
