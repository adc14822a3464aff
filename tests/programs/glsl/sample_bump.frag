// SPDX-License-Identifier: MIT
// Lighting with a normal from a texture.
#version 100
precision highp float;
varying vec2 uv;
uniform sampler2D nearest;
uniform vec3 light;

void main()
{
    vec3 n = normalize(texture2D(nearest, uv).xyz * 2.0 - 1.0625);
    gl_FragColor = vec4(vec3(max(dot(n, light), 0.0)), 1.0);
}
