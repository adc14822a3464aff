// SPDX-License-Identifier: MIT
// A round point.
#version 100
precision highp float;
varying vec4 a;

void main()
{
    vec2 d = gl_PointCoord - 0.5;
    if (dot(d, d) > 0.25)
        discard;
    gl_FragColor = a * (1.0 - 4.0 * dot(d, d));
}
