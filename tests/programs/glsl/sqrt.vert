// SPDX-License-Identifier: MIT
// sqrt() of each component.
#version 100
attribute vec4 position;
attribute vec4 a;
varying vec4 v;

void main()
{
    v = sqrt(a);
    gl_Position = position;
}
