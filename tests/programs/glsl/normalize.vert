// SPDX-License-Identifier: MIT
// normalize() of three and four components.
#version 100
attribute vec4 position;
attribute vec4 a;
varying vec4 v;
varying vec4 w;

void main()
{
    v = normalize(a);
    w = vec4(normalize(a.xyz), 0.0);
    gl_Position = position;
}
