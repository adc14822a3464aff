// SPDX-License-Identifier: MIT
// ceil() of each component.
#version 100
attribute vec4 position;
attribute vec4 a;
varying vec4 v;

void main()
{
    v = ceil(a);
    gl_Position = position;
}
