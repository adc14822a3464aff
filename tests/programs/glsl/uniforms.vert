// SPDX-License-Identifier: MIT
// Multiplies and adds uniforms.
#version 100
attribute vec4 position;
attribute vec4 a;
uniform vec4 k, l;
varying vec4 v;

void main()
{
    v = a * k + l;
    gl_Position = position;
}
