// SPDX-License-Identifier: MIT
// pow() of each component.
#version 100
attribute vec4 position;
attribute vec4 a;
attribute vec4 b;
varying vec4 v;

void main()
{
    v = pow(a, b);
    gl_Position = position;
}
