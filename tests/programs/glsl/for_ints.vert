// SPDX-License-Identifier: MIT
// A for loop that counts integers down.
#version 100
attribute vec4 position;
attribute vec4 a;
uniform int n;
varying vec4 v;

void main()
{
    float t = a.x;
    for (int i = n; i > 0; i--)
        t = t * 0.5 + float(i);
    v = vec4(t);
    gl_Position = position;
}
