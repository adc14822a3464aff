// SPDX-License-Identifier: MIT
// A power of each colour.
#version 100
precision highp float;
varying vec4 a;

void main()
{
    gl_FragColor = vec4(pow(abs(a.rgb) + 0.0625, vec3(0.4545)), a.a);
}
