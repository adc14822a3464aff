// SPDX-License-Identifier: MIT
// A linear filter.
#version 100
precision highp float;
varying vec2 uv;
uniform sampler2D linear;

void main()
{
    gl_FragColor = texture2D(linear, uv);
}
