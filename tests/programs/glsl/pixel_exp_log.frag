// SPDX-License-Identifier: MIT
// 2 to a power, and logarithms.
#version 100
precision highp float;
varying vec4 a;

void main()
{
    gl_FragColor = vec4(exp2(a.x), log2(abs(a.y) + 0.5), exp(a.z), log(abs(a.w) + 0.25));
}
