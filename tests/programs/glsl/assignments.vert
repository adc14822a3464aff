// SPDX-License-Identifier: MIT
// Assignments with an operator, increments and decrements.
#version 100
attribute vec4 position;
attribute vec4 a;
attribute vec4 b;
varying vec4 v;

void main()
{
    vec4 t = a;
    t += b;
    t *= 0.5;
    t.x++;
    --t.y;
    t.z -= t.w;
    t.w /= 4.0;
    float old = t.x--;
    v = t + old;
    gl_Position = position;
}
