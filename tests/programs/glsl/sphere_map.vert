// SPDX-License-Identifier: MIT
// Texture coordinates of a mirroring surface.
#version 100
attribute vec4 position;
attribute vec3 normal;
varying vec2 uv;

void main()
{
    vec3 r = reflect(normalize(position.xyz), normalize(normal));
    float m = 2.0 * sqrt(r.x * r.x + r.y * r.y + (r.z + 1.0) * (r.z + 1.0));
    uv = r.xy / m + 0.5;
    gl_Position = position;
}
