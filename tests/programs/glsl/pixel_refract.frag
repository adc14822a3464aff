// SPDX-License-Identifier: MIT
// refract().
#version 100
precision highp float;
varying vec3 p;
varying vec3 q;

void main()
{
    gl_FragColor = vec4(reflect(p, normalize(q)), 1.0) + vec4(refract(normalize(p), normalize(q), 0.625), 0.0);
}
