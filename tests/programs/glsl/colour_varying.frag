// SPDX-License-Identifier: MIT
// A colour of the vertices.
#version 100
precision highp float;
varying vec4 a;

void main()
{
    gl_FragColor = a;
}
