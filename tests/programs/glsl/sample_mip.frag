// SPDX-License-Identifier: MIT
// The level selected by the distance of coordinates.
#version 100
precision highp float;
varying vec2 uv;
uniform sampler2D nearest_mip;

void main()
{
    gl_FragColor = texture2D(nearest_mip, uv);
}
