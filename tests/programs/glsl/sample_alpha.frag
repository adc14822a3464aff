// SPDX-License-Identifier: MIT
// A texture with alpha only.
#version 100
precision highp float;
varying vec2 uv;
uniform sampler2D nearest_alpha;

void main()
{
    gl_FragColor = texture2D(nearest_alpha, uv);
}
