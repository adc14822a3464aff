// SPDX-License-Identifier: MIT
// Swizzled targets.
#version 100
attribute vec4 position;
attribute vec4 a;
attribute vec4 b;
varying vec4 v;

void main()
{
    v.zx = a.xy;
    v.wy = b.rg * 2.0;
    gl_Position = position;
}
