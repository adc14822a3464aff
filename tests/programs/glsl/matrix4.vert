// SPDX-License-Identifier: MIT
// mat4: times a vector.
#version 100
attribute vec4 position;
attribute vec4 a;
uniform mat4 m;
varying vec4 v;

void main()
{
    v = m * a;
    gl_Position = position;
}
