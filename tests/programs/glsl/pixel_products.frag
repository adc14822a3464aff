// SPDX-License-Identifier: MIT
// Products of vectors.
#version 100
precision highp float;
varying vec3 p;
varying vec3 q;

void main()
{
    gl_FragColor = vec4(cross(p, q), dot(p, q));
}
