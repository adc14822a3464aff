// SPDX-License-Identifier: MIT
// log2() of each component.
#version 100
attribute vec4 position;
attribute vec4 a;
varying vec4 v;

void main()
{
    v = log2(a);
    gl_Position = position;
}
