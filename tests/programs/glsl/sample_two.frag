// SPDX-License-Identifier: MIT
// Two textures.
#version 100
precision highp float;
varying vec2 uv;
uniform sampler2D nearest_one;
uniform sampler2D linear_two;

void main()
{
    gl_FragColor = texture2D(nearest_one, uv) * texture2D(linear_two, uv.yx);
}
