// SPDX-License-Identifier: MIT
// An array of uniforms in a loop.
#version 100
precision highp float;
varying vec4 a;
uniform vec4 k[6];

void main()
{
    vec4 t = a;
    for (int i = 0; i < 6; i++)
        t = t * 0.5 + k[i];
    gl_FragColor = t;
}
