// SPDX-License-Identifier: MIT
// A for loop whose length differs from vertex to vertex.
#version 100
attribute vec4 position;
attribute vec4 a;
varying vec4 v;

void main()
{
    float sum = 0.0;
    for (float i = 0.0; i < a.w; i += 1.0)
        sum += i * a.x;
    v = vec4(sum, a.yzw);
    gl_Position = position;
}
