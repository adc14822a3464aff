// SPDX-License-Identifier: MIT
// any(), all() and not().
#version 100
attribute vec4 position;
attribute vec4 a;
attribute vec4 b;
varying vec4 v;

void main()
{
    bvec4 p = lessThan(a, b);
    v = vec4(float(any(p)), float(all(p.xy)), float(all(not(p))), float(any(not(p.zw))));
    gl_Position = position;
}
