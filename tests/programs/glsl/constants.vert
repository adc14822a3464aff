// SPDX-License-Identifier: MIT
// Constants of many values.
#version 100
attribute vec4 position;
attribute vec4 a;
varying vec4 v;

void main()
{
    v = a * vec4(0.25, -3.5, 1024.0, 0.0078125) + vec4(1.0, 0.5, -7.0, 3.140625);
    gl_Position = position;
}
