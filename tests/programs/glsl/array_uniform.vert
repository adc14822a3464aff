// SPDX-License-Identifier: MIT
// An array of uniforms, with constant indices.
#version 100
attribute vec4 position;
attribute vec4 a;
uniform vec4 k[5];
varying vec4 v;

void main()
{
    v = a * k[0] + k[3] - k[4] * k[1];
    gl_Position = position;
}
