// SPDX-License-Identifier: MIT
// mat4: a vector times a matrix, which is the transposed matrix times the vector.
#version 100
attribute vec4 position;
attribute vec4 a;
uniform mat4 m;
varying vec4 v;

void main()
{
    v = a * m;
    gl_Position = position;
}
