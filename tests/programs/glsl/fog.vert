// SPDX-License-Identifier: MIT
// Fog that grows with the square of the distance.
#version 100
attribute vec4 position;
uniform mat4 view;
uniform vec2 fog;
varying float mist;

void main()
{
    vec4 place = view * position;
    float d = place.z * fog.x;
    mist = clamp(exp(-d * d), fog.y, 1.0);
    gl_Position = place;
}
