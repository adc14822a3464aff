// SPDX-License-Identifier: MIT
// An if and else within a loop.
#version 100
attribute vec4 position;
attribute vec4 a;
uniform float n;
varying vec4 v;

void main()
{
    vec2 t = a.xy;
    for (float i = 0.0; i < n; i += 1.0) {
        if (t.x > t.y)
            t = vec2(t.x * 0.5 + sqrt(abs(t.y)), t.y + exp2(-abs(t.x)) + 1.0 / (1.0 + t.x * t.x));
        else
            t = vec2(t.y * 0.25 - t.x, t.x - 1.0 + inversesqrt(1.0 + t.y * t.y) + t.y * t.x * 0.125);
    }
    v = vec4(t, a.zw);
    gl_Position = position;
}
