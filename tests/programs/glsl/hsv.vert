// SPDX-License-Identifier: MIT
// A colour computed from hue, saturation and value.
#version 100
attribute vec4 position;
attribute vec4 a;
varying vec4 v;

void main()
{
    vec3 p = abs(fract(a.xxx + vec3(1.0, 0.625, 0.3125)) * 6.0 - 3.0);
    v = vec4(a.z * mix(vec3(1.0), clamp(p - 1.0, 0.0, 1.0), a.y), 1.0);
    gl_Position = position;
}
