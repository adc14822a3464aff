// SPDX-License-Identifier: MIT
// equal() and notEqual().
#version 100
attribute vec4 position;
attribute vec4 a;
attribute vec4 b;
varying vec4 v;
varying vec4 w;

void main()
{
    v = vec4(equal(a, b));
    w = vec4(notEqual(a, b));
    gl_Position = position;
}
