// SPDX-License-Identifier: MIT
// The product of two matrices times a vector.
#version 100
attribute vec4 position;
attribute vec4 a;
uniform mat4 m, n;
varying vec4 v;

void main()
{
    mat4 p = m * n;
    v = p * a;
    gl_Position = position;
}
