// SPDX-License-Identifier: MIT
// Branches within branches, with loops.
#version 100
precision highp float;
varying vec4 a;
varying vec4 b;
uniform float n;

void main()
{
    vec4 t = b;
    if (a.x > 0.0) {
        if (a.y > 0.0) {
            for (float i = 0.0; i < n; i += 1.0)
                t = t * 0.5 + a;
        } else {
            for (float i = 0.0; i < n; i += 1.0)
                t = t * 0.25 - b;
        }
        t += 1.0;
    } else {
        t = a * b;
    }
    gl_FragColor = t;
}
