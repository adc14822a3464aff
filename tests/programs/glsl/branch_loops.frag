// SPDX-License-Identifier: MIT
// A loop in each branch.
#version 100
precision highp float;
varying vec4 a;
varying vec4 b;
uniform float n;

void main()
{
    vec4 t = b;
    if (a.x > b.x) {
        for (float i = 0.0; i < n; i += 1.0)
            t = t * 0.5 + a;
    } else {
        for (float i = 0.0; i < n; i += 1.0)
            t = t * 0.25 - a;
    }
    gl_FragColor = t;
}
