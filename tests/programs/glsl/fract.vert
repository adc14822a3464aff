// SPDX-License-Identifier: MIT
// fract() of each component.
#version 100
attribute vec4 position;
attribute vec4 a;
varying vec4 v;

void main()
{
    v = fract(a);
    gl_Position = position;
}
