// SPDX-License-Identifier: MIT
// Branches without a loop.
#version 100
precision highp float;
varying vec4 a;
varying vec4 b;

void main()
{
    vec4 t;
    if (a.x > 0.0) {
        t = a * a + b;
        if (a.y < b.y)
            t = t.wzyx;
    } else if (a.z > 0.0) {
        t = a - b * 2.0;
    } else {
        t = vec4(dot(a, b), a.xyz);
    }
    gl_FragColor = t;
}
