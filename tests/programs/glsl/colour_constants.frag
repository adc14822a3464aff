// SPDX-License-Identifier: MIT
// Constants, of which one is in the colour as it is.
#version 100
precision highp float;
varying vec4 a;

void main()
{
    gl_FragColor = vec4(a.x * 0.5, 0.25, a.y + 3.0, 1.0);
}
