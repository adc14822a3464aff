// SPDX-License-Identifier: MIT
// lessThan() and lessThanEqual().
#version 100
attribute vec4 position;
attribute vec4 a;
attribute vec4 b;
varying vec4 v;
varying vec4 w;

void main()
{
    v = vec4(lessThan(a, b));
    w = vec4(lessThanEqual(a, b));
    gl_Position = position;
}
