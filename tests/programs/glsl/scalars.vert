// SPDX-License-Identifier: MIT
// Operators with a scalar on either side.
#version 100
attribute vec4 position;
attribute vec4 a;
uniform float k;
varying vec4 v;
varying vec4 w;

void main()
{
    v = 2.0 * a + 1.0;
    w = (k - a) * k;
    gl_Position = position;
}
