// SPDX-License-Identifier: MIT
// Copies an attribute.
#version 100
attribute vec4 position;
attribute vec4 a;
varying vec4 v;

void main()
{
    v = a;
    gl_Position = position;
}
