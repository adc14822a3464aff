// SPDX-License-Identifier: MIT
// Two bones, weighted.
#version 100
attribute vec4 position;
attribute vec2 weight;
uniform mat4 bone0, bone1;
varying vec4 v;

void main()
{
    vec4 t = (bone0 * position) * weight.x + (bone1 * position) * weight.y;
    v = t;
    gl_Position = t;
}
