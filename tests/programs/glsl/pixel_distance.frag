// SPDX-License-Identifier: MIT
// length() and distance().
#version 100
precision highp float;
varying vec3 p;
varying vec3 q;

void main()
{
    gl_FragColor = vec4(length(p), distance(p, q), length(p.xy), length(q.x));
}
