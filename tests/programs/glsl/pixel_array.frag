// SPDX-License-Identifier: MIT
// An array of uniforms.
#version 100
precision highp float;
varying vec4 a;
uniform vec4 k[6];

void main()
{
    gl_FragColor = a * k[0] + k[3] - k[5] * k[1];
}
