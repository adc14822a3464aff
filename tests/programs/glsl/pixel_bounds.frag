// SPDX-License-Identifier: MIT
// The least, the greatest, without signs.
#version 100
precision highp float;
varying vec4 a;
varying vec4 b;

void main()
{
    gl_FragColor = min(a, b) * 2.0 + max(abs(a), b);
}
