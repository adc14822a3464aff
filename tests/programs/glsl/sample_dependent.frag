// SPDX-License-Identifier: MIT
// A dependent read: one texture contains the coordinates for another.
#version 100
precision highp float;
varying vec2 uv;
uniform sampler2D nearest_where;
uniform sampler2D nearest_what;

void main()
{
    gl_FragColor = texture2D(nearest_what, texture2D(nearest_where, uv).xy);
}
