// SPDX-License-Identifier: MIT
// A matrix written to three varyings.
#version 100
attribute vec4 position;
attribute vec4 a;
attribute vec4 b;
varying vec3 m0, m1, m2;

void main()
{
    mat3 m = mat3(a.xyz, b.xyz, a.xyz * b.w);
    m0 = m[0];
    m1 = m[1];
    m2 = m[2];
    gl_Position = position;
}
