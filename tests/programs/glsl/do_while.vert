// SPDX-License-Identifier: MIT
// A do while loop, which runs at least once.
#version 100
attribute vec4 position;
attribute vec4 a;
uniform float n;
varying vec4 v;

void main()
{
    float x = a.x, i = 0.0;
    do {
        x = x * 0.75 + a.y;
        i += 1.0;
    } while (i < n);
    v = vec4(x, i, a.zw);
    gl_Position = position;
}
