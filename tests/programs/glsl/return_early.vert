// SPDX-License-Identifier: MIT
// A return in the middle of a function.
#version 100
attribute vec4 position;
attribute vec4 a;
varying vec4 v;

float root(float x)
{
    if (x < 0.0)
        return -1.0;
    return sqrt(x);
}

void main()
{
    v = vec4(root(a.x), root(a.y), root(a.z), root(a.w));
    gl_Position = position;
}
