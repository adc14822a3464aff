// SPDX-License-Identifier: MIT
// A texture multiplied by a colour.
#version 100
precision highp float;
varying vec2 uv;
uniform sampler2D nearest;
uniform vec4 k;

void main()
{
    gl_FragColor = texture2D(nearest, uv).bgra * k;
}
