// SPDX-License-Identifier: MIT
// Leaves out a half.
#version 100
precision highp float;
varying vec4 a;

void main()
{
    if (a.x < 0.0)
        discard;
    gl_FragColor = a;
}
