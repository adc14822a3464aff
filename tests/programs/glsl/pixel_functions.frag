// SPDX-License-Identifier: MIT
// Functions with inout and out parameters.
#version 100
precision highp float;
varying vec4 a;
varying vec4 b;

void swap(inout vec4 p, inout vec4 q)
{
    vec4 t = p;
    p = q;
    q = t;
}

float weigh(vec4 p, out vec4 rest)
{
    rest = p * 0.25;
    return p.x + p.y;
}

void main()
{
    vec4 p = a, q = b, rest;
    swap(p, q);
    float weight = weigh(p, rest);
    gl_FragColor = rest * weight - q;
}
