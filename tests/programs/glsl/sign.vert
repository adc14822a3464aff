// SPDX-License-Identifier: MIT
// sign() of each component.
#version 100
attribute vec4 position;
attribute vec4 a;
varying vec4 v;

void main()
{
    v = sign(a);
    gl_Position = position;
}
