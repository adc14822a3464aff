// SPDX-License-Identifier: MIT
// Squares of four pixels.
#version 100
precision highp float;
uniform vec4 k;
uniform vec4 l;

void main()
{
    vec2 square = floor(gl_FragCoord.xy * 0.25);
    gl_FragColor = mod(square.x + square.y, 2.0) < 1.0 ? k : l;
}
