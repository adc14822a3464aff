// SPDX-License-Identifier: MIT
// A point of a cubic curve with uniform control points.
#version 100
attribute vec4 position;
attribute vec4 a;
uniform vec4 p[4];
varying vec4 v;

void main()
{
    float t = a.x, s = 1.0 - t;
    v = p[0] * (s * s * s) + p[1] * (3.0 * s * s * t) + p[2] * (3.0 * s * t * t) + p[3] * (t * t * t);
    gl_Position = position;
}
