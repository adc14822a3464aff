// SPDX-License-Identifier: MIT
// atan() of two operands.
#version 100
attribute vec4 position;
attribute vec4 a;
attribute vec4 b;
varying vec4 v;

void main()
{
    v = atan(a, b);
    gl_Position = position;
}
