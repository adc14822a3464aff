// SPDX-License-Identifier: MIT
// A bool as uniform.
#version 100
attribute vec4 position;
attribute vec4 a;
attribute vec4 b;
uniform bool p;
uniform bvec2 q;
varying vec4 v;

void main()
{
    v = p ? a : b;
    v.xy += vec2(q);
    if (!p && q.x)
        v.z = 7.0;
    gl_Position = position;
}
