// SPDX-License-Identifier: MIT
// The driver's maximum number of varyings.
#version 100
attribute vec4 position;
attribute vec4 a;
attribute vec4 b;
varying vec4 v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10;

void main()
{
    v0 = a;
    v1 = b;
    v2 = a + b;
    v3 = a - b;
    v4 = a * b;
    v5 = a * 2.0;
    v6 = b.wzyx;
    v7 = a + 1.0;
    v8 = b * 0.5;
    v9 = -a;
    v10 = a + b.x;
    gl_Position = position;
}
