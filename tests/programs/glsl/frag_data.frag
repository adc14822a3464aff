// SPDX-License-Identifier: MIT
// gl_FragData.
#version 100
precision highp float;
varying vec4 a;

void main()
{
    gl_FragData[0] = a * 2.0 - 1.0;
}
