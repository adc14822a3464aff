// SPDX-License-Identifier: MIT
// A luminance texture.
#version 100
precision highp float;
varying vec2 uv;
uniform sampler2D nearest_luminance;

void main()
{
    gl_FragColor = texture2D(nearest_luminance, uv);
}
