// SPDX-License-Identifier: MIT
// smoothstep() between vectors and between scalars.
#version 100
attribute vec4 position;
attribute vec4 a;
attribute vec4 b;
varying vec4 v;
varying vec4 w;

void main()
{
    v = smoothstep(b, b + 2.0, a);
    w = smoothstep(-0.5, 0.75, a);
    gl_Position = position;
}
