// SPDX-License-Identifier: MIT
// == and != of scalars and vectors.
#version 100
attribute vec4 position;
attribute vec4 a;
attribute vec4 b;
varying vec4 v;

void main()
{
    v = vec4(float(a.x == b.x), float(a.y != b.y), float(a.xy == b.xy), float(a.zw != b.zw));
    gl_Position = position;
}
