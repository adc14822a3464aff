// SPDX-License-Identifier: MIT
// Eight varyings, the minimum that the specification requires.
#version 100
precision highp float;
varying vec4 v0;
varying vec4 v1;
varying vec4 v2;
varying vec4 v3;
varying vec4 v4;
varying vec4 v5;
varying vec4 v6;
varying vec4 v7;

void main()
{
    gl_FragColor = v0 + v1 * v2 - v3 * v4 + v5 * v6 * v7;
}
