// SPDX-License-Identifier: MIT
// Different colours on front and back.
#version 100
precision highp float;
varying vec4 a;
varying vec4 b;

void main()
{
    gl_FragColor = gl_FrontFacing ? a : b;
}
