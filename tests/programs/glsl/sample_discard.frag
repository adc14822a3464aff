// SPDX-License-Identifier: MIT
// Discards fragments that are not opaque.
#version 100
precision highp float;
varying vec2 uv;
uniform sampler2D nearest;
uniform float limit;

void main()
{
    vec4 t = texture2D(nearest, uv);
    if (t.a < limit)
        discard;
    gl_FragColor = t;
}
