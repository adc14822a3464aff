// SPDX-License-Identifier: MIT
// gl_PointSize, within and beyond its bounds.
#version 100
attribute vec4 position;
attribute vec4 a;
varying vec4 v;

void main()
{
    v = a;
    gl_PointSize = a.x;
    gl_Position = position;
}
