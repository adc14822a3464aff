// SPDX-License-Identifier: MIT
// min(), max() and abs().
#version 100
precision highp float;
varying vec4 a;
varying vec4 b;

void main()
{
    gl_FragColor = min(a, b) * 2.0 + max(abs(a), b);
}
