// SPDX-License-Identifier: MIT
// dot() of two, three and four components.
#version 100
attribute vec4 position;
attribute vec4 a;
attribute vec4 b;
varying vec4 v;

void main()
{
    v = vec4(dot(a.xy, b.xy), dot(a.xyz, b.xyz), dot(a, b), dot(a.w, b.w));
    gl_Position = position;
}
