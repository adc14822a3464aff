// SPDX-License-Identifier: MIT
// All inputs of a fragment shader.
#version 100
precision highp float;
varying vec4 a;

void main()
{
    gl_FragColor = vec4(gl_FragCoord.x, gl_FragCoord.z, gl_PointCoord.y, gl_FrontFacing ? 1.0 : -1.0) + a;
}
