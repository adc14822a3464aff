// SPDX-License-Identifier: MIT
// A while loop that halves a value until it is small.
#version 100
attribute vec4 position;
attribute vec4 a;
varying vec4 v;

void main()
{
    float x = abs(a.x), steps = 0.0;
    while (x > 0.5) {
        x *= 0.5;
        steps += 1.0;
    }
    v = vec4(x, steps, a.zw);
    gl_Position = position;
}
