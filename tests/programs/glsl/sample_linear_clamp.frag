// SPDX-License-Identifier: MIT
// Between four texels, not beyond the edge.
#version 100
precision highp float;
varying vec2 uv;
uniform sampler2D linear_clamp;

void main()
{
    gl_FragColor = texture2D(linear_clamp, uv);
}
