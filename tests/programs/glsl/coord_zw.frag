// SPDX-License-Identifier: MIT
// Depth, and 1/w.
#version 100
precision highp float;
varying vec4 a;

void main()
{
    gl_FragColor = gl_FragCoord + a;
}
