// SPDX-License-Identifier: MIT
// sin() of each component.
#version 100
attribute vec4 position;
attribute vec4 a;
varying vec4 v;

void main()
{
    v = sin(a);
    gl_Position = position;
}
