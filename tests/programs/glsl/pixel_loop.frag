// SPDX-License-Identifier: MIT
// A loop of fixed length.
#version 100
precision highp float;
varying vec4 a;

void main()
{
    vec4 t = vec4(0.0);
    for (int i = 0; i < 5; i++)
        t = t * a + float(i);
    gl_FragColor = t;
}
