// SPDX-License-Identifier: MIT
// Functions with in, out and inout parameters, and two overloaded functions.
#version 100
attribute vec4 position;
attribute vec4 a;
attribute vec4 b;
varying vec4 v;
varying vec4 w;

void turn(inout vec4 t, out float sum)
{
    t = t.yzwx;
    sum = t.x + t.y;
}

float twice(in float x)
{
    return x + x;
}

vec4 twice(in vec4 x)
{
    return x * 2.0;
}

void main()
{
    vec4 t = a;
    float sum;
    turn(t, sum);
    v = twice(t) + b;
    w = vec4(twice(sum), t.xyz);
    gl_Position = position;
}
