// SPDX-License-Identifier: MIT
// Two colours, one of them tinted.
#version 100
precision highp float;
varying vec4 a;
varying vec4 b;
uniform vec4 k;

void main()
{
    gl_FragColor = a + b * k;
}
