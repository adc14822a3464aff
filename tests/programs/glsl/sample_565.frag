// SPDX-License-Identifier: MIT
// Three components in 16 bits.
#version 100
precision highp float;
varying vec2 uv;
uniform sampler2D nearest_565;

void main()
{
    gl_FragColor = texture2D(nearest_565, uv);
}
