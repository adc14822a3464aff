// SPDX-License-Identifier: MIT
// Square roots, a power, and a reciprocal.
#version 100
precision highp float;
varying vec4 a;

void main()
{
    gl_FragColor = vec4(sqrt(abs(a.x)), inversesqrt(abs(a.y) + 0.125), pow(abs(a.z) + 0.25, 2.5), 1.0 / (a.w + 3.0));
}
