// SPDX-License-Identifier: MIT
// ?: on scalars and vectors.
#version 100
attribute vec4 position;
attribute vec4 a;
attribute vec4 b;
varying vec4 v;
varying vec4 w;

void main()
{
    v = a.x < b.x ? a : b;
    w = vec4(a.y > 0.0 ? a.z : b.z, a.z > b.w ? 1.0 : a.w < 0.0 ? 2.0 : 3.0, b.x != 0.0 ? b.y : a.y, 4.0);
    gl_Position = position;
}
