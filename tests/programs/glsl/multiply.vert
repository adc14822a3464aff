// SPDX-License-Identifier: MIT
// * of two vectors, and the sign.
#version 100
attribute vec4 position;
attribute vec4 a;
attribute vec4 b;
varying vec4 v;
varying vec4 w;

void main()
{
    v = a * b;
    w = -a;
    gl_Position = position;
}
