// SPDX-License-Identifier: MIT
// An if that is short enough for a selection.
#version 100
attribute vec4 position;
attribute vec4 a;
attribute vec4 b;
varying vec4 v;

void main()
{
    vec4 t = a;
    if (a.x > b.x)
        t = b * 2.0;
    v = t;
    gl_Position = position;
}
