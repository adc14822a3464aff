// SPDX-License-Identifier: MIT
// A linear filter with coordinates clamped to the edge.
#version 100
precision highp float;
varying vec2 uv;
uniform sampler2D linear_clamp;

void main()
{
    gl_FragColor = texture2D(linear_clamp, uv);
}
