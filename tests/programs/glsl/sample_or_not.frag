// SPDX-License-Identifier: MIT
// A texture in one half, a colour in the other.
#version 100
precision highp float;
varying vec2 uv;
varying vec4 a;
uniform sampler2D nearest;

void main()
{
    gl_FragColor = a.x > 0.0 ? texture2D(nearest, uv) : a;
}
