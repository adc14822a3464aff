// SPDX-License-Identifier: MIT
// floor() of each component.
#version 100
attribute vec4 position;
attribute vec4 a;
varying vec4 v;

void main()
{
    v = floor(a);
    gl_Position = position;
}
