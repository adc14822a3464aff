// SPDX-License-Identifier: MIT
// Two discards with different conditions.
#version 100
precision highp float;
varying vec4 a;
varying vec4 b;

void main()
{
    vec4 t = a * b;
    if (t.x > 0.25)
        discard;
    t += b;
    if (t.y < -0.5)
        discard;
    gl_FragColor = t;
}
