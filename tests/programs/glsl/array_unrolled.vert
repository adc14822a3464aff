// SPDX-License-Identifier: MIT
// An array of uniforms, added up in a loop with a constant number of iterations.
#version 100
attribute vec4 position;
attribute vec4 a;
uniform vec4 k[6];
varying vec4 v;

void main()
{
    vec4 sum = vec4(0.0);
    for (int i = 0; i < 6; i++)
        sum += k[i] * a;
    v = sum;
    gl_Position = position;
}
