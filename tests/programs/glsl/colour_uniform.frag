// SPDX-License-Identifier: MIT
// One colour, from a uniform.
#version 100
precision highp float;
uniform vec4 k;

void main()
{
    gl_FragColor = k;
}
