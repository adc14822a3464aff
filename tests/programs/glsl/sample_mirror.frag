// SPDX-License-Identifier: MIT
// Mirrored at the edges.
#version 100
precision highp float;
varying vec2 uv;
uniform sampler2D nearest_mirror;

void main()
{
    gl_FragColor = texture2D(nearest_mirror, uv);
}
