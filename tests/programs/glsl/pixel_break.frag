// SPDX-License-Identifier: MIT
// A loop that ends early.
#version 100
precision highp float;
varying vec4 a;
uniform float n;

void main()
{
    float t = a.x, steps = 0.0;
    for (float i = 0.0; i < n; i += 1.0) {
        t = t * 1.5 + a.y;
        if (t > 2.0)
            break;
        steps += 1.0;
    }
    gl_FragColor = vec4(t, steps, a.zw);
}
