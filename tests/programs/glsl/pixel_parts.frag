// SPDX-License-Identifier: MIT
// floor(), ceil(), fract() and sign().
#version 100
precision highp float;
varying vec4 a;

void main()
{
    gl_FragColor = vec4(floor(a.x * 4.0), ceil(a.y * 4.0), fract(a.z * 4.0), sign(a.w));
}
