// SPDX-License-Identifier: MIT
// Turned in the plane.
#version 100
precision highp float;
varying vec2 p;
uniform mat2 m;

void main()
{
    gl_FragColor = vec4(m * p, p * m);
}
