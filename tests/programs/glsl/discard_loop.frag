// SPDX-License-Identifier: MIT
// A discard within a loop.
#version 100
precision highp float;
varying vec4 a;
uniform float n;

void main()
{
    float t = a.x;
    for (float i = 0.0; i < n; i += 1.0) {
        t = t * 0.5 + a.y;
        if (t > 1.0)
            discard;
    }
    gl_FragColor = vec4(t, a.yzw);
}
