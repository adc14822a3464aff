// SPDX-License-Identifier: MIT
// Moves from one shape to another, smoothly.
#version 100
attribute vec4 position;
attribute vec4 target;
uniform float time;
varying vec4 v;

void main()
{
    float t = smoothstep(0.0, 1.0, time);
    v = mix(position, target, t);
    gl_Position = mix(position, target, t);
}
