// SPDX-License-Identifier: MIT
// A loop within a loop.
#version 100
attribute vec4 position;
attribute vec4 a;
uniform vec2 n;
varying vec4 v;

void main()
{
    float sum = 0.0;
    for (float i = 0.0; i < n.x; i += 1.0)
        for (float j = i; j < n.y; j += 1.0)
            sum += i * a.x + j * a.y;
    v = vec4(sum, a.yzw);
    gl_Position = position;
}
