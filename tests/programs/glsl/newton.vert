// SPDX-License-Identifier: MIT
// The cube root by Newton's method, iterated until it converges.
#version 100
attribute vec4 position;
attribute vec4 a;
varying vec4 v;

void main()
{
    float x = a.x, y = x * 0.5 + 0.5, last = 0.0;
    while (abs(y - last) > 0.001) {
        last = y;
        y = (2.0 * y + x / (y * y)) / 3.0;
    }
    v = vec4(y, a.yzw);
    gl_Position = position;
}
