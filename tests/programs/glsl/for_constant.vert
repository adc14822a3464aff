// SPDX-License-Identifier: MIT
// A for loop of constant length.
#version 100
attribute vec4 position;
attribute vec4 a;
varying vec4 v;

void main()
{
    vec4 t = vec4(1.0);
    for (int i = 0; i < 5; i++)
        t = t * a + float(i);
    v = t;
    gl_Position = position;
}
