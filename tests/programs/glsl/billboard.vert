// SPDX-License-Identifier: MIT
// A square that faces the viewer.
#version 100
attribute vec4 position;
attribute vec2 corner;
uniform mat4 view;
uniform vec2 size;
varying vec2 uv;

void main()
{
    uv = corner * 0.5 + 0.5;
    vec4 centre = view * position;
    gl_Position = centre + vec4(corner * size, 0.0, 0.0);
}
