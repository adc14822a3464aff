// SPDX-License-Identifier: MIT
// cross() of two vectors.
#version 100
attribute vec4 position;
attribute vec4 a;
attribute vec4 b;
varying vec4 v;

void main()
{
    v = vec4(cross(a.xyz, b.xyz), 1.0);
    gl_Position = position;
}
