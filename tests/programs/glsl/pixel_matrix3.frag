// SPDX-License-Identifier: MIT
// A matrix of normals.
#version 100
precision highp float;
varying vec3 normal;
uniform mat3 m;

void main()
{
    gl_FragColor = vec4(m * normal, dot(normal, normal));
}
