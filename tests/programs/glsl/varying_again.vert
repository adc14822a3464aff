// SPDX-License-Identifier: MIT
// A varying that is read and written again.
#version 100
attribute vec4 position;
attribute vec4 a;
attribute vec4 b;
varying vec4 v;

void main()
{
    v = a;
    v.x += b.x;
    v *= 0.5;
    v.w = v.x;
    gl_Position = position;
}
