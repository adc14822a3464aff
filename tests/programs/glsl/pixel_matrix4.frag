// SPDX-License-Identifier: MIT
// A matrix for colours.
#version 100
precision highp float;
varying vec4 a;
uniform mat4 m;

void main()
{
    gl_FragColor = m * a;
}
