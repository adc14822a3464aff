// SPDX-License-Identifier: MIT
// Four components in 16 bits.
#version 100
precision highp float;
varying vec2 uv;
uniform sampler2D nearest_4444;

void main()
{
    gl_FragColor = texture2D(nearest_4444, uv);
}
