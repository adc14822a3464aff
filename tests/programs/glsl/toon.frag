// SPDX-License-Identifier: MIT
// Lighting in four steps.
#version 100
precision highp float;
varying vec3 normal;
uniform vec3 light;

void main()
{
    float t = dot(normal, light);
    gl_FragColor = t > 0.75 ? vec4(1.0, 0.5, 0.5, 1.0) : t > 0.5 ? vec4(0.5, 0.25, 0.25, 1.0)
                   : t > 0.0 ? vec4(0.25, 0.125, 0.125, 1.0) : vec4(0.0, 0.0, 0.0, 1.0);
}
