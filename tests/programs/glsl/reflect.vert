// SPDX-License-Identifier: MIT
// reflect() at a normal.
#version 100
attribute vec4 position;
attribute vec4 a;
attribute vec4 b;
varying vec4 v;

void main()
{
    v = vec4(reflect(a.xyz, normalize(b.xyz)), 1.0);
    gl_Position = position;
}
