// SPDX-License-Identifier: MIT
// / of two vectors, and of a vector and a scalar.
#version 100
attribute vec4 position;
attribute vec4 a;
attribute vec4 b;
varying vec4 v;
varying vec4 w;

void main()
{
    v = a / b;
    w = a / b.x;
    gl_Position = position;
}
