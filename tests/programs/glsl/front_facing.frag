// SPDX-License-Identifier: MIT
// Both sides.
#version 100
precision highp float;
varying vec4 a;
varying vec4 b;

void main()
{
    gl_FragColor = gl_FrontFacing ? a : b;
}
