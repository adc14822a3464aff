// SPDX-License-Identifier: MIT
// A linear filter, mirrored at the edges.
#version 100
precision highp float;
varying vec2 uv;
uniform sampler2D linear_mirror;

void main()
{
    gl_FragColor = texture2D(linear_mirror, uv);
}
