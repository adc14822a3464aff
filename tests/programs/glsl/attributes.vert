// SPDX-License-Identifier: MIT
// The hardware's maximum number of attributes.
#version 100
attribute vec4 position;
attribute vec4 a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14;
varying vec4 v;

void main()
{
    v = a0 - a1 + a2 - a3 + a4 - a5 + a6 - a7 + a8 - a9 + a10 - a11 + a12 - a13 + a14;
    gl_Position = position;
}
