// SPDX-License-Identifier: MIT
// exp() of each component.
#version 100
attribute vec4 position;
attribute vec4 a;
varying vec4 v;

void main()
{
    v = exp(a);
    gl_Position = position;
}
