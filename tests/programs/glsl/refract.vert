// SPDX-License-Identifier: MIT
// refract() at a normal, with total reflection.
#version 100
attribute vec4 position;
attribute vec4 a;
attribute vec4 b;
varying vec4 v;

void main()
{
    v = vec4(refract(normalize(a.xyz), normalize(b.xyz), 1.3), 1.0);
    gl_Position = position;
}
