// SPDX-License-Identifier: MIT
// Division of integers by powers of two.
#version 100
attribute vec4 position;
attribute vec4 a;
uniform int n;
varying vec4 v;

void main()
{
    int i = int(a.x);
    v = vec4(float(i / 4), float(n / 2), float(i - i / 8 * 8), float(-i / 2));
    gl_Position = position;
}
