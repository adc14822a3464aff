// SPDX-License-Identifier: MIT
// One colour.
#version 100
precision highp float;
uniform vec4 k;

void main()
{
    gl_FragColor = k;
}
