// SPDX-License-Identifier: MIT
// clamp() to the range from 0 to 1.
#version 100
precision highp float;
varying vec4 a;
varying vec4 b;

void main()
{
    gl_FragColor = clamp(a * b + 0.25, 0.0, 1.0);
}
