// SPDX-License-Identifier: MIT
// mat3: times a vector from either side.
#version 100
attribute vec4 position;
attribute vec4 a;
uniform mat3 m;
varying vec4 v;
varying vec4 w;

void main()
{
    v = vec4(m * a.xyz, 1.0);
    w = vec4(a.xyz * m, 0.0);
    gl_Position = position;
}
