// SPDX-License-Identifier: MIT
// distance() of two, three and four components.
#version 100
attribute vec4 position;
attribute vec4 a;
attribute vec4 b;
varying vec4 v;

void main()
{
    v = vec4(distance(a.xy, b.xy), distance(a.xyz, b.xyz), distance(a, b), distance(a.w, b.w));
    gl_Position = position;
}
