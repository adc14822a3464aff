// SPDX-License-Identifier: MIT
// A for loop whose length is a uniform.
#version 100
attribute vec4 position;
attribute vec4 a;
uniform float n;
varying vec4 v;

void main()
{
    vec4 t = vec4(1.0);
    for (float i = 0.0; i < n; i += 1.0)
        t = t * a * 0.5 + i;
    v = t;
    gl_Position = position;
}
