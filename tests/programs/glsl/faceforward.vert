// SPDX-License-Identifier: MIT
// faceforward() of three components.
#version 100
attribute vec4 position;
attribute vec4 a;
attribute vec4 b;
attribute vec4 c;
varying vec4 v;

void main()
{
    v = vec4(faceforward(a.xyz, b.xyz, c.xyz), 1.0);
    gl_Position = position;
}
