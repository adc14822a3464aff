// SPDX-License-Identifier: MIT
// The sum of nine samples, divided by 8.
#version 100
precision highp float;
varying vec2 uv;
uniform sampler2D nearest;

void main()
{
    vec4 t = vec4(0.0);
    for (int y = -1; y <= 1; y++)
        for (int x = -1; x <= 1; x++)
            t += texture2D(nearest, uv + vec2(float(x) * 0.0625, float(y) * 0.125));
    gl_FragColor = t * 0.125;
}
