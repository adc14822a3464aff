// SPDX-License-Identifier: MIT
// Samples in a loop, whose number is a uniform.
#version 100
precision highp float;
varying vec2 uv;
uniform sampler2D nearest;
uniform float n;

void main()
{
    vec4 t = vec4(0.0);
    for (float i = 0.0; i < n; i += 1.0)
        t += texture2D(nearest, uv + vec2(i * 0.0625, 0.0));
    gl_FragColor = t;
}
