// SPDX-License-Identifier: MIT
// Swizzled operands.
#version 100
attribute vec4 position;
attribute vec4 a;
varying vec4 v;
varying vec4 w;

void main()
{
    v = a.wzyx - a.xxyy;
    w = vec4(a.zw, a.yx) * a.stpq;
    gl_Position = position;
}
