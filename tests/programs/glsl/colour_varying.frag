// SPDX-License-Identifier: MIT
// A colour from a varying.
#version 100
precision highp float;
varying vec4 a;

void main()
{
    gl_FragColor = a;
}
