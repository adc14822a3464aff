// SPDX-License-Identifier: MIT
// Four components in 16 bits, one of a single bit.
#version 100
precision highp float;
varying vec2 uv;
uniform sampler2D nearest_5551;

void main()
{
    gl_FragColor = texture2D(nearest_5551, uv);
}
