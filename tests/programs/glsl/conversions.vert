// SPDX-License-Identifier: MIT
// Conversions between bools, integers and floats.
#version 100
attribute vec4 position;
attribute vec4 a;
varying vec4 v;
varying vec4 w;

void main()
{
    bvec2 p = bvec2(a.xy);
    ivec4 q = ivec4(a);
    v = vec4(vec2(p), float(int(a.z > 0.0)), float(bool(q.w)));
    w = vec4(q);
    gl_Position = position;
}
