// SPDX-License-Identifier: MIT
// mat2: times a vector from either side.
#version 100
attribute vec4 position;
attribute vec4 a;
uniform mat2 m;
varying vec4 v;

void main()
{
    v = vec4(m * a.xy, a.zw * m);
    gl_Position = position;
}
