// SPDX-License-Identifier: MIT
// A loop whose length differs from pixel to pixel.
#version 100
precision highp float;
varying vec4 a;
varying vec4 b;

void main()
{
    vec4 t = a;
    for (float i = 0.0; i < b.x; i += 1.0)
        t = t * 0.5 + b;
    gl_FragColor = t;
}
