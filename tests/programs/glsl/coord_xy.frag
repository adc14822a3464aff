// SPDX-License-Identifier: MIT
// The position in the window.
#version 100
precision highp float;
varying vec4 a;

void main()
{
    gl_FragColor = vec4(gl_FragCoord.xy, a.xy);
}
