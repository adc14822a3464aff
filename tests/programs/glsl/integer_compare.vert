// SPDX-License-Identifier: MIT
// Comparisons of integers.
#version 100
attribute vec4 position;
attribute vec4 a;
uniform int n;
varying vec4 v;

void main()
{
    int i = int(a.x);
    v = vec4(float(i < n), float(i == n), float(i != 2), i >= n ? 5.0 : 6.0);
    gl_Position = position;
}
