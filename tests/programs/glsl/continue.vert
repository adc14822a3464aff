// SPDX-License-Identifier: MIT
// A loop with a continue.
#version 100
attribute vec4 position;
attribute vec4 a;
uniform float n;
varying vec4 v;

void main()
{
    float sum = 0.0;
    for (float i = 0.0; i < n; i += 1.0) {
        if (mod(i, 2.0) == 1.0)
            continue;
        sum += a.x * i + a.y;
    }
    v = vec4(sum, a.yzw);
    gl_Position = position;
}
