// SPDX-License-Identifier: MIT
// Model, view and projection, and a texture coordinate.
#version 100
attribute vec4 position;
attribute vec2 coordinate;
uniform mat4 mvp;
varying vec2 uv;

void main()
{
    uv = coordinate;
    gl_Position = mvp * position;
}
