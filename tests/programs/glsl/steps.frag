// SPDX-License-Identifier: MIT
// Edges, hard and soft.
#version 100
precision highp float;
varying vec4 a;
varying vec4 b;

void main()
{
    gl_FragColor = step(a, b) * 2.0 + smoothstep(-0.5, 0.75, a);
}
