// SPDX-License-Identifier: MIT
// A loop with a break.
#version 100
attribute vec4 position;
attribute vec4 a;
uniform float n;
varying vec4 v;

void main()
{
    float sum = 0.0, last = -1.0;
    for (float i = 0.0; i < n; i += 1.0) {
        sum += a.x;
        if (sum > a.y)
            break;
        last = i;
    }
    v = vec4(sum, last, a.zw);
    gl_Position = position;
}
