// SPDX-License-Identifier: MIT
// radians() and degrees().
#version 100
attribute vec4 position;
attribute vec4 a;
varying vec4 v;
varying vec4 w;

void main()
{
    v = radians(a);
    w = degrees(a);
    gl_Position = position;
}
