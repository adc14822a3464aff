// SPDX-License-Identifier: MIT
// Discards one half.
#version 100
precision highp float;
varying vec4 a;

void main()
{
    if (a.x < 0.0)
        discard;
    gl_FragColor = a;
}
