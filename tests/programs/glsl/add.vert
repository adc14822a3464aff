// SPDX-License-Identifier: MIT
// + and - of two vectors.
#version 100
attribute vec4 position;
attribute vec4 a;
attribute vec4 b;
varying vec4 v;
varying vec4 w;

void main()
{
    v = a + b;
    w = a - b;
    gl_Position = position;
}
