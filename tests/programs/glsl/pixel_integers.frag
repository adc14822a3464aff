// SPDX-License-Identifier: MIT
// Arithmetic of integers.
#version 100
precision highp float;
varying vec4 a;

void main()
{
    int n = int(a.x * 8.0), m = int(a.y * 8.0);
    gl_FragColor = vec4(n + m, n * m - 3, n > m ? n : m, float(n) * 0.5);
}
