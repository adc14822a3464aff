// SPDX-License-Identifier: MIT
// Every second pixel.
#version 100
precision highp float;
varying vec4 a;

void main()
{
    if (fract(gl_FragCoord.x * 0.5) > 0.5)
        discard;
    gl_FragColor = a;
}
