// SPDX-License-Identifier: MIT
// Varyings of one component.
#version 100
precision highp float;
varying float p;
varying float q;
varying vec2 r;

void main()
{
    gl_FragColor = vec4(p, q, r) * p;
}
