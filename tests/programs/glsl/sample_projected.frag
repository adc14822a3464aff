// SPDX-License-Identifier: MIT
// Coordinates divided by the last component.
#version 100
precision highp float;
varying vec3 uvw;
uniform sampler2D nearest;

void main()
{
    gl_FragColor = texture2DProj(nearest, uvw);
}
