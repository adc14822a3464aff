// SPDX-License-Identifier: MIT
// A discard that depends on a uniform.
#version 100
precision highp float;
varying vec4 a;
uniform float limit;

void main()
{
    if (a.w > limit)
        discard;
    gl_FragColor = a * limit;
}
