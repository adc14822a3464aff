// SPDX-License-Identifier: MIT
// A loop whose length is a uniform.
#version 100
precision highp float;
varying vec4 a;
uniform float n;

void main()
{
    vec4 t = vec4(1.0);
    for (float i = 0.0; i < n; i += 1.0)
        t = t * a * 0.5 + i;
    gl_FragColor = t;
}
