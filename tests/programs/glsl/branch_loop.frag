// SPDX-License-Identifier: MIT
// A loop in one of two branches.
#version 100
precision highp float;
varying vec4 a;
varying vec4 b;
uniform float n;

void main()
{
    vec4 t = b;
    if (a.x > 0.0) {
        for (float i = 0.0; i < n; i += 1.0)
            t = t * 0.5 + a;
    } else {
        t = a - b;
    }
    gl_FragColor = t;
}
