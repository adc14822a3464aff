// SPDX-License-Identifier: MIT
// atan() of each component.
#version 100
attribute vec4 position;
attribute vec4 a;
varying vec4 v;

void main()
{
    v = atan(a);
    gl_Position = position;
}
