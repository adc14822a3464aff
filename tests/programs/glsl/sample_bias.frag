// SPDX-License-Identifier: MIT
// A bias that selects a smaller level.
#version 100
precision highp float;
varying vec2 uv;
uniform sampler2D nearest_mip;

void main()
{
    gl_FragColor = texture2D(nearest_mip, uv, 1.0);
}
