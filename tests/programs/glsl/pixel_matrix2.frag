// SPDX-License-Identifier: MIT
// Rotation in the plane, by a mat2.
#version 100
precision highp float;
varying vec2 p;
uniform mat2 m;

void main()
{
    gl_FragColor = vec4(m * p, p * m);
}
