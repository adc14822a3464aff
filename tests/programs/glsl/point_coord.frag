// SPDX-License-Identifier: MIT
// The position within a point.
#version 100
precision highp float;
varying vec4 a;

void main()
{
    gl_FragColor = vec4(gl_PointCoord, a.xy);
}
