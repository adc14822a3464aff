// SPDX-License-Identifier: MIT
// A wave that runs over a plane, with its normal.
#version 100
attribute vec4 position;
uniform vec4 wave;
varying vec3 normal;

void main()
{
    float phase = dot(position.xz, wave.xy) + wave.w;
    float height = sin(phase) * wave.z, slope = cos(phase) * wave.z;
    normal = normalize(vec3(-slope * wave.x, 1.0, -slope * wave.y));
    gl_Position = vec4(position.x, position.y + height, position.zw);
}
