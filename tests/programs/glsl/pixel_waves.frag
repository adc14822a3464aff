// SPDX-License-Identifier: MIT
// Sine and cosine.
#version 100
precision highp float;
varying vec4 a;

void main()
{
    gl_FragColor = vec4(sin(a.x), cos(a.y), sin(a.z) * cos(a.z), sin(a.w * 4.0));
}
