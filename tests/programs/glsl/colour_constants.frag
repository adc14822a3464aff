// SPDX-License-Identifier: MIT
// Constants, one of which is used unchanged in the colour.
#version 100
precision highp float;
varying vec4 a;

void main()
{
    gl_FragColor = vec4(a.x * 0.5, 0.25, a.y + 3.0, 1.0);
}
