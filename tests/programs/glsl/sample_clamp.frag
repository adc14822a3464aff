// SPDX-License-Identifier: MIT
// Coordinates clamped to the edge.
#version 100
precision highp float;
varying vec2 uv;
uniform sampler2D nearest_clamp;

void main()
{
    gl_FragColor = texture2D(nearest_clamp, uv);
}
