// SPDX-License-Identifier: MIT
// A texture's nearest texel, repeated.
#version 100
precision highp float;
varying vec2 uv;
uniform sampler2D nearest;

void main()
{
    gl_FragColor = texture2D(nearest, uv);
}
