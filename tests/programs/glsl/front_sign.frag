// SPDX-License-Identifier: MIT
// A normal that is flipped towards the viewer.
#version 100
precision highp float;
varying vec4 a;

void main()
{
    gl_FragColor = gl_FrontFacing ? a : -a;
}
